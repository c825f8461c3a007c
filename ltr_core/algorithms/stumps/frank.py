"""FRank (paper 003, §3): boosting on the fidelity loss, each query counting the same.

Pair loss F_ij = 1 - √(P* σ(Δ)) - √((1 - P*)(1 - σ(Δ))), with the target P* for a pair of P; D_ij = 1 / #_q,
#_q the pairs of the query; the loss is divided by the number of queries that have pairs. With

    W_ij = D_ij (√(P* e^Δ) - e^Δ √(1 - P*)) / (1 + e^Δ)^(3/2)                                   (Eq. 4)

each candidate stump h in {0, 1} has W+ = Σ |W| over pairs with s W > 0, W- the same with s W < 0, and
α = ½ ln((W+ + ε) / (W- + ε)), ε = smoothing × Σ |W|. The candidate of least exact loss at its α is taken.

Decisions: a round in which no candidate lowers the loss ends training. With `tied_pairs` a query of one
grade has pairs as well. Losses that agree to a relative 1e-11 are ties.
"""

from __future__ import annotations

from typing import Any

from ...data import RankingData
from ...engines.binning.bins import PARAMS as BINNING
from ...engines.binning.bins import binned
from ...engines.stumps.fidelity import FidelityTrainer
from ...engines.stumps.ranker import StumpRanker
from ...errors import DataError
from ...params import Param


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
    early_stopping : int, optional
        End after this many rounds without a better first measure on the first evaluation set.
    random_state : int
        Unused: nothing is drawn at random.

    Attributes
    ----------
    rounds_ : DataFrame
        iteration, feature, threshold, value, gain, plus, minus of each round; gain is by how much the loss
        fell.
    """

    label = "FRank"
    family = "pairwise boosting"
    paper = "FRank (SIGIR 2007)"
    section = "§3"
    summary = (
        "Boosted stumps on the fidelity loss: no pair can cost more than 1, and every query counts the same."
    )
    params = (
        Param("n_rounds", "int", 200, 1, 100_000, 1, log=True, help="How many stumps to add."),
        Param("p_star", "float", 1.0, 0.0, 1.0, 0.05,
              help="The wanted probability that the better document of a pair comes first."),
        Param("tied_pairs", "bool", False,
              help="Whether documents of equal grades make pairs too, wanted in either order alike."),
        Param("smoothing", "float", 1e-4, 1e-12, 1.0, log=True,
              help="Keeps a stump that errs nowhere from growing without bound."),
        *BINNING,
    )  # fmt: skip
    _round_columns = ("plus", "minus")

    def _start(self, data: RankingData, values: dict[str, Any]) -> FidelityTrainer:
        if data.n_pairs == 0:
            raise DataError(
                "FRank learns from pairs, and no query has two documents of distinct grades",
                "give at least one query whose documents differ in grade",
            )
        return FidelityTrainer(data, binned(data, values["max_bins"], values["binning"]), values)

    def _finish(self, trainer: FidelityTrainer) -> None:
        self._take(trainer.rounds)
