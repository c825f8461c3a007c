"""QBRank (paper 002): Zheng, Zha, Zhang, Chapelle, Chen, Sun. A general boosting method … NIPS 2007."""

from __future__ import annotations

from ..exhibit import Paper, Way
from .quality import DATA, FIGURE_1, TABLE_1
from .settings import exhibit
from .theory import ALGORITHM_1, ALGORITHM_2, THEOREM_1

PAPER = Paper.of(
    "qbrank",
    "QBRank",
    "A general boosting method and its application to learning ranking functions for web search",
    "NIPS 2007",
    "One boosting method for preferences, for grades, and for any mix of the two.",
    ALGORITHM_1,
    ALGORITHM_2,
    DATA,
    TABLE_1,
    FIGURE_1,
    THEOREM_1,
    exhibit(
        "Definitions 1-4",
        "definitions",
        "Scale invariance, norms, a bound of the Hessian",
        "They say what the theorem needs of weak learners and of the risk.",
        ways=(Way("shapes", "Losses on Shapes", {"shape_part": "losses"}),),
    ),
)
