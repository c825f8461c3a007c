"""Binning: each feature cut into a few intervals, so that a search looks at bins and not at values.

A feature with at most `max_bins` distinct values has one bin for each: the search over it is exact. Otherwise
McRank's Appendix I (paper 004): bins of one common length laid only where there are data, from the smallest
value up, with the smallest length of at least 1e-8 that needs no more than `max_bins` bins. A bin that starts
at value s holds the values x with x - s <= length (closed, so that a smallest length exists).
``binning="quantile"`` cuts at equal shares of the documents instead.

A threshold is always an observed training value, the largest one of its bin: x is above it exactly when its
bin is, for values never seen before as well. -0.0 and 0.0 are one value.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import njit

from ... import stopping
from ...data import OrderedData, RankingData
from ...data.keeping.content import version_of
from ...data.set.ranking_data import as_features
from ...data.set.remembering import Memo, remembered
from ...errors import DataError
from ...params import Param
from ...threads import may_run_parallel, share_out
from .lookup import assign_bins

SMALLEST_LENGTH = 1e-8
_CELLS = 200_000  # a millisecond of sorting: from here on threads bring more than they cost
_KEPT = 2  # binnings kept on a data set
_RUNS, _RUN = 8, 33  # of documents side by side that are looked at
_OFTEN = 0.1  # the share of neighbours in one bin that does harm
_MANY = 4_096  # documents for which more tables than one are worth their adding up
_Memo = Memo  # as pickles of data sets from before call it

PARAMS = (
    Param("max_bins", "int", 256, 2, 65_536, 1, log=True,
          help="Into how many bins a feature is cut at most; fewer distinct values make the search exact."),
    Param("binning", "choice", "length", choices=("length", "quantile"),
          help="Bins of equal length where there are data, or of equal numbers of documents."),
)  # fmt: skip


@njit(nogil=True, cache=True)
def _lay_bins(values, length, limit, out):
    """Lay bins over distinct values: how many (limit + 1 if more), the largest width, the next one.

    Writes the largest value of each bin.
    """
    n_bins, widest, wider = 0, 0.0, np.inf
    i = 0
    while i < values.size:
        n_bins += 1
        if n_bins > limit:
            return n_bins, widest, wider
        start = values[i]
        # The last value within `length` of the start, by bisection between i and the end.
        low, high = i, values.size
        while high - low > 1:
            middle = (low + high) // 2
            if values[middle] - start <= length:
                low = middle
            else:
                high = middle
        out[n_bins - 1] = values[low]
        if values[low] - start > widest:
            widest = values[low] - start
        if high < values.size and values[high] - start < wider:
            wider = values[high] - start
        i = high
    return n_bins, widest, wider


@njit(nogil=True, cache=True)
def _find_length(values, limit, smallest, out):
    """Return the smallest length of at least `smallest` that needs at most `limit` bins; `out` takes them."""
    n_bins, _, low = _lay_bins(values, smallest, limit, out)
    if n_bins <= limit:
        return smallest
    high = values[-1] - values[0]
    # Every length between the last refused one and `low` is refused too; `high` is always enough.
    while low < high:
        middle = low + 0.5 * (high - low)
        if middle >= high:
            middle = low
        n_bins, widest, wider = _lay_bins(values, middle, limit, out)
        if n_bins <= limit:
            if middle == low:
                return low
            high = max(widest, low)
        else:
            low = max(low, wider)
    return high


@dataclass(frozen=True, eq=False)
class Binned:
    """A binned feature matrix.

    Attributes
    ----------
    bins : uint8 or uint16 array (n_features, n_docs)
        The bin of each value; uint8 when no feature has more than 256 bins.
    n_bins : int64 array (n_features,)
        How many bins each feature has.
    thresholds : list of float64 arrays
        For each feature the largest observed value of each bin but the last:
        ``x > thresholds[k][b]`` exactly when the bin of x is above b.
    """

    bins: np.ndarray
    n_bins: np.ndarray
    thresholds: list[np.ndarray]

    @cached_property
    def crowded(self) -> np.ndarray:
        """Which features often have neighbours in one bin: a sum by bin waits for the one before it there.

        Most real features do, of which many documents have the same value.
        """
        n = self.bins.shape[1]
        if self.bins.dtype != np.uint8 or n < _MANY:
            return np.zeros(len(self.bins), dtype=bool)
        starts = np.linspace(0, n - _RUN, _RUNS).astype(np.int64)  # few pages of bins that are mapped
        runs = [self.bins[:, start : start + _RUN] for start in starts.tolist()]
        return np.mean([run[:, 1:] == run[:, :-1] for run in runs], axis=(0, 2)) > _OFTEN

    def transform(self, X: Any) -> np.ndarray:
        """Return the bins of other data, of shape (n_features, n)."""
        if isinstance(X, OrderedData):
            return self.transform(X.source).take(X.rows, axis=1)
        values = X.X if isinstance(X, RankingData) else as_features(X)
        if values.shape[1] != len(self.n_bins):
            raise DataError(
                f"the data have {values.shape[1]} features and the binning has {len(self.n_bins)}",
                "give the same features in the same order",
            )
        return assign_bins(values, self.thresholds, self.bins.dtype)


def bin_features(X: Any, max_bins: int = 256, binning: str = "length") -> Binned:
    """Cut every feature into at most `max_bins` bins.

    Parameters
    ----------
    X : matrix (n_docs, n_features)
        Finite numbers.
    max_bins : int
        From 2 to 65,536.
    binning : {"length", "quantile"}
        Bins of one common length laid where there are data, or of equal shares of the documents.
    """
    max_bins, binning = PARAMS[0].check(max_bins), PARAMS[1].check(binning)
    values = as_features(X)
    if len(values) == 0:
        raise DataError("there is no document to bin", "give at least one document")
    thresholds = _cut_all(values, max_bins, binning)
    n_bins = np.array([len(t) + 1 for t in thresholds], dtype=np.int64)
    dtype = np.uint8 if n_bins.max(initial=1) <= 256 else np.uint16
    bins = assign_bins(values, thresholds, dtype)
    return Binned(_frozen(bins), n_bins, thresholds)


def binned(data: RankingData, max_bins: int = 256, binning: str = "length") -> Binned:
    """Return the binned features of a data set, kept on it so that repeated trainings share them."""
    key = (int(max_bins), binning)

    def make() -> Binned:
        return _in_order(data, *key) if isinstance(data, OrderedData) else _kept_or_made(data, *key)

    return remembered(data, "_binned", key, make, _KEPT)


def _in_order(data: OrderedData, max_bins: int, binning: str) -> Binned:
    """Return the bins of the set whose rows these are, in this order."""
    whole = binned(data.source, max_bins, binning)
    bins = np.empty((len(whole.bins), len(data.rows)), whole.bins.dtype)
    args, features = (whole.bins, data.rows, bins), range(len(bins) + 1)
    share_out(_take_documents, features, *args, cells=bins.size, threshold=_CELLS)
    return Binned(_frozen(bins), whole.n_bins, whole.thresholds)


def _take_documents(first: int, last: int, bins: np.ndarray, rows: np.ndarray, out: np.ndarray) -> None:
    """Write some features' bins in another order of documents; numpy lets the interpreter go meanwhile."""
    bins[first:last].take(rows, axis=1, out=out[first:last], mode="clip")


def _kept_or_made(data: RankingData, max_bins: int, binning: str) -> Binned:
    """Return the binning that is kept beside a large file's data, or make it and keep it."""
    if data.kept is None:
        return bin_features(data.X, max_bins, binning)
    name = f"bins-{max_bins}-{binning}-{version_of(Path(__file__).parent)}"
    held = data.kept.read(name)
    if held is not None:
        bins, n_bins, cuts = (held[1].get(part) for part in ("bins", "n_bins", "thresholds"))
        if bins is not None and n_bins is not None and cuts is not None and _fits(data, bins, n_bins, cuts):
            return Binned(bins, n_bins, np.split(cuts, np.cumsum(n_bins - 1)[:-1]))
        data.kept.drop(name, "its arrays do not fit together")
    made = bin_features(data.X, max_bins, binning)
    arrays = {"bins": made.bins, "n_bins": made.n_bins, "thresholds": np.concatenate(made.thresholds)}
    data.kept.write(name, {}, arrays)
    return made


def _fits(data: RankingData, bins: np.ndarray, n_bins: np.ndarray, cuts: np.ndarray) -> bool:
    """Whether kept arrays lead no kernel beyond another."""
    return bool(
        bins.shape == data.X.T.shape
        and bins.dtype in (np.uint8, np.uint16)
        and n_bins.shape == bins.shape[:1]
        and (n_bins > 0).all()
        and cuts.dtype == np.float64
        and len(cuts) == (n_bins - 1).sum()
        and (bins.max(axis=1) < n_bins).all()
    )


def _frozen(bins: np.ndarray) -> np.ndarray:
    bins.flags.writeable = False
    return bins


def _cut_all(values: np.ndarray, max_bins: int, binning: str) -> list[np.ndarray]:
    """Return the thresholds of all features: sorting and kernels let the interpreter go, so side by side."""
    thresholds = []
    with may_run_parallel(values.size, _CELLS) as parallel:
        pool = ThreadPoolExecutor(numba.get_num_threads()) if parallel else None
        try:
            cut = partial(_cut, max_bins=max_bins, binning=binning)
            for one in map(cut, values.T) if pool is None else pool.map(cut, values.T):
                stopping.look()
                thresholds.append(one)
        finally:
            if pool is not None:
                pool.shutdown(cancel_futures=True)
    return thresholds


def _cut(column: np.ndarray, max_bins: int, binning: str) -> np.ndarray:
    """Return the thresholds of one feature."""
    ordered = np.sort(column)
    differs = np.empty(len(ordered), bool)
    differs[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=differs[1:])
    distinct = ordered[differs].astype(np.float64) + 0.0  # -0.0 becomes 0.0
    if len(distinct) <= max_bins:
        return distinct[:-1].copy()
    if binning == "quantile":
        ends = (np.arange(1, max_bins) * len(ordered) + max_bins - 1) // max_bins - 1
        cuts = np.unique(ordered[ends].astype(np.float64) + 0.0)
        return cuts[cuts < distinct[-1]]
    tops = np.empty(max_bins)
    length = _find_length(distinct, max_bins, SMALLEST_LENGTH, tops)
    n_bins, _, _ = _lay_bins(distinct, length, max_bins, tops)
    return tops[: n_bins - 1].copy()


__all__ = ["PARAMS", "Binned", "bin_features", "binned"]
