"""FRank (paper 003, §3): boosting on the fidelity loss, each query counting the same.

Pair loss F_ij = 1 - √(P* σ(Δ)) - √((1 - P*)(1 - σ(Δ))), with the target P* for a pair of P; D_ij = 1 / #_q,
#_q the pairs of the query; the loss is divided by the number of queries that have pairs. With

    W_ij = D_ij (√(P* e^Δ) - e^Δ √(1 - P*)) / (1 + e^Δ)^(3/2)                                   (Eq. 4)

each candidate stump h in {0, 1} has W+ = Σ |W| over pairs with s W > 0, W- the same with s W < 0, and
α = ½ ln((W+ + ε) / (W- + ε)), ε = smoothing × Σ |W|. The candidate of least exact loss at its α is taken.

Decisions: a round in which no candidate lowers the loss, by a share of 1e-13, ends training. With
`tied_pairs` a query of one grade has pairs as well. Losses that agree to a relative 1e-11 are ties. The paper
has no ε: without one a stump that errs nowhere would grow without bound. On data in OHSUMED's shape
(`tests/benchmarks/study_frank_small.py`, 318 queries) NDCG@3 is .444, .452, .454, .450 at ε = 1e-6, 1e-4,
1e-2, 1e-1, RankBoost's .448, each difference within its error of .010: nothing can be told there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data import RankingData
from ...distances.losses import LOSSES
from ...engines.binning.bins import PARAMS as BINNING
from ...engines.binning.bins import binned
from ...engines.stumps.fidelity.trainer import FidelityRound, FidelityTrainer
from ...engines.stumps.ranker import N_ROUNDS, SHRINKAGE, StumpRanker
from ...engines.stumps.rounds import Candidates, Pairs, list_pairs
from ...errors import DataError
from ...params import Param
from ...rankers.effort import Effort
from ...sums import dot

_FIDELITY = LOSSES["fidelity"]


class FRank(StumpRanker):
    """Boosting of stumps on the fidelity loss.

    Parameters
    ----------
    n_rounds : int
        How many stumps.
    p_star : float
        The wanted probability that the better document of a pair comes first.
    tied_pairs : bool
        Whether documents of equal grades make pairs too, with a wanted probability of ½.
    smoothing : float
        What is added to both weights of a stump before the logarithm, as a share of all weights.
    max_bins, binning
        How features are binned.
    shrinkage : float
        What each stump's value is multiplied by.

    Attributes
    ----------
    rounds_ : DataFrame
        iteration, feature, threshold, value, gain, plus, minus of each round; gain is by how much the loss
        fell.
    """

    label = "FRank"
    paper = "FRank (SIGIR 2007)"
    section = "§3"
    summary = (
        "Boosted stumps on the fidelity loss: no pair can cost more than 1, and every query counts the same."
    )
    params = (
        N_ROUNDS,
        Param("p_star", "float", 1.0, 0.0, 1.0, 0.05,
              help="The wanted probability that the better document of a pair comes first."),
        Param("tied_pairs", "bool", False,
              help="Whether documents of equal grades make pairs too, wanted in either order alike."),
        Param("smoothing", "float", 1e-4, 1e-12, 1.0, log=True,
              help="Keeps a stump that errs nowhere from growing without bound."),
        *BINNING,
        SHRINKAGE,
    )  # fmt: skip
    round_type = FidelityRound
    weighs_queries = True

    def _effort(self, data: RankingData, values: dict[str, Any]) -> Effort:
        sizes = np.diff(data.offsets)
        pairs = int((sizes * (sizes - 1) // 2).sum()) if values["tied_pairs"] else data.n_pairs
        return Effort(3 * pairs, 5 * data.X.size)

    def _start(self, data: RankingData, values: dict[str, Any]) -> FidelityTrainer:
        if data.n_pairs == 0:
            raise DataError(
                "FRank learns from pairs, and no query has two documents of distinct grades",
                "give at least one query whose documents differ in grade",
            )
        bins = binned(data, values["max_bins"], values["binning"])
        how = (values["p_star"], values["tied_pairs"], values["smoothing"], values["shrinkage"])
        return FidelityTrainer(data, bins, *how, values.get("query_weight"), self.signs_for(data))

    def _list_pairs(self, data: RankingData) -> Pairs:
        i, j, query = list_pairs(data, self.tied_pairs)
        wanted = np.where(data.y[i] == data.y[j], 0.5, self.p_star)
        counts = np.bincount(query, minlength=1)
        return Pairs(i, j, query, np.ones(len(i)), wanted, 1.0 / (counts[query] * np.count_nonzero(counts)))

    def _pair_loss(self, pairs: Pairs, margin: np.ndarray) -> np.ndarray:
        kinds = [(float(p), pairs.wanted == p) for p in np.unique(pairs.wanted)]
        return sum(dot(_FIDELITY(margin[..., of], p), pairs.share[of]) for p, of in kinds)

    def _weigh_pairs(self, pairs: Pairs, margin: np.ndarray) -> np.ndarray:
        weight = np.empty(len(margin))
        for p in np.unique(pairs.wanted):
            of = pairs.wanted == p
            weight[of] = -2.0 * _FIDELITY.slope(margin[of], float(p))
        return weight * (pairs.share * np.count_nonzero(np.bincount(pairs.query)))  # D_ij = 1 / #_q

    def _judge(self, pairs: Pairs, weight: np.ndarray, sides: np.ndarray) -> Candidates:
        epsilon, signed = self.smoothing * np.abs(weight).sum(), sides * weight
        plus, minus = np.maximum(signed, 0.0).sum(axis=1), np.maximum(-signed, 0.0).sum(axis=1)
        value = 0.5 * np.log((plus + epsilon) / (minus + epsilon))
        return Candidates(plus - minus, plus + minus, plus, minus, value, smoothing=float(epsilon))
