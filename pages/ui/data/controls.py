"""The controls that define the pictures of Data: their words in the link."""

from __future__ import annotations

from ltr_core import Param

from ..runs.catalog import MISSING, VALID

CONTROLS = (
    Param("data_look", "text", "", help="The data set that is looked at; empty: the one in use."),
    Param("data_part", "choice", "train", choices=("train", "valid", "test"),
          help="Which part the pictures show."),
    Param("data_feature", "text", "", help="The feature looked at; empty: the one closest to the grade."),
    Param("data_scale", "choice", "share", choices=("share", "documents"),
          help="Bars as shares of a grade's documents, or as numbers of documents."),
    MISSING,
    VALID,
)  # fmt: skip
