"""The controls of History: their words in the link."""

from __future__ import annotations

from ltr_core import Param

CONTROLS = (
    Param("past_find", "text", "", help="Words that a run's name, settings, note or data set must have."),
    Param("past_data", "choice", "this", choices=("this", "all"), help="On the data set in use, or on all."),
    Param("past_starred", "bool", False, help="Only runs with a star."),
)  # fmt: skip
