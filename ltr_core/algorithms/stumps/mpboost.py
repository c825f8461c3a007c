"""MPBoost (paper 000, §4 and appendix): boosting that keeps the magnitude of preferences.

Loss J(F) = (1/|P|) Σ_P exp(-d_ij (F_i - F_j)), d_ij a directed distance of the two grades. Each round adds
a stump worth a above its threshold and 0 below, with N = Σ s w d, D = Σ_{s≠0} w over the weights w ∝ exp(-d
Δ): a = N / D, and the stump of the largest reduction N²/D is taken. ``step="newton"`` (ours) puts Σ_{s≠0} w
d² in place of D, which needs no condition |dist| ≈ 1. Theorem 1: misorder <= Π Z_t on the training pairs,
each round. How close Z_t is to what a round minimises, (J_wse + 1)/2, is `equation_15`.

Scale is shrinkage: BINARY with every distance c takes the same stumps as plain BINARY whose steps are
multiplied by c², because a = N / D grows with c and a margin counts c times as much. A distance function
whose mean is not 1 shrinks or stretches every step in the same way, beside what it does with magnitudes:
`scale`, a BINARY of that mean, tells the two apart, and `shrinkage` (ours; 1 is the paper's) has one without
the other.

Defaults: a parameter that is not given is calibrated to a mean |dist| of `size`, 0.6. Of 23 settings on seven
kinds of generated data and MQ2008 (`tests/benchmarks/study_mpboost_defaults.py`) those with a mean of 0.5 to
0.6 are best: over a mean of 1, which is condition (9) to the letter, LOGDD at 0.6 gains 2.2 ± 0.6 points of
NDCG@5 after 200 rounds (on 8 sets of 8; 1.3 ± 0.7 at validation's round, on 6), at 0.5 2.4, BINARY scaled to
0.6 2.1, LOGITDD with β = 1 1.5, Newton's step nothing. Fixed values of α and λ do as well where grades are 0
to 4, and fail where they go to 60 (λ = 0.5: 55 points less): hence a size and not a value.

The search, and when candidates count as ties: `ltr_core.engines.stumps.search`. Weights are kept as factors
of documents where grades are few (`….stumps.product`), exactly; else pair by pair (`….stumps.direct`), and
those of long queries, where they are too many to be kept, by skeletons, to rounding (`….skeleton.skeletons`).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

from ...data import RankingData
from ...distances import DISTANCES, DistanceReport, FittedDistance, PairGrades, fit_distance
from ...engines.stumps.exponential import ExponentialRanker, Rule
from ...engines.stumps.ranker import PARAMS
from ...engines.stumps.rounds import Candidates, Pairs
from ...params import Param
from ...rankers.estimator import check_is_fitted
from ...rankers.model_file import State
from ...sums import dot


class MPBoost(ExponentialRanker):
    """Magnitude-preserving boosting with directed distances.

    Parameters
    ----------
    ddf : {"logdd", "binary", "ldd", "logitdd", "table"}
        The directed distance function.
    alpha, lam, beta : float, optional
        The parameter of LDD, LOGDD and LOGITDD; None calibrates it so that |dist| is `size` on average
        over the training pairs (for LOGITDD it is 1).
    ddf_table : square array, optional
        The distances of ``ddf="table"``: row and column are the grades 0, 1, 2, …, and what lies between them
        is interpolated. A table of as many rows as there are grades, not all of them whole, has those as its
        rows.
    step : {"paper", "newton"}
        The stump's value: the paper's N / Σw, or Newton's N / Σ w d².
    n_rounds : int
        How many stumps.
    max_bins, binning
        How features are binned.
    shrinkage : float
        What each stump's value is multiplied by.
    scale : float
        Every distance of BINARY.
    size : float
        What |dist| is on average where LDD or LOGDD is calibrated; 1 is the paper's condition (9).

    Attributes
    ----------
    distance_ : DistanceReport
        The distance used, its calibrated parameter and what a check of it finds.
    rounds_ : DataFrame
        iteration, feature, threshold, value, gain, n, d, z of each round.
    """

    label = "MPBoost"
    paper = "MPBoost (CIKM 2009)"
    section = "§4"
    summary = "Boosted stumps on an exponential loss, each pair weighed by a distance of its grades."
    params = (
        Param("ddf", "choice", "logdd", choices=tuple(DISTANCES),
              help="How the gap between two grades becomes a distance."),
        Param("alpha", "float", None, 1e-6, 1e6, log=True, optional=True, none_label="calibrated",
              when={"ddf": ("ldd",)}, help="Slope of LDD."),
        Param("lam", "float", None, 1e-6, 1e6, log=True, optional=True, none_label="calibrated",
              when={"ddf": ("logdd",)}, help="λ of LOGDD: how soon it bends."),
        Param("beta", "float", None, 1e-6, 1e6, log=True, optional=True, none_label="calibrated",
              when={"ddf": ("logitdd",)}, help="β of LOGITDD: how soon it saturates."),
        Param("size", "float", 0.6, 0.05, 5.0, 0.05, log=True, was=(1.0,), when={"ddf": ("ldd", "logdd")},
              help="What |dist| is on average over the training pairs where α or λ is calibrated."),
        Param("scale", "float", 1.0, 0.01, 10.0, log=True, when={"ddf": ("binary",)},
              help="Every distance of BINARY: what a distance of that size does without any magnitude."),
        Param("ddf_table", "table", None, optional=True, when={"ddf": ("table",)},
              help="Distances between grades: the row's grade over the column's."),
        Param("step", "choice", "paper", choices=("paper", "newton"),
              help="The stump's value: the paper's, or a Newton step that needs no distances of about 1."),
        *PARAMS,
    )  # fmt: skip
    by_place = "ddf alpha lam beta ddf_table step n_rounds max_bins binning shrinkage scale size"

    distance_: DistanceReport

    def equation_15(self, data: RankingData) -> pd.DataFrame:
        """Return both sides of the paper's Eq. 15, Z_t ≈ (J_wse + 1) / 2, round by round.

        J_wse = Σ w (d - (f_i - f_j))² is what the stump of round t minimises, Z_t what the loss is multiplied
        by. They agree to second order where |dist| is 1.

        Parameters
        ----------
        data : RankingData
            The training data; one number is kept for each of their pairs.

        Returns
        -------
        DataFrame
            iteration, z, j_wse and approximation, which is (j_wse + 1) / 2.
        """
        check_is_fitted(self)
        pairs = self._list_pairs(data)
        d, scores, rows = pairs.distance, np.zeros(data.n_docs), []
        stumps = zip(self.stump_features_, self.stump_thresholds_, self.stump_values_, strict=True)
        for t, (feature, threshold, value) in enumerate(stumps, start=1):
            added = value * (data.X[:, feature].astype(np.float64) > threshold)
            weight = self._weigh_pairs(pairs, scores[pairs.better] - scores[pairs.worse])
            moved = added[pairs.better] - added[pairs.worse]
            with np.errstate(over="ignore"):
                z = dot(weight, np.exp(-d * moved))
            error = dot(weight, (d - moved) ** 2)
            rows.append((t, z, error, 0.5 * (error + 1.0)))
            scores += added
        return pd.DataFrame(rows, columns=["iteration", "z", "j_wse", "approximation"])

    def _settle(self, grades: PairGrades, values: dict[str, Any]) -> FittedDistance:
        given = (values[name] for name in ("alpha", "lam", "beta", "ddf_table", "scale", "size"))
        distance, self.distance_ = fit_distance(values["ddf"], grades, *given)
        if values["ddf"] == "table" and not self.distance_.larger_gap_larger_distance:
            why = self.distance_.violations[-1]
            warnings.warn(f"The distance table is used as it is. {why}", stacklevel=4)
        return distance

    def _rule(self, values: dict[str, Any]) -> Rule:
        masses = np.square if values["step"] == "newton" else np.ones_like
        return Rule("reduction", masses, lambda N, D: N / D)

    def _distances(self, data: RankingData, better: np.ndarray, worse: np.ndarray) -> np.ndarray:
        known, grades = self.distance_, PairGrades(data.y, data.offsets)
        given: dict[str, Any] = {known.parameter: known.value} if known.parameter else {}
        distance, _ = fit_distance(known.name, grades, **given, table=self.ddf_table)
        return distance.between(data.y[better], data.y[worse])

    def _judge(self, pairs: Pairs, weight: np.ndarray, sides: np.ndarray) -> Candidates:
        d = pairs.distance
        pull, mass = weight * d, weight * (d * d if self.step == "newton" else 1.0)
        n, total = dot(sides, pull), dot(np.abs(sides), mass)
        value = np.divide(n, total, out=np.zeros(len(n)), where=total > 0)
        return Candidates(n, total, dot(sides > 0, pull), dot(sides < 0, pull), value, n * value)

    def _state(self) -> dict[str, Any]:
        report = self.distance_
        return {**super()._state(), "distance": {**vars(report), "violations": list(report.violations)}}

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        kept = state.sub("distance")
        value, violations = kept.get("value"), kept.get("violations")
        flags, numbers = ("sign_holds", "larger_gap_larger_distance", "about_one"), ("mean", "low", "high")
        report: dict[str, Any] = {name: bool(kept.get(name)) for name in flags}
        report |= {name: kept.number(name) for name in numbers}
        report["value"] = None if value is None else kept.number("value", 0.0)
        report["violations"] = tuple(map(str, violations)) if isinstance(violations, list) else ()
        self.distance_ = DistanceReport(self.ddf, DISTANCES[self.ddf].parameter, **report)
