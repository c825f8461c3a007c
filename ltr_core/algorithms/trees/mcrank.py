"""McRank: ranking by the expected relevance of learned class probabilities (paper 004).

The distinct training grades, in order, are the classes; boosted trees learn p_k = Pr(grade k | x), as one
multi-class problem (Algorithm 1) or, `ordinal`, as Pr(r <= k) for each grade but the best and p_k = Pr(r <=
k) - Pr(r <= k-1) (§4). In a round all classes learn from the probabilities at its start, as in Friedman's
algorithm, from which the paper takes its own; as printed, line 4 stands inside the loop over classes, so that
each learns from what the ones before it have added: ``classes="in turn"``. The score is Σ p_k T(k).

Decisions: the ordinal probabilities are learned apart, so a difference may come out slightly negative; it is
left as it is (the score is then still Σ p_k T(k), and they still add up to 1). Splits weighted by p (1 - p)
and a start from the grades' shares are ours, off by default: with few rounds they rank better (`cubic`, 100
rounds: NDCG@10 0.689 instead of 0.670). The loss of the history is
what is minimised: the mean negative log-likelihood, for `ordinal` the sum of those of the binary problems;
"nll" is that of the class probabilities for both, probabilities counted as at least 1e-15. "dcg_error" and
"dcg_bound" are the two sides of Lemma 1, for the ranking by the most probable grade.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pandas as pd

from ...data import RankingData
from ...engines.boosting import TreeRanker, tree_params
from ...engines.boosting.grade_classes import GradeRisk, class_probabilities, expected_worth
from ...engines.boosting.lemma import Lemma
from ...engines.boosting.trainer import BoostingTrainer
from ...errors import DataError
from ...params import Param
from ...rankers.estimator import check_is_fitted
from ...rankers.model_file import State
from ...sums import dot

MOST_GRADES = 32
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)


class McRank(TreeRanker):
    """Boosted classification of grades, ranked by expected relevance.

    Parameters
    ----------
    mode : {"classification", "ordinal"}
        Whether grades are classes, or thresholds to be passed one after the other.
    expected : {"relevance", "gain"}
        What grade r counts in the expectation: r, or 2^r - 1.
    splits : {"residual", "newton"}
        Whether trees look for splits as the paper's, all documents alike, or weigh them by p (1 - p).
    start : {"zero", "prior"}
        Whether all grades are equally probable at the start, as in the paper, or as frequent as in training.
    classes : {"together", "in turn"}
        Whether the probabilities are worked out once a round, or before each class's tree, as printed.
    n_trees : int
        Rounds; each has one tree for each class (threshold).
    n_leaves, learning_rate, min_leaf, max_bins, binning
        The trees; see `McRank.params`.

    Attributes
    ----------
    grades_ : array
        The classes.
    """

    label = "McRank"
    paper = "McRank (NIPS 2007)"
    section = "§3–4, Algorithm 1"
    summary = "Boosted trees learn how probable each grade is; documents are ranked by expected relevance."
    params = (
        Param("mode", "choice", "classification", choices=("classification", "ordinal"),
              help="Grades as classes of their own, or as thresholds that a document passes."),
        Param("expected", "choice", "relevance", choices=("relevance", "gain"),
              help="What a grade counts in the score: itself, or its gain 2ʳ − 1."),
        *tree_params(),
        Param("splits", "choice", "residual", choices=("residual", "newton"),
              help="Search splits on plain residuals (the paper), or weighted by p (1 - p)."),
        Param("start", "choice", "zero", choices=("zero", "prior"),
              help="Start with all grades equally probable (the paper), or as frequent as in training."),
        Param("classes", "choice", "together", choices=("together", "in turn"),
              when={"mode": ("classification",)},
              help="Probabilities anew once a round, or before each class's tree (Algorithm 1 as printed)."),
    )  # fmt: skip

    renamed = {"score": "expected"}  # `score` is a method of every estimator

    def predict_proba(self, X: Any, qid: Any = None, iteration: int | str | None = None) -> np.ndarray:
        """Return the probabilities of the grades (rows as in `predict` × `grades_`)."""
        values, _, given = self._inputs(X, qid)
        p = class_probabilities(self._outputs(values, self._iteration(iteration)), self.thresholds_)
        return given(p.T.copy())

    def lemma_1(self, data: RankingData, truncation: int | None = None) -> pd.DataFrame:
        """Return both sides of Lemma 1 on any data, round by round.

        Parameters
        ----------
        data : RankingData
            Graded documents.
        truncation : int, optional
            L: ranks beyond it count nothing on either side; None counts whole lists, as the history does.

        Returns
        -------
        DataFrame
            iteration, dcg_error and dcg_bound: means over queries, for the ranking by the most probable
            grade.
        """
        check_is_fitted(self)
        X, _, _ = self._inputs(data, None)
        places = np.searchsorted(self.grades_, data.y)
        known = self.grades_[np.minimum(places, len(self.grades_) - 1)] == data.y
        lemma = Lemma(data, self.grades_, np.where(known, places, -1), truncation)
        rows: list[dict[str, float]] = []
        for h in self.forest_.staged(X, self._initial(X)):
            guess = np.argmax(class_probabilities(h, self.thresholds_), axis=0)
            rows.append({"iteration": len(rows), **lemma.curves(guess)})
        return pd.DataFrame(rows)

    def _risk(self, data: RankingData, values: dict[str, Any]) -> GradeRisk:
        grades = np.unique(data.y)
        if len(grades) > MOST_GRADES:
            raise DataError(
                f"McRank makes a class of every grade, and there are {len(grades):,} distinct ones",
                f"take GBT, QBRank or MPBoost for continuous grades, or round them to at most {MOST_GRADES}",
            )
        in_turn = values["mode"] == "classification" and values["classes"] == "in turn"
        thresholds = len(grades) > 1 and (values["mode"] == "ordinal" or (len(grades) == 2 and not in_turn))
        worth = grades if values["expected"] == "relevance" else np.exp2(grades) - 1.0
        newton, prior = values["splits"] == "newton", values["start"] == "prior"
        return GradeRisk(data, grades, thresholds, worth, newton, prior, in_turn)

    def _finish(self, trainer: BoostingTrainer) -> None:
        super()._finish(trainer)
        self._set_grades(cast(GradeRisk, trainer.risk).grades)

    def _set_grades(self, grades: np.ndarray) -> None:
        self.grades_ = grades
        self.thresholds_ = self.n_outputs_ < len(grades)
        self._worth = grades if self.expected == "relevance" else np.exp2(grades) - 1.0

    def _ranking_scores(self, h: np.ndarray) -> np.ndarray:
        return expected_worth(h, self.thresholds_, self._worth)

    def _output_contributions(self, parts: np.ndarray, h: np.ndarray) -> np.ndarray:
        """Carry contributions to the outputs over to the score.

        The score is not a sum over outputs. Along the straight way from the base outputs to the document's
        own, output k moves the score by ∫ ∂S/∂F_k: its share goes to the features as they moved the output.
        """
        base = self._base_outputs()
        share = np.zeros_like(h)
        for node, weight in zip(0.5 + 0.5 * _NODES, 0.5 * _WEIGHTS, strict=True):
            p = class_probabilities(base[:, None] + node * (h - base[:, None]), self.thresholds_)
            if self.thresholds_:
                at_most = np.cumsum(p, axis=0)[:-1]
                share -= weight * 2.0 * at_most * (1.0 - at_most) * np.diff(self._worth)[:, None]
            else:
                share += weight * p * (self._worth[:, None] - dot(p.T, self._worth))
        out = np.einsum("kid,ki->id", parts, share)
        # What the quadrature leaves over (rounding, unless outputs are huge) goes where most is.
        rest = self._ranking_scores(h) - self._ranking_scores(base[:, None]) - out.sum(axis=1)
        size = np.abs(out)
        total = size.sum(axis=1)
        return out + size * np.divide(rest, total, out=np.zeros_like(rest), where=total > 0.0)[:, None]

    def _state(self) -> dict[str, Any]:
        return {**super()._state(), "grades": self.grades_}

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        grades = state.array("grades", np.float64, low=0.0, high=1_000.0)
        fits = len(grades) - self.n_outputs_ == 0 or (len(grades) - self.n_outputs_ == 1 < len(grades))
        if not fits or (np.diff(grades) <= 0.0).any() or len(grades) > MOST_GRADES:
            state.refuse("its grades do not fit its trees")
        self._set_grades(grades)
