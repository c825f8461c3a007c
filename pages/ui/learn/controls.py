"""The controls of Learn: their words in the link."""

from __future__ import annotations

from ltr_core import Param

from . import paper

NUMBERS = tuple(map(str, range(11)))

CONTROLS = (
    Param("learn", "choice", None, choices=NUMBERS, optional=True, help="A lesson of the course."),
    Param("present", "bool", False, help="For a hall: large letters, arrow keys reveal and turn the pages."),
    Param("learn_class", "text", "", help="The class that a student's link leads to."),
    Param("learn_as", "text", "", help="As whom somebody is in a class."),
    Param(
        "learn_paper",
        "choice",
        None,
        choices=(paper.TASK, paper.SOLUTIONS, paper.FORMULAS),
        optional=True,
        help="A lesson on paper, its solutions, or all formulas.",
    ),
    Param("teach_lessons", "text", "0,1,3,4,6", help="The lessons of a class."),
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
