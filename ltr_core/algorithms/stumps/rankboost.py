"""RankBoost (Freund, Iyer, Schapire, Singer 2003), a baseline of papers 000 and 003.

A distribution D over the pairs, uniform at first; stumps h worth 1 above their threshold and 0 below. With
N = Σ s D (their r), S = Σ_{s≠0} D and W± = (S ± N) / 2:

variant "r": the stump of the largest |N|, α = ½ ln((1 + N) / (1 - N)), |N| clipped at 1 - 1e-10;
variant "z": the stump of the smallest Z = 1 - S + 2 √(W+ W-), α = ½ ln((W+ + ε) / (W- + ε)), ε = 1e-4.

Then D ← D exp(-α s) / Z; the loss (1/|P|) Σ exp(-Δ) is the product of all Z.

Decision: the smallest Z is searched as the largest 1 - Z = N² / (S + √(S² - N²)), which does not cancel.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...data import RankingData
from ...distances import fit_distance
from ...engines.binning.bins import PARAMS as BINNING
from ...engines.binning.bins import binned
from ...engines.stumps.exponential import PairTrainer
from ...engines.stumps.layout import PairLayout
from ...engines.stumps.ranker import StumpRanker
from ...params import Param

EPSILON, CLIP = 1e-4, 1.0 - 1e-10


class RankBoost(StumpRanker):
    """Boosting of stumps on pairs, every pair alike.

    Parameters
    ----------
    variant : {"r", "z"}
        What a round looks for: the largest weighted agreement |r|, or the smallest Z.
    n_rounds : int
        How many stumps.
    max_bins, binning
        How features are binned.
    early_stopping : int, optional
        End after this many rounds without a better first measure on the first evaluation set.
    random_state : int
        Unused: nothing is drawn at random.

    Attributes
    ----------
    rounds_ : DataFrame
        iteration, feature, threshold, value, gain, n, d, z of each round; gain is |N|, or 1 - Z.
    """

    label = "RankBoost"
    family = "pairwise boosting"
    paper = "Freund et al. 2003"
    section = "§3"
    summary = "Boosted stumps on an exponential loss over pairs, whatever the gap between their grades."
    params = (
        Param("variant", "choice", "r", choices=("r", "z"),
              help="What a round looks for: the largest weighted agreement r, or the smallest Z."),
        Param("n_rounds", "int", 200, 1, 100_000, 1, log=True, help="How many stumps to add."),
        *BINNING,
    )  # fmt: skip
    _round_columns = ("n", "d", "z")

    def _start(self, data: RankingData, values: dict[str, Any]) -> PairTrainer:
        layout = PairLayout(data.y, data.offsets)
        layout.require_pairs("RankBoost")
        return PairTrainer(
            data,
            layout,
            binned(data, values["max_bins"], values["binning"]),
            fit_distance("binary", layout.grades)[0],
            rule="pull" if values["variant"] == "r" else "z",
            masses=np.ones_like,
            value=_value_by_r if values["variant"] == "r" else _value_by_z,
        )

    def _finish(self, trainer: PairTrainer) -> None:
        self._take(trainer.rounds)


def _value_by_r(N: float, S: float) -> float:
    r = min(max(N, -CLIP), CLIP)
    return 0.5 * math.log((1.0 + r) / (1.0 - r))


def _value_by_z(N: float, S: float) -> float:
    plus, minus = max(0.0, 0.5 * (S + N)), max(0.0, 0.5 * (S - N))
    return 0.5 * math.log((plus + EPSILON) / (minus + EPSILON))
