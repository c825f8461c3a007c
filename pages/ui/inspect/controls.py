"""The controls that define the pictures of Inspect: their words in the link."""

from __future__ import annotations

from ltr_core import Param

CONTROLS = (
    Param("look_run", "int", None, 0, 9, 1, optional=True, none_label="the first beside the baseline",
          help="The run that is looked into: its slot."),
    Param("look_fold", "text", "", help="Where runs are trained on all folds: the fold whose model is "
          "looked into; empty: the one on the left."),
    Param("look_view", "text", "", help="What of the model is shown; empty: the first it offers."),
    Param("look_feature", "text", "", help="The feature looked at; empty: the most important one."),
    Param("look_tree", "int", 1, 1, 1_000_000, 1, help="The round whose tree is drawn."),
    Param("look_output", "int", 1, 1, 1_000, 1, help="Which of the round's trees is drawn."),
    Param("look_query", "text", "", help="The query whose documents are shown; empty: the first."),
)  # fmt: skip
