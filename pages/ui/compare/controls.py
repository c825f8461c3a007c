"""The controls that define the pictures of Compare: their words in the link."""

from __future__ import annotations

from ltr_core import Param

CONTROLS = (
    Param("layout", "choice", "overlay", choices=("overlay", "multiples"),
          help="All runs on the same axes, or a small picture for each, with the baseline behind it."),
    Param("repeat", "choice", "one", choices=("one", "folds", "seeds3", "seeds5"),
          help="Train each run once, or on every fold, or from several seeds: then curves are means, with "
          "a band of one standard deviation, and the test is over all test queries."),
    Param("one_run", "int", None, 0, 9, 1, optional=True, none_label="the last one",
          help="The run that is edited or taken along: its slot."),
)  # fmt: skip
