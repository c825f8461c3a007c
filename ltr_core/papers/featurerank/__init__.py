"""FeatureRank (paper 001): the order hidden in single features, by class centers, joined by boosting."""

from __future__ import annotations

from ..exhibit import Paper
from .centers import FIGURE_1
from .distances import FIGURE_2, TABLE_3
from .growth import TABLE_2
from .settings import INSPECT, exhibit

PAPER = Paper.of(
    "featurerank",
    "FeatureRank",
    "FeatureRank: a non-linear listwise approach with clustering and boosting",
    "Paper 001",
    "Each feature ranks by itself, by the order hidden in its values; boosting joins these rankings.",
    exhibit(
        "Table 1",
        "algorithm",
        "The algorithm",
        "Each round ranks by one feature and weighs the queries by how well the sum ranks them.",
        ways=(INSPECT,),
    ),
    TABLE_2,
    FIGURE_1,
    TABLE_3,
    FIGURE_2,
)
