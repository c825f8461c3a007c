"""`FarPairs`: the pairs of long queries with many grades, but for those within leaves.

A round costs documents × points, not documents × documents. What comes out is right to rounding: weights
within 1e-11 of themselves, sums of them to some 1e-15 (`skeletons` says how that is made sure of).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ... import stopping
from ...distances import FittedDistance
from ...distances.formulas import magnitude
from ...threads import share_out
from . import kernels
from .cells import Frame, Link, cut_query
from .kernels import LANES, Rows, Turns
from .skeletons import Skeleton, find_skeleton

# Documents of a query from which links pay.
LONG = {"binary": 400, "ldd": 2600, "logdd": 2600, "logitdd": 2000}
_MOST_BYTES = 512 << 20  # of weights and distances; what does not fit is weighed pair by pair
_PAYS = 0.75  # numbers of a query's rows, over its documents squared, up to which links pay
_PARTS, _THRESHOLD = 16, 20_000
_FARTHEST = 200.0  # the largest exponent d Δ: weights need no shift, and are far from overflow
_NARROW, _WIDER = 0.25, 1.5  # the first window, over the largest distance, and how windows grow


class FarPairs:
    """The pairs that links hold, of documents in a layout's order.

    Attributes
    ----------
    leaves : int64 array
        Where each run of documents starts whose own pairs are left to others, and their number at the end.
    total : float
        Σ of the weights exp(-d Δ) at the scores that were weighed last.
    """

    def __init__(self, y: np.ndarray, offsets: np.ndarray, laid: _Laid, power: int) -> None:
        self.leaves, self._window, self._offsets = laid.leaves, laid.window, offsets
        self._power, self._stop, self._n = power, stopping.cell(), len(y)
        self._links, self._spans = laid.links, np.cumsum([0, *laid.counts])
        self._rows = _lay_rows(y, laid)
        self._turns = _lay_turns(self._rows, self._n)
        self._weights = np.zeros_like(self._rows.distances)
        self._sums = np.zeros((len(self._links), 2, power + 3, self._rows.lengths.max()))
        sizes = np.diff(self._rows.firsts)
        lengths = self._rows.lengths[self._rows.kinds]
        cost = np.r_[0.0, np.cumsum(sizes * lengths * (lengths + 40.0))]
        targets = np.linspace(0.0, cost[-1], _PARTS + 1)
        self._row_limits = np.interp(targets, cost, self._rows.firsts).astype(np.int64)
        self._link_limits = np.unique(np.searchsorted(cost, targets))
        self._document_limits = np.linspace(0, self._n, _PARTS + 1).astype(np.int64)

    def holds(self, scores: np.ndarray) -> bool:
        """Whether these scores lie in the window that the skeletons are for."""
        return bool(_half_spreads(scores, self._offsets).max() <= self._window)

    def weigh(self, scores: np.ndarray) -> None:
        """Weigh all pairs at these scores."""
        low, high = (ends.reduceat(scores, self._offsets[:-1]) for ends in (np.minimum, np.maximum))
        own = scores - np.repeat(0.5 * (low + high), np.diff(self._offsets))
        self._share_out(kernels._fill_rows, self._row_limits, own, self._rows, self._stop, self._weights)
        stopping.look()
        self._sum(np.zeros(self._n, dtype=np.uint8))
        self.total = float((self._sums[:, 0, 0] * self._sums[:, 0, -1]).sum())

    def pull(self, out: np.ndarray) -> None:
        """Add to each document's pull, Σ ± w d."""
        held = (self._rows, self._turns, self._weights, self._sums)
        self._share_out(kernels._pull_documents, self._document_limits, *held, out)

    def split(self, above: np.ndarray, value: float, out: np.ndarray) -> tuple[float, float]:
        """Return N and D of a stump; add to each document the mass that its shrinking pairs lose at most."""
        self._sum(above)
        better, worse, mass = self._sums[:, :, 1], self._sums[:, :, -1], self._sums[:, :, self._power]
        N = (better[:, 1] * worse[:, 0] - better[:, 0] * worse[:, 1]).sum()
        D = (mass[:, 1] * worse[:, 0] + mass[:, 0] * worse[:, 1]).sum()
        held = (above, value, self._rows, self._turns, self._weights, self._sums)
        self._share_out(kernels._lose_documents, self._document_limits, *held, out)
        return float(N), float(D)

    def sweep(self, bins: np.ndarray, orders: np.ndarray, chosen: np.ndarray, out: np.ndarray) -> None:
        """Add the change of D at each bin of the chosen features; `orders` are documents in order of bins."""
        both = 0.5 * self._sums.sum(axis=1)
        whole = np.ascontiguousarray(np.stack([both[:, self._power], both[:, -1]], axis=1))
        held = (self._offsets, self._spans, self._rows, self._turns, self._weights, whole, self._power)
        limits = np.arange(len(chosen) + 1)
        self._share_out(kernels._sweep_features, limits, bins, orders, chosen, *held, self._stop, out)
        stopping.look()

    def _sum(self, above: np.ndarray) -> None:
        held = (above, self._rows, self._weights, self._sums)
        self._share_out(kernels._sum_links, self._link_limits, *held)

    def _share_out(self, kernel: Callable[..., None], limits: np.ndarray, *args: Any) -> None:
        share_out(kernel, limits, *args, cells=self._weights.size, threshold=_THRESHOLD)


class _Laid(NamedTuple):
    """What is worked out before there are rows."""

    links: list[Link]
    counts: list[int]  # of each query's links
    leaves: np.ndarray
    frame: Frame
    window: float
    skeletons: dict[tuple[int, int], Skeleton]
    distance: FittedDistance


def far_pairs(
    y: np.ndarray, offsets: np.ndarray, distance: FittedDistance, power: int, scores: np.ndarray
) -> FarPairs | None:
    """Return the pairs that links hold at these scores and near; None where it is none.

    Parameters
    ----------
    y, offsets : arrays
        Grades, the best of each query first, and where queries start.
    distance : FittedDistance
        A table's distances are not smooth: its pairs have no links.
    power : int
        Of the distance in a pair's mass.
    scores : array
        F of each document.
    """
    if np.diff(offsets).max(initial=0) < LONG.get(distance.name, np.inf):
        return None
    frame = Frame(float(y.min()), float(np.ptp(y)))
    largest = float(magnitude(distance.name, np.array(frame.width), distance.value))
    reach = _half_spreads(scores, offsets).max() * largest / _NARROW
    window = _NARROW / largest * _WIDER ** np.ceil(np.log(max(1.0, reach)) / np.log(_WIDER))
    if 2.0 * window * largest > _FARTHEST:
        return None
    laid = _lay(frame.places(y), offsets, frame, distance, window)
    return FarPairs(y, offsets, laid, power) if laid.links else None


def _lay(
    places: np.ndarray, offsets: np.ndarray, frame: Frame, distance: FittedDistance, window: float
) -> _Laid:
    """Cut every query that is long enough, as long as memory lasts."""
    known: dict[tuple[int, int], Skeleton | None] = {}
    find = partial(_find, known, frame, distance, window)
    links, counts, leaves, numbers = list[Link](), list[int](), list[int](), 0
    for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        stopping.look()
        cut = cut_query(places, start, stop, find) if stop - start >= LONG[distance.name] else None
        size = 0 if cut is None else sum(_count(link, known) for link in cut[0])
        if cut is None or 16 * (numbers + size) > _MOST_BYTES or size > _PAYS * (stop - start) ** 2:
            cut = [], [start]
        numbers += size if cut[0] else 0
        links += cut[0]
        counts.append(len(cut[0]))
        leaves += cut[1]
    used = {link.kind for link in links}
    skeletons = {kind: found for kind, found in known.items() if found is not None and kind in used}
    return _Laid(links, counts, np.array([*leaves, offsets[-1]]), frame, window, skeletons, distance)


def _find(
    known: dict[tuple[int, int], Skeleton | None],
    frame: Frame,
    distance: FittedDistance,
    window: float,
    level: int,
    apart: int,
) -> Skeleton | None:
    if (level, apart) not in known:
        stopping.look()
        known[level, apart] = find_skeleton(distance, frame.width_at(level), apart, window)
    return known[level, apart]


def _count(link: Link, skeletons: dict[tuple[int, int], Skeleton | None]) -> int:
    """Return how many numbers a link's rows have."""
    skeleton = skeletons[link.kind]
    n = link.better[1] - link.better[0] + link.worse[1] - link.worse[0]
    return 0 if skeleton is None else n * _length(skeleton)


def _length(skeleton: Skeleton) -> int:
    return -(-len(skeleton.better) // LANES) * LANES


def _lay_rows(y: np.ndarray, laid: _Laid) -> Rows:
    """Return the rows of all links, with the documents' distances to the points."""
    names = list(laid.skeletons)
    kinds = np.array([names.index(link.kind) for link in laid.links])
    better, worse = (np.array([link[side] for link in laid.links]) for side in (0, 1))
    held = list(laid.skeletons.values())
    sizes, lengths = np.array([len(one.better) for one in held]), np.array([_length(one) for one in held])
    most = int(sizes.max())
    ours, theirs = np.zeros((2, len(held), most))
    columns = np.zeros((len(held), most, most))
    for kind, (one, k) in enumerate(zip(held, sizes, strict=True)):
        ours[kind, :k], theirs[kind, :k] = one.better[:, 1], one.worse[:, 1]
        columns[kind, :k, :k] = one.columns
    n_better, n_worse = better[:, 1] - better[:, 0], worse[:, 1] - worse[:, 0]
    firsts = np.r_[0, np.cumsum(n_better + n_worse)]
    documents = np.concatenate([np.r_[slice(*a), slice(*b)] for a, b in zip(better, worse, strict=True)])
    order = np.argsort(documents, kind="stable")
    length = np.repeat(lengths[kinds], n_better + n_worse)
    bases = np.empty(len(order), dtype=np.int64)
    bases[order] = np.r_[0, np.cumsum(length[order])[:-1]]
    distances = np.zeros(int(length.sum()))
    for link, kind, first, last in zip(laid.links, kinds.tolist(), firsts[:-1], firsts[1:], strict=True):
        stopping.look()
        gaps = _measure(y, link, held[kind], laid)
        distances[bases[first:last, None] + np.arange(gaps.shape[1])] = gaps
    middles = np.array([one.middle for one in held])
    return Rows(
        better, worse, firsts, bases, kinds, sizes, lengths, ours, theirs, columns, middles, distances
    )


def _measure(y: np.ndarray, link: Link, skeleton: Skeleton, laid: _Laid) -> np.ndarray:
    """Return a link's distances: of its better documents to J, of its worse ones to I."""
    width = laid.frame.width_at(link.kind[0])
    upper, lower = (laid.frame.start(link.kind[0], place) for place in link.cells)
    points = upper + width * skeleton.better[:, 0], lower + width * skeleton.worse[:, 0]
    gaps = y[slice(*link.better), None] - points[1], points[0] - y[slice(*link.worse), None]
    return magnitude(laid.distance.name, np.maximum(np.concatenate(gaps), 1e-300), laid.distance.value)


def _lay_turns(rows: Rows, n: int) -> Turns:
    """Return the rows of each document, its links in order."""
    sides = np.stack([rows.better, rows.worse], axis=1).reshape(-1, 2)
    document = np.concatenate([np.arange(first, last) for first, last in sides])
    turn = np.repeat(np.arange(len(sides)), sides[:, 1] - sides[:, 0])
    order = np.argsort(document, kind="stable")
    return Turns(np.searchsorted(document[order], np.arange(n + 1)), turn[order], rows.bases[order])


def _half_spreads(scores: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return half of what the scores of each query differ by at most."""
    low, high = (ends.reduceat(scores, offsets[:-1]) for ends in (np.minimum, np.maximum))
    return 0.5 * (high - low)
