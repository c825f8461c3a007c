"""The controls of Learn: their words in the link."""

from __future__ import annotations

from ltr_core import Param

NUMBERS = tuple(map(str, range(11)))

CONTROLS = (
    Param("learn", "choice", None, choices=NUMBERS, optional=True, help="A lesson of the course."),
    Param("present", "bool", False, help="For a hall: no sidebar, large letters, arrow keys turn the pages."),
    Param("learn_draw", "int", 0, 0, 9999, 1, help="Which numbers a lesson asks about."),
)

# What a person does in a lesson. A link does not bring it to another session: its lesson opens unsolved.
ANSWERS = (
    Param(
        "learn_round",
        "int",
        None,
        1,
        60,
        1,
        optional=True,
        none_label="the lesson's own",
        help="The round on screen in a lesson.",
    ),
)
