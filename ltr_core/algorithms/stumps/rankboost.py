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

from ...distances import FittedDistance, PairGrades, fit_distance
from ...engines.stumps.exponential import ExponentialRanker, Rule
from ...engines.stumps.ranker import PARAMS
from ...engines.stumps.rounds import Candidates, Pairs
from ...params import Param
from ...sums import dot

EPSILON, CLIP = 1e-4, 1.0 - 1e-10


class RankBoost(ExponentialRanker):
    """Boosting of stumps on pairs, every pair alike.

    Parameters
    ----------
    variant : {"r", "z"}
        What a round looks for: the largest weighted agreement |r|, or the smallest Z.
    n_rounds : int
        How many stumps.
    max_bins, binning
        How features are binned.
    shrinkage : float
        What each stump's value is multiplied by.

    Attributes
    ----------
    rounds_ : DataFrame
        iteration, feature, threshold, value, gain, n, d, z of each round; gain is |N|, or 1 - Z.
    """

    label = "RankBoost"
    paper = "Freund et al. 2003"
    section = "§3"
    summary = "Boosted stumps on an exponential loss over pairs, whatever the gap between their grades."
    params = (
        Param("variant", "choice", "r", choices=("r", "z"),
              help="What a round looks for: the largest weighted agreement r, or the smallest Z."),
        *PARAMS,
    )  # fmt: skip

    def _settle(self, grades: PairGrades, values: dict[str, Any]) -> FittedDistance:
        return fit_distance("binary", grades)[0]

    def _rule(self, values: dict[str, Any]) -> Rule:
        search, value = ("pull", _value_by_r) if values["variant"] == "r" else ("z", _value_by_z)
        return Rule(search, np.ones_like, value)

    def _judge(self, pairs: Pairs, weight: np.ndarray, sides: np.ndarray) -> Candidates:
        plus, minus = dot(sides > 0, weight), dot(sides < 0, weight)
        n, total = plus - minus, plus + minus
        if self.variant == "z":
            value = 0.5 * np.log((plus + EPSILON) / (minus + EPSILON))
            return Candidates(n, total, plus, minus, value, total - 2.0 * np.sqrt(plus * minus), EPSILON)
        r = np.clip(n, -CLIP, CLIP)
        return Candidates(n, total, plus, minus, 0.5 * np.log((1.0 + r) / (1.0 - r)), np.abs(n))


def _value_by_r(N: float, S: float) -> float:
    r = min(max(N, -CLIP), CLIP)
    return 0.5 * math.log((1.0 + r) / (1.0 - r))


def _value_by_z(N: float, S: float) -> float:
    plus, minus = max(0.0, 0.5 * (S + N)), max(0.0, 0.5 * (S - N))
    return 0.5 * math.log((plus + EPSILON) / (minus + EPSILON))
