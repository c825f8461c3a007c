"""McRank (paper 004): Li, Burges, Wu. Learning to rank using multiple classification. NIPS 2007."""

from __future__ import annotations

from ..exhibit import Paper
from .bins import FIGURE_2, FIGURE_3A, FIGURE_3B
from .quality import DATA, FIGURE_1, FIGURE_3C, TABLE_1
from .settings import exhibit, inspect
from .theory import ALGORITHM_1, LEMMA_1

PAPER = Paper.of(
    "mcrank",
    "McRank",
    "McRank: learning to rank using multiple classification and gradient boosting",
    "NIPS 2007",
    "Learn the chance of every grade, then sort by the expected grade.",
    LEMMA_1,
    ALGORITHM_1,
    exhibit(
        "Algorithm 2",
        "algorithm2",
        "Least-squares boosting",
        "In each round a tree is fitted to the residuals.",
        ways=(inspect("GBT", "tree"),),
    ),
    DATA,
    TABLE_1,
    FIGURE_1,
    FIGURE_2,
    FIGURE_3A,
    FIGURE_3B,
    FIGURE_3C,
)
