"""`GrowingSpace`: what all trees of a training share, the binned features and the buffers."""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from ..binning.bins import Binned
from .packing import Packing, WholeWeights
from .splitting import Table

_HISTOGRAM_BYTES = 1 << 26  # more than this for the histograms of all leaves: they are not kept


class GrowingSpace:
    """The binned features and the buffers that the trees of one training share.

    With very many bins the histograms of all leaves would not fit: then every node's is made from its rows,
    feature by feature in a scratch of one feature for each thread. The sums are whole numbers: same trees.

    Weights that are whole numbers of some unit are given here: they are the same for all trees then, and a
    document has one number in histograms instead of two.

    Where a feature has a sign, splits on it whose sides' means do not follow that sign are passed over.

    Where histograms are kept and documents have no weights a tree may be handed on to the next (`moving`), as
    long as that `saves` anything.
    """

    def __init__(
        self,
        binned: Binned,
        n_leaves: int,
        weighted: bool,
        keep: bool | None = None,
        signs: np.ndarray | None = None,
        hands_on: bool | None = None,
        whole: WholeWeights | None = None,
    ) -> None:
        n_docs = binned.bins.shape[1]
        self.bins, self.n_bins, self.thresholds = binned.bins, binned.n_bins, binned.thresholds
        self.n_leaves, self.weighted, self.whole = n_leaves, weighted, whole
        width, slots, total = 1 + (weighted and whole is None), min(n_leaves, n_docs), int(self.n_bins.sum())
        self.features = np.flatnonzero(self.n_bins > 1)
        self.keeps = 8 * width * slots * total <= _HISTOGRAM_BYTES if keep is None else keep
        wanted = self.saves(slots) if hands_on is None else hands_on
        self.hands_on = self.keeps and not weighted and wanted
        self.before: HandedOn | None = None
        # Threads get runs of features with about equally many documents and bins to go through.
        n_chunks = max(1, min(len(self.features), numba.get_num_threads()))
        work = np.cumsum(np.r_[0, n_docs + self.n_bins[self.features]])
        self.limits = np.searchsorted(work, np.linspace(0, work[-1], n_chunks + 1)).astype(np.int64)
        self.limits[-1] = len(self.features)
        if self.keeps:
            self.starts = np.r_[0, np.cumsum(self.n_bins)[:-1]].astype(np.int64)
            self.histograms = np.empty((slots, total, width), np.int64)
        else:
            self.starts = np.zeros(len(self.n_bins), np.int64)
            self.histograms = np.empty((n_chunks, int(self.n_bins.max()), width), np.int64)
        self.signs = np.zeros(len(self.n_bins), np.int64) if signs is None else signs
        held = (self.bins, self.n_bins, binned.crowded, self.starts, self.signs)
        self.table = Table(self.limits, self.features, *held)
        self.packed = np.empty((n_docs, width), np.int64)
        self.gathered = np.empty((n_docs // 2 + 1 if self.keeps else n_docs, width), np.int64)
        self.rows = np.empty(n_docs, np.uint32)
        self.spare = np.empty(n_docs, np.uint32)
        self.gains = np.zeros((2, len(self.n_bins)))
        self.best = np.full((2, len(self.n_bins)), -1)

    def saves(self, n: int) -> bool:
        """Whether to add up so many histograms is clearly less work than to fill one from all documents."""
        cells = self.bins.shape[1] * len(self.features)
        return self.keeps and 2 * n * int(self.n_bins.sum()) <= cells


@dataclass(slots=True)
class Leaf:
    """A node that may still be split: a slice of the rows, and its best split."""

    node: int
    start: int
    stop: int
    slot: int  # its histogram
    gain: float = 0.0
    feature: int = -1
    split_bin: int = -1


@dataclass(frozen=True)
class HandedOn:
    """A grown tree as the next one wants it."""

    leaves: list[Leaf]
    packing: Packing
    steps: np.ndarray  # by how many quanta each leaf's pulls fall
