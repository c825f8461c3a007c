"""FeatureMix: a weighted sum of a few features: BM25, BM25 + PageRank (baselines in paper 003), or any other.

    score = Σ_k w_k · (x_k − low_k) / (high_k − low_k),   low and high the training range

`weights` names the features: ``"BM25"``, ``"BM25=0.8, PageRank=0.2"`` (paper 003's mix), or a mapping.
Without it the mix is tuned, on the first evaluation set where there is one ("tuned on validation") and on
the training data otherwise: of BM25 and PageRank, where the data have features of those names, α·BM25 + (1
− α)·PageRank with the best α of 0, 0.05, … 1; otherwise the best single feature, to which up to four
others of the ten best are added one by one, each with the weight (of either sign) that helps most, as long
as one helps. What is tuned is NDCG@10, as the measures define it; the loss in the history is 1 − NDCG@10.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...data import RankingData
from ...engines.linear.matrix import Matrix
from ...engines.linear.ranker import LinearModel
from ...errors import ParameterError
from ...measures import measure
from ...params import Param

_MEASURE = measure("ndcg@10")
_SHORTLIST, _MOST = 10, 5
_STEPS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5)
_GAIN = 1e-6  # less is not worth a feature


class FeatureMix(LinearModel):
    """A weighted sum of a few features.

    Parameters
    ----------
    weights : str or mapping, optional
        Features and their weights, as ``"BM25=0.8, PageRank=0.2"`` or ``{"BM25": 0.8, "PageRank": 0.2}``;
        a name alone weighs 1. None tunes the mix.

    Attributes
    ----------
    weights_ : array
        The weight of each feature, scaled to [0, 1] by its training range.
    """

    label = "Feature mix"
    family = "no learning"
    paper = "FRank (SIGIR 2007)"
    section = "§4.2, §4.4 (baselines)"
    summary = "A weighted sum of a few features: BM25, BM25 + PageRank, or a mix tuned on validation data."
    params = (
        Param("weights", "text", None, optional=True, none_label="tuned on validation",
              help="Features and weights, such as BM25=0.8, PageRank=0.2; a name alone weighs 1."),
    )  # fmt: skip
    origin = "low"

    def _start(self, data: RankingData, values: dict[str, Any]) -> _Trainer:
        return _Trainer(data, values["weights"])


class _Follower:
    """Scores of a data set."""

    def __init__(self, trainer: _Trainer, data: RankingData) -> None:
        self._trainer, self.matrix = trainer, Matrix(data.X)
        self.measured = _MEASURE.bind(data.y, data.offsets)
        self.scores = np.zeros(data.n_docs)

    def advance(self) -> None:
        """Take on the weights."""
        trainer = self._trainer
        self.scores[:] = self.matrix.scores(trainer.low, trainer.weights * trainer.scale)

    def values(self) -> dict[str, float]:
        """Return 1 − NDCG@10."""
        return {"loss": 1.0 - self.measured.mean(self.scores)}


class _Trainer(_Follower):
    """One training; the training data follow it like any other set."""

    def __init__(self, data: RankingData, weights: str | Mapping[str, float] | None) -> None:
        super().__init__(self, data)
        self.names = data.feature_names
        self._given = None if weights is None else _parse(weights, self.names)
        self.low, high = data.X.min(axis=0).astype(np.float64), data.X.max(axis=0).astype(np.float64)
        self.scale = np.divide(1.0, high - self.low, out=np.zeros_like(self.low), where=high > self.low)
        self.weights = np.zeros(data.n_features)
        self._tuned_on: _Follower = self

    def follow(self, data: RankingData) -> _Follower:
        follower = _Follower(self, data)
        if self._tuned_on is self:
            self._tuned_on = follower
        return follower

    def step(self) -> bool:
        weights = self._tune() if self._given is None else self._given
        for k, weight in weights.items():
            self.weights[k] = weight
        self.advance()
        return True

    def _tune(self) -> dict[int, float]:
        lower = [name.lower() for name in self.names]
        if "bm25" in lower and "pagerank" in lower:
            text, rank = (lower.index(name) for name in ("bm25", "pagerank"))
            shares = np.linspace(0, 1, 21)
            values = [self._value(a * self._column(text) + (1 - a) * self._column(rank)) for a in shares]
            share = float(shares[int(np.argmax(values))])
            return {text: share, rank: 1.0 - share}
        changing = [int(k) for k in np.flatnonzero(self.scale > 0)]
        singles = {(k, sign): self._value(sign * self._column(k)) for k in changing for sign in (1.0, -1.0)}
        if not singles:
            return {}
        by_value = sorted(singles, key=lambda single: -singles[single])  # stable: the lowest feature first
        shortlist = list(dict.fromkeys(k for k, _ in by_value))[:_SHORTLIST]
        first, sign = by_value[0]
        weights, scores, value = {first: sign}, sign * self._column(first), singles[by_value[0]]
        while len(weights) < min(_MOST, len(shortlist)):
            tries = {
                (k, step): self._value(scores + step * self._column(k))
                for k in shortlist
                if k not in weights
                for size in _STEPS
                for step in (size, -size)
            }
            k, step = max(tries, key=lambda one: tries[one])
            if tries[k, step] <= value + _GAIN:
                break
            weights[k], value = step, tries[k, step]
            scores = scores + step * self._column(k)
        return weights

    def _column(self, k: int) -> np.ndarray:
        """Return a scaled feature of the data on which the mix is tuned."""
        return (self._tuned_on.matrix.X[:, k].astype(np.float64) - self.low[k]) * self.scale[k]

    def _value(self, scores: np.ndarray) -> float:
        return self._tuned_on.measured.mean(scores)


def _parse(weights: str | Mapping[str, float], names: tuple[str, ...]) -> dict[int, float]:
    """Return the weights by the features' positions, or say which feature there is not."""
    places = {name.lower(): k for k, name in enumerate(names)}
    if isinstance(weights, str):
        whole = weights.strip().lower() in places  # a name may hold a comma
        parts = [weights] if whole else weights.split(";" if ";" in weights else ",")
        given: Mapping[str, Any] = dict(_parse_part(part, places) for part in parts if part.strip())
    elif isinstance(weights, Mapping):
        given = weights
    else:
        given = {}
    found = {}
    for name, weight in given.items():
        if str(name).strip().lower() not in places:
            some = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
            raise ParameterError(f"FeatureMix: the data have no feature {name!r}. They have {some}.")
        try:
            found[places[str(name).strip().lower()]] = float(weight)
        except (TypeError, ValueError):
            found[-1] = math.nan
    if not found or not all(math.isfinite(weight) for weight in found.values()):
        raise ParameterError(
            f"FeatureMix: weights = {weights!r} cannot be used. Write names and numbers, such as "
            "BM25=0.8, PageRank=0.2."
        )
    return found


def _parse_part(part: str, places: Mapping[str, int]) -> tuple[str, str]:
    """Split one NAME=WEIGHT; a name alone weighs 1."""
    name, equals, weight = part.rpartition("=")
    if not equals or part.strip().lower() in places:
        return part.strip(), "1"
    return name.strip(), weight.strip()
