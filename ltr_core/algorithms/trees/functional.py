"""FunctionalBoosting: the general boosting method with a risk of one's own (paper 002, §2, Algorithm 1).

Each round fits a regression tree to the targets -slope/W with weights W, W a diagonal upper bound of the
risk's Hessian, and goes learning rate × s along it; s minimises the risk along the tree, or is 1 without line
search. GBT in ten lines:

    def squared(scores, y):
        difference = scores - y
        value = 0.5 * np.mean(difference**2)
        slope = difference / len(y)
        bound = np.full(len(y), 1 / len(y))
        return value, slope, bound

    model = ltr.FunctionalBoosting(risk=squared, start="mean").fit(train)
    same = ltr.GBT(target="grade").fit(train)

Theorem 1 speaks of steps of a fixed normalised size: with `fixed_step` s every tree g is scaled so that √(g·W
g) is s², taken as it is if that does not raise the risk, and ends training if it does. With W = n times the
bound here, the theorem's M is 1 and its ‖g‖_{W,X} this root; it wants a W that bounds the Hessian everywhere,
as those of "squared" and "huber" do, and trees that fit their targets to √(2ε) <= s²/2, which nothing
enforces. `theorem_1` gives both sides of it.

Decisions: the value goes into the history as "loss" as it is returned. Where slope and bound are both 0 a
document counts for `min_leaf` only. A risk cannot go into a model file: a loaded model predicts, but asks for
its risk before it trains again.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any, Self

import numpy as np
import pandas as pd

from ...data import RankingData
from ...engines.boosting import Risk, TreeRanker, tree_params
from ...engines.boosting.line_search import smallest_minimum
from ...engines.boosting.trainer import BoostingTrainer
from ...errors import DataError, ParameterError
from ...params import Param
from ...sums import dot

Returned = tuple[float, Any, Any]
CUSTOM = "custom"  # what a model file says of a risk that is a function
_OFFERED = ("data", "X", "y", "qid", "offsets")


def squared(scores: np.ndarray, y: np.ndarray) -> Returned:
    """Half the mean squared difference from the grades."""
    difference = scores - y
    n = len(y)
    return 0.5 * float(np.mean(difference**2)), difference / n, 1.0 / n


def huber(scores: np.ndarray, y: np.ndarray) -> Returned:
    """Squared to a difference of 1, straight beyond: single grades that do not fit weigh less."""
    difference = scores - y
    size, n = np.abs(difference), len(y)
    value = np.where(size <= 1.0, 0.5 * size**2, size - 0.5)
    return float(value.mean()), np.clip(difference, -1.0, 1.0) / n, 1.0 / n


def softmax(scores: np.ndarray, y: np.ndarray, offsets: np.ndarray) -> Returned:
    """Cross entropy of softmax(grades) and softmax(scores), a mean over queries; diag(p) bounds it."""
    log_p, wanted = _log_softmax(scores, offsets), np.exp(_log_softmax(y, offsets))
    p, n_queries = np.exp(log_p), len(offsets) - 1
    return -dot(wanted, log_p) / n_queries, (p - wanted) / n_queries, np.maximum(p, 1e-12) / n_queries


RISKS: dict[str, Callable[..., Returned]] = {"squared": squared, "huber": huber, "softmax": softmax}


def _log_softmax(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    sizes = np.diff(offsets)
    shifted = values - np.repeat(np.maximum.reduceat(values, offsets[:-1]), sizes)
    return shifted - np.repeat(np.log(np.add.reduceat(np.exp(shifted), offsets[:-1])), sizes)


class RiskParam(Param):
    """A risk: one by name, or a function."""

    def check(self, value: Any, owner: str = "") -> Any:
        """Return the name or the function."""
        return value if callable(value) or value == CUSTOM else super().check(value, owner)

    def expected(self) -> str:
        """Say in words which values are allowed."""
        return super().expected() + ", or a function (scores, y) -> (value, slope, bound)"


class FunctionalRisk(Risk):
    """A user's risk, asked and checked."""

    def __init__(
        self,
        data: RankingData,
        risk: Callable[..., Returned],
        line_search: bool,
        start: str,
        fixed_step: float | None,
    ) -> None:
        super().__init__(data)
        self._given = (risk, line_search, start, fixed_step)
        self._risk, self._line_search, self._from_mean = risk, line_search, start == "mean"
        self._fixed_step, self.pull_falls = fixed_step, risk is squared
        self._named = _arguments(risk, data)

    def start(self) -> np.ndarray:
        """Return 0, or the mean grade."""
        return np.array([self.data.y.mean() if self._from_mean else 0.0])

    def evaluate(self, h: np.ndarray) -> dict[str, float]:
        """Set pull and curvature; return the value."""
        value, slope, bound = self._ask(h[0])
        if not np.ptp(bound) and bound[0] > 0.0:
            # Equal weights are no weights: the search for splits then sums one number a document, not two.
            self.pull[0] = -slope / bound[0]
            self.curvature = None
        else:
            self.pull[0] = -slope
            self.curvature = bound[None]
        return {"loss": value}

    def curves(self, h: np.ndarray) -> dict[str, float]:
        """Return the value."""
        return {"loss": self._ask(h[0])[0]}

    def step_length(self, h: np.ndarray, direction: np.ndarray) -> float:
        """Return the s of least risk along a direction, or the one of the fixed step, 0 if that raises it."""
        if self._fixed_step is not None:
            value, _, bound = self._ask(h)
            size = normalised(direction, bound)
            length = self._fixed_step**2 / size if size > 0.0 else 0.0
            return length if self._ask(h + length * direction)[0] <= value else 0.0
        if not self._line_search:
            return 1.0
        return smallest_minimum(lambda s: (dot(self._ask(h + s * direction)[1], direction), None))

    def on(self, data: RankingData) -> Self:
        """Return it on another data set."""
        return type(self)(data, *self._given)

    def _ask(self, scores: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Call the risk and check what it returns."""
        try:
            value, slope, bound = self._risk(scores.copy(), **self._named)
        except (TypeError, ValueError) as error:
            if isinstance(error, (DataError, ParameterError)):
                raise
            raise ParameterError(
                f"The risk cannot be used ({error}). It is called with the scores and returns "
                "(value, slope, bound): a number, an array with an entry for each document, and another one."
            ) from error
        n = len(scores)
        value, slope = float(value), np.asarray(slope, dtype=np.float64)
        bound = np.broadcast_to(np.asarray(bound, dtype=np.float64), (n,)) if np.ndim(bound) < 2 else bound
        if slope.shape != (n,) or np.shape(bound) != (n,):
            raise ParameterError(
                f"The risk returns a slope of shape {slope.shape} and a bound of shape {np.shape(bound)} for "
                f"{n} documents. Return one number for each document."
            )
        if not (np.isfinite(value) and np.isfinite(slope).all() and np.isfinite(bound).all()):
            raise ParameterError("The risk returns a number that is not finite. Check it at large scores.")
        if (bound < 0.0).any() or ((bound == 0.0) & (slope != 0.0)).any():
            raise ParameterError(
                "The risk's bound is not positive where its slope is not 0. Return an upper bound of the "
                "second derivative, such as 1 for half the squared difference."
            )
        return value, slope, bound


def normalised(g: np.ndarray, bound: np.ndarray) -> float:
    """Return √(g·W g), the size of a step in the risk's own measure."""
    return float(np.sqrt(dot(bound, g**2)))


def _arguments(risk: Callable[..., Returned], data: RankingData) -> dict[str, Any]:
    """Return what a risk asks for by name beside the scores."""
    try:
        names = list(inspect.signature(risk).parameters.values())[1:]
    except (TypeError, ValueError):
        return {"data": data}
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    asked = [p for p in names if p.kind not in kinds and (p.name in _OFFERED or p.default is p.empty)]
    unknown = [p.name for p in asked if p.name not in _OFFERED]
    if unknown:
        raise ParameterError(
            f"The risk asks for {unknown[0]!r}. Its first argument is the scores; by name it may ask for "
            + ", ".join(_OFFERED)
            + "."
        )
    return {p.name: data if p.name == "data" else getattr(data, p.name) for p in asked}


class FunctionalBoosting(TreeRanker):
    """Boosted trees on any risk that can say its value, its slope and a bound of its curvature.

    Parameters
    ----------
    risk : {"squared", "huber", "softmax"} or callable
        Called as ``risk(scores, …)``; of data, X, y, qid and offsets it gets those that it names. Returns the
        value, the slope for each document, and the bound W: one number, or one for each document.
    line_search : bool
        Whether each tree is scaled to the least risk (before shrinkage).
    start : {"zero", "mean"}
        The score to start from: 0, or the mean grade.
    n_trees, n_leaves, learning_rate, min_leaf, max_bins, binning
        The trees; see `FunctionalBoosting.params`.
    fixed_step : float, optional
        Theorem 1's s: every tree gets the normalised size s², in place of line search and learning rate.
    """

    label = "General boosting"
    paper = "General boosting (NIPS 2007)"
    section = "§2, Algorithm 1"
    summary = "Regression trees boosted on any risk, through a quadratic upper bound of it."
    params = (
        RiskParam("risk", "choice", "squared", choices=tuple(RISKS),
                  help="What is minimised; in Python also a function of your own."),
        Param("line_search", "bool", True, help="Scale each tree to the least risk before it is shrunk."),
        Param("start", "choice", "zero", choices=("zero", "mean"),
              help="Start from 0, or from the mean grade."),
        *tree_params(),
        Param("fixed_step", "float", None, 1e-6, 10.0, log=True, optional=True, none_label="off",
              help="Theorem 1's s: each tree has the normalised size s², whatever line search and rate say."),
    )  # fmt: skip

    def theorem_1(self, data: RankingData, target: FunctionalBoosting) -> pd.DataFrame:
        """Return both sides of Theorem 1 after each round of a training with `fixed_step`.

        Parameters
        ----------
        data : RankingData
            The training data of both models.
        target : FunctionalBoosting
            A model of the same risk, such as a long training with line search: the theorem's h̄.

        Returns
        -------
        DataFrame
            iteration; risk, R(h_k); bound, the theorem's right side at trees that fit to √(2ε) <= s²/2;
            limit, the constant that it falls to, R(h̄) + 2s √((R(0) - R(h̄)) ‖h̄‖) + s⁴, NaN in rounds before
            it holds. `attrs` has target, R(h̄), and norm, ‖h̄‖: at most the sum of its trees' sizes, which is
            taken.
        """
        if self.fixed_step is None:
            raise ParameterError("Theorem 1 is about fixed steps. Train with fixed_step, such as 0.3.")
        if self.start != "zero" or target.start != "zero":
            raise ParameterError('Theorem 1 starts at h = 0. Train with start="zero".')
        risk, step = self._risk(data, self.checked_params()), self.fixed_step
        stages = [scores.copy() for scores in target._staged(data.X, None)]
        bound = risk._ask(np.zeros(data.n_docs))[2]
        norm = sum(normalised(after - before, bound) for before, after in itertools.pairwise(stages))
        wanted, risks = risk._ask(stages[-1])[0], [risk._ask(h)[0] for h in self._staged(data.X, None)]
        gap = max(0.0, risks[0] - wanted)
        k = np.arange(1.0, len(risks))  # a_j = (j + 1) s², and each step adds at most s⁴ to b
        length = norm + k * step**2
        best = [(k[:t] * length[:t] / length[t - 1] + t - k[:t]).min() for t in range(1, len(risks))]
        sides = wanted + norm / length * gap + step**4 * np.array(best)
        limit = wanted + 2.0 * step * np.sqrt(gap * norm) + step**4
        out = pd.DataFrame({"iteration": np.arange(len(risks)), "risk": risks})
        out["bound"] = np.r_[np.nan, sides]
        out["limit"] = np.where(out["iteration"] > np.sqrt(norm * gap) / step**3, limit, np.nan)
        out.attrs = {"target": wanted, "norm": norm}
        return out

    def _start(self, data: RankingData, values: dict[str, Any]) -> BoostingTrainer:
        if values["fixed_step"] is not None:
            values["learning_rate"] = 1.0
        return super()._start(data, values)

    def _risk(self, data: RankingData, values: dict[str, Any]) -> FunctionalRisk:
        risk = values["risk"]
        if risk == CUSTOM:
            raise ParameterError(
                "This model was read from a file, and its risk is a function that no file holds. "
                "Give it with set_params(risk=…) before training again."
            )
        risk = risk if callable(risk) else RISKS[risk]
        return FunctionalRisk(data, risk, values["line_search"], values["start"], values["fixed_step"])

    def _file_params(self) -> dict[str, Any]:
        return {**super()._file_params(), "risk": CUSTOM if callable(self.risk) else self.risk}
