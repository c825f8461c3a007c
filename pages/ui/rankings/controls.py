"""The controls that define the pictures of Rankings: their words in the link."""

from __future__ import annotations

from ltr_core import Param

CONTROLS = (
    Param("rank_split", "choice", "test", choices=("test", "fold", "valid", "train"),
          help="Which queries are shown. Where runs are trained on all folds these are the test queries of "
          "all of them, each ranked by its own fold's models, or those of the fold on the left."),
    Param("rank_run", "int", None, 0, 9, 1, optional=True, none_label="the headline's",
          help="The run that is compared with the baseline, query by query: its slot."),
    Param("rank_query", "text", "", help="The query whose lists are shown; empty: the worst one."),
    Param("rank_round", "int", None, 0, 1_000_000, 1, optional=True, none_label="the rounds compared",
          help="The round at which all lists are shown."),
    Param("rank_against", "choice", "baseline", choices=("baseline", "ideal"),
          help="Which list ▲▼ count from: the baseline's, or the ideal one."),
    Param("rank_whole", "bool", False, help="Show the lists to their end, not only their top."),
    Param("rank_features", "bool", False, help="All documents of the query with their feature values."),
    Param("rank_doc", "int", None, 1, 1_000_000, 1, optional=True, none_label="the first of the list",
          help="The document whose score is split, by its place in the query's file order."),
    Param("rank_why", "int", None, 0, 9, 1, optional=True, none_label="the run compared",
          help="The run whose score is split: its slot."),
)  # fmt: skip
