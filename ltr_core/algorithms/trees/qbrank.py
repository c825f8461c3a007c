"""QBRank: boosted trees on preferences and labels together (paper 002, §3, Algorithm 2).

    R(h) = (w/2) Σ_P max(0, h_j - h_i + τ_ij)² + ((1-w)/2) Σ_labelled (grade - h)²

τ is the grade difference or a number. In a round each document stands once for every pair it is in (pull
± max(0, …), 0 where the pair is satisfied) with weight w, and once as labelled data with weight 1 - w; the
rows of a document are merged into their weighted mean with their total weight. Then h ← h + η s g, with s the
exact minimum of R along the tree g. It starts from h = 0, as the paper's; `start="mean"` starts from the mean
of the labelled grades, and then w = 0 is GBT with ``target="grade"``.

Decisions: the paper's REMARK has a document's rows averaged for "each distinct x_i", and does not say what
the average weighs: here as much as its rows together, which is the fit of Step 1 itself; a weight of 1 for
each document would be another fit. The paper gives leaves and η, neither `min_leaf` nor a number of bins:
ours are 5 and 256. A document in no pair and without a label has no weight, but counts for `min_leaf`. The
loss of the history is R divided by the number of documents.
"""

from __future__ import annotations

import math
import numbers
from typing import Any, Self

import numpy as np

from ...data import RankingData
from ...engines.boosting import Risk, TreeRanker, tree_params
from ...engines.boosting.line_search import only_minimum, smallest_minimum
from ...engines.boosting.preferences import Labels, Preferences, in_one_grade
from ...errors import DataError
from ...params import Param


class MarginParam(Param):
    """The margin of a pair: "grade", or a number."""

    def check(self, value: Any, owner: str = "") -> Any:
        """Return "grade" or a float from 0 to 10^6."""
        if isinstance(value, numbers.Real) and not isinstance(value, bool):
            number = float(value)
            if math.isfinite(number) and 0.0 <= number <= 1e6:
                return number
        return super().check(value, owner)

    def expected(self) -> str:
        """Say in words which values are allowed."""
        return "'grade' or a number from 0 to 1e+06"


class PreferenceRisk(Risk):
    """QBRank's risk."""

    renews_curvature = False

    def __init__(
        self,
        data: RankingData,
        weight: float,
        margin: str | float,
        labelled: str,
        line_search: bool,
        start: str,
    ) -> None:
        super().__init__(data)
        self._given = (weight, margin, labelled, line_search, start)
        self._line_search, self._from_mean = line_search, start == "mean"
        self._labelled = np.ones(data.n_docs, bool) if labelled == "all" else in_one_grade(data)
        labels = Labels(data.y, (1.0 - weight) * self._labelled)
        self._preferences = Preferences(data, margin, weight, labels)
        self.bound = weight * self._preferences.n_pairs_of + labels.weight
        # Equal weights are no weights: the search for splits then sums one number a document, not two.
        self._unit = self.bound[0] if self.bound[0] > 0.0 and not np.ptp(self.bound) else None
        self.curvature = None if self._unit else self.bound[None]
        self.pull_falls = weight == 0.0
        self._last_step = 1.0

    def require_rows(self) -> None:
        """Refuse data without anything to learn from."""
        if self.bound.any():
            return
        raise DataError(
            "QBRank has neither a pair nor a labelled document to learn from",
            "give queries whose documents differ in grade, take preference_weight below 1 "
            'so that labels count, or labelled="all" so that every document has one',
        )

    def start(self) -> np.ndarray:
        """Return 0, or the mean of the labelled grades."""
        some = self._from_mean and self._labelled.any()
        return np.array([self.data.y[self._labelled].mean() if some else 0.0])

    def evaluate(self, h: np.ndarray) -> dict[str, float]:
        """Set the pulls; return the risk divided by the number of documents."""
        twice = self._preferences.pull(h[0], self.pull[0])
        if self._unit:
            self.pull[0] /= self._unit
        return {"loss": 0.5 * twice / self.data.n_docs}

    def step_length(self, h: np.ndarray, direction: np.ndarray) -> float:
        """Return the s of least risk along a direction."""
        if not self._line_search:
            return 1.0
        bends = self._preferences.bends(h, direction)
        if bends.label_bend > 0.0:  # one tree's step is near the last one's: three looks instead of 3.8
            self._last_step = only_minimum(bends, self._last_step)
            return self._last_step
        return smallest_minimum(bends)

    def on(self, data: RankingData) -> Self:
        """Return it on another data set."""
        return type(self)(data, *self._given)


class QBRank(TreeRanker):
    """Boosted trees on preference pairs and labelled documents.

    Parameters
    ----------
    preference_weight : float
        w: 1 learns from preferences only, 0 from labels only.
    margin : "grade" or float
        By how much a preferred document should lead: the grade difference, or a number for all pairs.
    labelled : {"all", "single"}
        Which documents give labels: all, or those of queries whose documents share one grade.
    line_search : bool
        Whether each tree is scaled to the least risk (before shrinkage).
    start : {"zero", "mean"}
        The score to start from: 0, or the mean of the labelled grades.
    learning_rate, n_trees, n_leaves, min_leaf, max_bins, binning
        The trees; see `QBRank.params`.
    """

    label = "QBRank"
    paper = "General boosting (NIPS 2007)"
    section = "§3, Algorithm 2"
    summary = "Regression trees boosted on a squared hinge over preference pairs and squared error on labels."
    params = (
        Param("preference_weight", "float", 0.5, 0.0, 1.0, 0.1,
              help="How much preferences count beside labels: 0 is labels only, 1 is preferences only."),
        MarginParam("margin", "choice", "grade", choices=("grade", 1.0),
                    help="By how much a preferred document should lead: the grade difference, or a number."),
        Param("labelled", "choice", "all", choices=("all", "single"),
              help="Which documents count as labelled: all, or those of queries with a single grade."),
        Param("line_search", "bool", True, help="Scale each tree to the least risk before it is shrunk."),
        Param("start", "choice", "zero", choices=("zero", "mean"),
              help="Start from 0, or from the mean of the labelled grades."),
        *tree_params(n_leaves=20, learning_rate=0.05),
    )  # fmt: skip
    by_place = "preference_weight margin labelled line_search learning_rate n_trees n_leaves min_leaf"
    by_place += " max_bins binning"

    def _risk(self, data: RankingData, values: dict[str, Any]) -> PreferenceRisk:
        names = ("preference_weight", "margin", "labelled", "line_search", "start")
        risk = PreferenceRisk(data, *(values[name] for name in names))
        risk.require_rows()
        return risk
