"""One round of a pairwise booster, laid open: every pair's weight, every candidate stump, the one it took.

For data small enough to look at: pairs and candidates are plain tables, worked out anew from the model's
stumps with the formulas that its algorithm supplies. `round_details` says for each what its columns hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...data import RankingData
from ...errors import DataError, ParameterError
from ..binning.bins import binned
from .ranker import StumpRanker

MOST_CELLS = 4_000_000  # pairs × candidates: some 30 MB for each matrix


class Pairs(NamedTuple):
    """Pairs with the better document first; of a tied pair (`wanted` ½) the one of the later row."""

    better: np.ndarray
    worse: np.ndarray
    query: np.ndarray
    distance: np.ndarray
    wanted: np.ndarray
    share: np.ndarray


class Candidates(NamedTuple):
    """The sums of an algorithm's formulas for each candidate stump, and what follows from them."""

    n: np.ndarray
    d: np.ndarray
    plus: np.ndarray
    minus: np.ndarray
    value: np.ndarray
    gain: np.ndarray | None = None  # None where it is how far the loss falls
    smoothing: float = 0.0


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
        feature, threshold, n, d, plus, minus (the sums of the formulas), value (as it would be added), gain
        (of the value before shrinkage, the larger the better), loss (the pair loss after the stump), chosen.
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
    model : StumpRanker
        A trained model.
    data : RankingData
        Its training data, at most a few hundred documents.
    t : int
        A round, from 1 to ``model.n_iter_``.
    """
    if not isinstance(model, StumpRanker):
        name, family = type(model).__name__, StumpRanker.family
        raise ParameterError(f"{name} does not boost stumps on pairs. Give a model of the family “{family}”.")
    if not 1 <= t <= model.n_iter_:
        raise ParameterError(f"There is no round {t}. The model has rounds 1 to {model.n_iter_}.")
    pairs = model._list_pairs(data)
    features, thresholds = _list_candidates(model, data)
    if len(pairs.better) * len(features) > MOST_CELLS:
        raise DataError(
            f"{len(pairs.better):,} pairs and {len(features):,} stumps are more than can be laid open",
            "give fewer documents",
        )
    chosen = (features == model.stump_features_[t - 1]) & (thresholds == model.stump_thresholds_[t - 1])
    if not chosen.any():
        raise DataError("the model's stump is none of these data's", "give the data it was trained on")
    above = thresholds[:, None] < data.X[:, features].astype(np.float64).T
    sides = above[:, pairs.better].astype(np.int8) - above[:, pairs.worse]
    before, after = (_scores(model, data, rounds) for rounds in (t - 1, t))
    margin, moved = (scores[pairs.better] - scores[pairs.worse] for scores in (before, after))
    weight, weight_after = (model._weigh_pairs(pairs, m) for m in (margin, moved))
    *columns, gain, smoothing = model._judge(pairs, weight, sides)
    table = dict(zip(Candidates._fields, columns, strict=False))
    loss_before, loss_after = (float(model._pair_loss(pairs, m)) for m in (margin, moved))
    loss = model._pair_loss(pairs, margin + table["value"][:, None] * sides)
    table["gain"] = loss_before - loss if gain is None else gain
    if model.shrinkage != 1.0:
        table["value"] = model.shrinkage * table["value"]
        loss = model._pair_loss(pairs, margin + table["value"][:, None] * sides)
    table |= {"loss": loss, "chosen": chosen}
    frame = pd.DataFrame({name: getattr(pairs, name) for name in Pairs._fields[:-1]})
    frame = frame.assign(margin=margin, weight=weight, side=sides[chosen][0], weight_after=weight_after)
    candidates = pd.DataFrame({"feature": features, "threshold": thresholds, **table})
    z = loss_after / loss_before if loss_before > 0 else 1.0
    return RoundDetails(t, frame, candidates, before, after, loss_before, loss_after, z, smoothing)


def list_pairs(data: RankingData, tied: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the better and the worse row of each pair, and its query."""
    better, worse, query = [], [], []
    for q, (start, stop) in enumerate(zip(data.offsets[:-1], data.offsets[1:], strict=True)):
        gap = data.y[start:stop, None] - data.y[None, start:stop]
        i, j = np.nonzero((gap > 0.0) | (np.tril(gap == 0.0, -1) & tied))
        better.append(i + start)
        worse.append(j + start)
        query.append(np.full(len(i), q))
    return np.concatenate(better), np.concatenate(worse), np.concatenate(query)


def _list_candidates(model: StumpRanker, data: RankingData) -> tuple[np.ndarray, np.ndarray]:
    """Return every feature and threshold that training looked at."""
    binning = binned(data, model.max_bins, model.binning)
    cuts = [np.asarray(t, np.float64) for t in binning.thresholds]
    return np.repeat(np.arange(len(cuts)), [len(c) for c in cuts]), np.concatenate(cuts)


def _scores(model: StumpRanker, data: RankingData, rounds: int) -> np.ndarray:
    out = np.zeros(data.n_docs)
    stumps = zip(model.stump_features_, model.stump_thresholds_, model.stump_values_, strict=True)
    for _, (feature, threshold, value) in zip(range(rounds), stumps, strict=False):
        out[data.X[:, feature].astype(np.float64) > threshold] += value
    return out
