"""The course as a table: what each lesson is about, how long it takes, what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Door:
    """Where a lesson's subject lives: a page, the words on the way there, and the controls set on the way."""

    page: str
    label: str
    controls: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson: number and title, its minutes, what one can explain after it, and the sentence to keep."""

    number: str
    title: str
    minutes: int
    explains: str
    keep: str
    door: Door


_SLOWLY = (("step_pace", "slowly"),)  # where a lesson leads, rounds are played to be followed
_ALL = (
    Lesson(
        "0",
        "What is ranking?",
        2,
        "what a query, a grade, a score and a pair are",
        "A ranking is judged by its pairs: of two pages with different grades, is the better one above?",
        Door("rankings", "See whole lists on Rankings"),
    ),
    Lesson(
        "1",
        "NDCG by hand",
        3,
        "why the top of a list counts most, and what 2ʳ − 1 and log₂ are for",
        "NDCG is what a list is worth, its top counting most, divided by what the best order would be worth.",
        Door("shapes", "See gains and discounts on Shapes"),
    ),
    Lesson(
        "2",
        "Why not regression?",
        2,
        "why a method with the smallest error in the grades need not rank best",
        "Squared error cares for every grade alike; a reader only meets the top of each list.",
        Door("compare", "Compare them yourself"),
    ),
    Lesson(
        "3",
        "Why magnitudes matter",
        3,
        "what a directed distance is, and what it buys in few rounds",
        "A distance decides which pairs pull hardest; where rounds are few, that decides which are solved.",
        Door("shapes", "See the distances on Shapes"),
    ),
    Lesson(
        "4",
        "What a round does",
        4,
        "how a boosting round picks its stump, its value, and the next weights",
        "A round takes the stump of largest N<sup>2</sup>/D, adds a = N/D, and lets wrong pairs weigh more.",
        Door("step_through", "Step through more rounds", _SLOWLY),
    ),
    Lesson(
        "5",
        "When the step overshoots",
        2,
        "what condition (9) of the MPBoost paper asks for, and what happens without it",
        "The step N/D is right for distances of about 1; much larger ones overshoot, and the loss zigzags.",
        Door("step_through", "Try other distances in Step through", _SLOWLY),
    ),
    Lesson(
        "6",
        "Overfitting",
        2,
        "why the training curve cannot tell when to stop",
        "Only queries nobody learnt from can say when to stop.",
        Door("compare", "See the marked rounds on Compare"),
    ),
    Lesson(
        "7",
        "Is it real?",
        3,
        "what a p-value says, what it does not, and why Holm corrects it",
        "p is how often chance alone, with the labels shuffled, makes a difference as large as ours.",
        Door("compare", "Read the sentence on Compare again"),
    ),
    Lesson(
        "8",
        "Losses of a pair",
        2,
        "how exponential, logistic, fidelity and hinge loss treat a hopeless pair",
        "An unbounded loss lets one hopeless pair outweigh the rest; FRank's fidelity never exceeds 1.",
        Door("shapes", "See all losses on Shapes"),
    ),
    Lesson(
        "9",
        "Why is this page here?",
        2,
        "how a score is the sum of what each feature adds",
        "Each feature's share against the average page says what lifts a page and what holds it down.",
        Door("rankings", "Take any page apart on Rankings"),
    ),
    Lesson(
        "10",
        "Design your own distance",
        4,
        "how to defend a choice with a comparison",
        "A choice is defended on queries nobody learnt from, with an interval; often it cannot be told.",
        Door("shapes", "Draw a distance on Shapes"),
    ),
)

LESSONS: dict[str, Lesson] = {lesson.number: lesson for lesson in _ALL}
MINUTES = sum(lesson.minutes for lesson in _ALL)
EARLIER = {"1": "1", "2": "3", "3": "4", "4": "6"}  # the four lessons that Step through had


def after(number: str) -> Lesson | None:
    """Return the next lesson, if there is one."""
    return LESSONS.get(str(int(number) + 1))
