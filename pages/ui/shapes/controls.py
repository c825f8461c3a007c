"""The controls that define the pictures of Shapes: their words in the link."""

from __future__ import annotations

from ltr_core import Param

from ..tables.distances import FORMULAS

CONTROLS = (
    Param("shape_part", "choice", "distances", choices=("distances", "losses", "gains"),
          help="What is drawn: distances between grades, losses of a pair, or gains and discounts."),
    Param("shape_ddf", "choice", "logdd", choices=(*FORMULAS, "table"),
          help="The distance looked at closely."),
    # Figure 2 of the MPBoost paper has 0.2, 3 and 0.5.
    Param("shape_alpha", "float", 0.2, 0.01, 5.0, 0.01, help="α: the slope of LDD."),
    Param("shape_lam", "float", 3.0, 0.01, 20.0, 0.01, help="λ: how soon LOGDD bends."),
    Param("shape_beta", "float", 0.5, 0.01, 10.0, 0.01, help="β: how soon LOGITDD saturates."),
    Param("shape_table", "table", None, optional=True, help="A person's own distances."),
    Param("shape_losses", "choice", "all", choices=("all", "ddf", "frank"),
          help="All losses side by side, the exponential one with each distance, or FRank's Figure 1."),
    Param("shape_gap", "float", 2.0, 0.0, 100.0, help="How far the grades of the pair lie apart."),
    Param("shape_log", "bool", False, help="Losses on a logarithmic axis."),
)  # fmt: skip
