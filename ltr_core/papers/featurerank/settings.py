"""What FeatureRank's exhibits share: the set of long lists, its noise, what the paper prints."""

from __future__ import annotations

from ...params import Param
from ..exhibit import System, Way, exhibits_of
from ..published import published

PAPER = "001 FeatureRank"
PRINTED = published(PAPER)
SET, WIDTH = "mq2008-list-like", 46
DATA = "MQ2008-list of LETOR 4.0, about 1,000 documents a query."
HERE = "mq2008-list-like, 40 queries × 1,000 documents, 46 features."
INSPECT = Way(
    "inspect",
    "Class centers on Inspect",
    {"data": SET, "look_view": "centers"},
    (System("FeatureRank", "FeatureRank", {"n_features": WIDTH}),),
)
NOISE = Param("noise", "float", 0.5, 0.0, 3.0, 0.1, help="How far the features stray from the order.")

exhibit = exhibits_of(PAPER)
