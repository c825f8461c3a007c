"""One round of a pairwise booster, laid open: every pair's weight, every candidate stump, the one it took.

For data small enough to look at: pairs and candidates are plain tables, worked out anew from the model's
stumps with the formulas of MPBoost (paper 000), RankBoost (Freund et al. 2003) and FRank (paper 003).
`round_details` says for each what its columns hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ...data import RankingData
from ...distances import PairGrades, fit_distance
from ...distances.losses import LOSSES
from ...errors import DataError, ParameterError
from ..binning.bins import binned
from .ranker import StumpRanker

MOST_CELLS = 4_000_000  # pairs × candidates: some 30 MB for each matrix
RANKBOOST_EPSILON = 1e-4  # of variant "z"
_CLIP = 1.0 - 1e-10  # of variant "r"


class _Pairs(NamedTuple):
    """Pairs with the better document first; of a tied pair (`wanted` ½) the one of the later row."""

    better: np.ndarray
    worse: np.ndarray
    query: np.ndarray
    distance: np.ndarray
    wanted: np.ndarray
    share: np.ndarray


@dataclass(frozen=True, eq=False)
class RoundDetails:
    """What one round saw and did.

    Attributes
    ----------
    iteration : int
        The round, from 1.
    pairs : DataFrame
        better, worse (rows of the data), query (its position), distance, wanted (P*), margin Δ and weight
        before the round, side (+1 the better document is above the stump taken and the worse one below, −1
        the other way round, 0 not separated) and weight_after.
    candidates : DataFrame
        feature, threshold, n, d, plus, minus (the sums of the formulas), value, gain (the larger the better),
        loss (the pair loss after the stump), chosen.
    scores_before, scores_after : arrays
        A score for each document.
    loss_before, loss_after, z : float
        The loss on these data and what the round multiplies it by.
    smoothing : float
        What was added to plus and minus before the logarithm; 0 where nothing is.
    """

    iteration: int
    pairs: pd.DataFrame
    candidates: pd.DataFrame
    scores_before: np.ndarray
    scores_after: np.ndarray
    loss_before: float
    loss_after: float
    z: float
    smoothing: float

    @property
    def chosen(self) -> pd.Series:
        """The stump that was taken."""
        return self.candidates[self.candidates["chosen"]].iloc[0]


def round_details(model: StumpRanker, data: RankingData, t: int) -> RoundDetails:
    """Return what round `t` of a model saw and did on the data that it was trained on.

    Weights, n, d and gain are: for MPBoost w ∝ e^(−d Δ), N = Σ s w d, D = Σ_{s≠0} w (Σ w d² with
    ``step="newton"``) and N²/D; for RankBoost the distribution, N = Σ s w, D = Σ_{s≠0} w and |N| or, as
    variant "z", 1 − Z; for FRank W of its Eq. 4, N = Σ s W, D = Σ_{s≠0} |W| and how far the exact loss falls.
    plus and minus are the two parts of N, what pulls the stump up and what pulls it down.

    Parameters
    ----------
    model : MPBoost, RankBoost or FRank
        A trained model.
    data : RankingData
        Its training data, at most a few hundred documents.
    t : int
        A round, from 1 to ``model.n_iter_``.
    """
    name = type(model).__name__
    if name not in ("MPBoost", "RankBoost", "FRank"):
        raise ParameterError(
            f"{name} does not boost stumps on pairs. Give an MPBoost, RankBoost or FRank model."
        )
    if not 1 <= t <= model.n_iter_:
        raise ParameterError(f"There is no round {t}. The model has rounds 1 to {model.n_iter_}.")
    pairs = _list_pairs(model, data, name)
    features, thresholds = _list_candidates(model, data)
    if len(pairs.better) * len(features) > MOST_CELLS:
        raise DataError(
            f"{len(pairs.better):,} pairs and {len(features):,} stumps are more than can be laid open",
            "give fewer documents",
        )
    columns = data.X[:, features].astype(np.float64).T
    above = columns > thresholds[:, None]
    sides = above[:, pairs.better].astype(np.int8) - above[:, pairs.worse]
    before, after = (_scores(model, data, rounds) for rounds in (t - 1, t))
    margin = before[pairs.better] - before[pairs.worse]
    weight, table, smoothing = _SEARCHES[name](model, pairs, margin, sides)
    chosen = (features == model.stump_features_[t - 1]) & (thresholds == model.stump_thresholds_[t - 1])
    if not chosen.any():
        raise DataError("the model's stump is none of these data's", "give the data it was trained on")
    candidates = pd.DataFrame({"feature": features, "threshold": thresholds, **table, "chosen": chosen})
    moved = after[pairs.better] - after[pairs.worse]
    loss_before, loss_after = (float(_loss(name, pairs, m)) for m in (margin, moved))
    later = _SEARCHES[name](model, pairs, moved, sides[:0])[0]
    frame = pd.DataFrame(
        {
            "better": pairs.better,
            "worse": pairs.worse,
            "query": pairs.query,
            "distance": pairs.distance,
            "wanted": pairs.wanted,
            "margin": margin,
            "weight": weight,
            "side": sides[chosen][0],
            "weight_after": later,
        }
    )
    z = loss_after / loss_before if loss_before > 0 else 1.0
    return RoundDetails(t, frame, candidates, before, after, loss_before, loss_after, z, smoothing)


def _list_pairs(model: Any, data: RankingData, name: str) -> _Pairs:
    tied = name == "FRank" and model.tied_pairs
    better, worse, query = [], [], []
    for q, (start, stop) in enumerate(zip(data.offsets[:-1], data.offsets[1:], strict=True)):
        gap = data.y[start:stop, None] - data.y[None, start:stop]
        ties = np.tril(gap == 0.0, -1) if tied else False
        i, j = np.nonzero((gap > 0.0) | ties)
        better.append(i + start)
        worse.append(j + start)
        query.append(np.full(len(i), q))
    i, j, of = (np.concatenate(part) for part in (better, worse, query))
    if name == "MPBoost":
        known = model.distance_
        given = {known.parameter: known.value} if known.parameter else {}
        fitted, _ = fit_distance(known.name, PairGrades(data.y, data.offsets), **given, table=model.ddf_table)
        distance = fitted.between(data.y[i], data.y[j])
    else:
        distance = np.ones(len(i))
    wanted = np.where(data.y[i] == data.y[j], 0.5, model.p_star if name == "FRank" else 1.0)
    counts = np.bincount(of, minlength=1)
    share = (
        1.0 / (counts[of] * np.count_nonzero(counts)) if name == "FRank" else np.full(len(i), 1.0 / len(i))
    )
    return _Pairs(i, j, of, distance, wanted, share)


def _list_candidates(model: Any, data: RankingData) -> tuple[np.ndarray, np.ndarray]:
    """Return every feature and threshold that training looked at."""
    found = binned(data, model.max_bins, model.binning)
    cuts = [
        np.asarray(t, dtype=np.float64)[: n - 1] for t, n in zip(found.thresholds, found.n_bins, strict=True)
    ]
    return np.repeat(np.arange(len(cuts)), [len(c) for c in cuts]), np.concatenate(cuts)


def _scores(model: StumpRanker, data: RankingData, rounds: int) -> np.ndarray:
    out = np.zeros(data.n_docs)
    for feature, threshold, value in zip(
        model.stump_features_[:rounds],
        model.stump_thresholds_[:rounds],
        model.stump_values_[:rounds],
        strict=True,
    ):
        out[data.X[:, feature].astype(np.float64) > threshold] += value
    return out


def _loss(name: str, pairs: _Pairs, margin: np.ndarray) -> np.ndarray:
    """Return the loss at margins; their last axis is the pairs."""
    if name != "FRank":
        return np.exp(-pairs.distance * margin) @ pairs.share
    return sum(
        LOSSES["fidelity"](margin[..., pairs.wanted == p], float(p)) @ pairs.share[pairs.wanted == p]
        for p in np.unique(pairs.wanted)
    )


def _normalised(exponent: np.ndarray) -> np.ndarray:
    weight = np.exp(exponent - exponent.max())
    return weight / weight.sum()


_Search = tuple[np.ndarray, dict[str, np.ndarray], float]


def _search_mpboost(model: Any, pairs: _Pairs, margin: np.ndarray, sides: np.ndarray) -> _Search:
    d = pairs.distance
    weight = _normalised(-d * margin)
    pull, mass = weight * d, weight * (d * d if model.step == "newton" else 1.0)
    n, total = sides @ pull, np.abs(sides) @ mass
    value = np.divide(n, total, out=np.zeros(len(n)), where=total > 0)
    table = {"n": n, "d": total, "plus": (sides > 0) @ pull, "minus": (sides < 0) @ pull, "value": value}
    table |= {"gain": n * value, "loss": _loss("MPBoost", pairs, margin + value[:, None] * sides)}
    return weight, table, 0.0


def _search_rankboost(model: Any, pairs: _Pairs, margin: np.ndarray, sides: np.ndarray) -> _Search:
    weight = _normalised(-margin)
    plus, minus = (sides > 0) @ weight, (sides < 0) @ weight
    n, total = plus - minus, plus + minus
    smoothing = RANKBOOST_EPSILON if model.variant == "z" else 0.0
    if model.variant == "z":
        value = 0.5 * np.log((plus + smoothing) / (minus + smoothing))
        gain = total - 2.0 * np.sqrt(plus * minus)
    else:
        kept = np.clip(n, -_CLIP, _CLIP)
        value, gain = 0.5 * np.log((1.0 + kept) / (1.0 - kept)), np.abs(n)
    loss = _loss("RankBoost", pairs, margin + value[:, None] * sides)
    return (
        weight,
        {"n": n, "d": total, "plus": plus, "minus": minus, "value": value, "gain": gain, "loss": loss},
        smoothing,
    )


def _search_frank(model: Any, pairs: _Pairs, margin: np.ndarray, sides: np.ndarray) -> _Search:
    fidelity = LOSSES["fidelity"]
    weight = np.empty(len(margin))
    for p in np.unique(pairs.wanted):
        of = pairs.wanted == p
        weight[of] = -2.0 * fidelity.slope(margin[of], float(p))
    weight *= pairs.share * np.count_nonzero(np.bincount(pairs.query))  # D_ij = 1 / #_q
    smoothing = model.smoothing * np.abs(weight).sum()
    signed = sides * weight
    plus, minus = np.maximum(signed, 0.0).sum(axis=1), np.maximum(-signed, 0.0).sum(axis=1)
    value = 0.5 * np.log((plus + smoothing) / (minus + smoothing))
    loss = _loss("FRank", pairs, margin + value[:, None] * sides)
    table = {"n": plus - minus, "d": plus + minus, "plus": plus, "minus": minus, "value": value}
    return weight, {**table, "gain": _loss("FRank", pairs, margin) - loss, "loss": loss}, float(smoothing)


_SEARCHES = {"MPBoost": _search_mpboost, "RankBoost": _search_rankboost, "FRank": _search_frank}
