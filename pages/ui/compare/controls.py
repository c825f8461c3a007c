"""The controls that define the pictures of Compare: their words in the link."""

from __future__ import annotations

from ltr_core import Param

CONTROLS = (
    Param("layout", "choice", "overlay", choices=("overlay", "multiples"),
          help="All runs on the same axes, or a small picture for each, with the baseline behind it."),
    Param("repeat", "choice", "one", choices=("one", "folds", "seeds3", "seeds5"),
          help="Train each run once, or on every fold, or from several seeds: then curves are means, with "
          "a band of one standard deviation, and the test is over all test queries."),
    Param("table_measures", "text", "", help="Measures beside the chosen one in the run table."),
    Param("table_hidden", "text", "", help="Columns that the run table leaves out."),
    Param("table_by", "text", "", help="The column that the run table is sorted by."),
    Param("table_down", "bool", True, help="Whether the largest value comes first."),
    Param("table_find", "text", "", help="Words in the names of the runs that the table shows."),
    Param("one_run", "int", None, 0, 9, 1, optional=True, none_label="the last one",
          help="The run that is edited or taken along: its slot."),
)  # fmt: skip
