"""FRank (paper 003): Tsai, Liu, Qin, Chen, Ma. A ranking method with fidelity loss. SIGIR 2007.

The paper's web data have 3,800 test queries, and half a point of NDCG between its two best systems: with
fewer queries their order is noise, and the cards say how many it would take.
"""

from __future__ import annotations

from ..exhibit import Paper, Way
from .counts import FIGURE_1, TABLE_1, TABLE_2, TABLE_5
from .growing import FIGURE_7, TABLE_6
from .settings import exhibit
from .trec import FIGURE_3
from .web import FIGURE_4, FIGURE_5, FIGURE_6, T_TEST, TABLE_3, TABLE_4

PAPER = Paper.of(
    "frank",
    "FRank",
    "FRank: a ranking method with fidelity loss",
    "SIGIR 2007",
    "A pair loss that is bounded: a hopeless pair cannot spoil the rest.",
    FIGURE_1,
    exhibit(
        "Figure 2",
        "fig2",
        "The algorithm",
        "Each round adds the stump of least fidelity loss.",
        ways=(Way("step_through", "Step through it", {"step_algorithm": "FRank"}),),
    ),
    TABLE_1,
    FIGURE_3,
    TABLE_2,
    FIGURE_4,
    FIGURE_5,
    TABLE_3,
    TABLE_4,
    FIGURE_6,
    T_TEST,
    TABLE_5,
    TABLE_6,
    FIGURE_7,
)
