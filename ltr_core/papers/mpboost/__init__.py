"""MPBoost (paper 000): Zhu, Chen, Zhu, Wang, Wang, Chen. General Magnitude-Preserving Boosting. CIKM 2009.

What its figures show is that distances that keep the size of a preference rank better than BINARY, and do not
overfit. Beside every such picture stands a control of ours: BINARY with all distances made smaller by one
factor, which is nothing but shorter steps. On the generated sets it explains what the distances gain.
"""

from __future__ import annotations

from ..exhibit import Paper, Way
from .data import DATA
from .distances import FIGURE_1, FIGURE_2, REQUIREMENTS
from .overfitting import FIGURE_6
from .quality import DISCUSSION, FIGURE_3, FIGURE_4, FIGURE_5
from .settings import STEPS, exhibit
from .theory import APPENDIX, EQUATION_15, THEOREM_1

PAPER = Paper.of(
    "mpboost",
    "MPBoost",
    "General Magnitude-Preserving Boosting Algorithm for Search Ranking",
    "CIKM 2009",
    "A pair of documents counts by how far apart their grades are: a directed distance.",
    FIGURE_1,
    FIGURE_2,
    REQUIREMENTS,
    exhibit(
        "Algorithm 1",
        "algorithm1",
        "The algorithm",
        "Each round fits a stump to the distances, by weighted least squares, and weighs the pairs anew.",
        ways=(STEPS, Way("learn", "The lesson on it", {"learn": "4"})),
    ),
    THEOREM_1,
    EQUATION_15,
    DATA,
    FIGURE_3,
    FIGURE_4,
    FIGURE_5,
    FIGURE_6,
    DISCUSSION,
    APPENDIX,
)
