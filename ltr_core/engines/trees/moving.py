"""Going on from the tree before: pulls that have fallen by their leaf's value, and the root's histogram.

With squared loss and documents of one weight a tree takes its leaf's value off each document's pull. So what
the next root's histogram is follows from what the leaves keep, pull and count of each bin, and no document is
looked at:

    root(next) = Σ over leaves (pulls - value · counts)

In whole numbers: a leaf's value is rounded to a quantum once, the packed pulls of its documents and its
histogram fall by the same, and sums stay exactly what a pass over the documents would find. 40 µs of a core
for ten leaves of 50 features with 255 bins, where the pass over 100,000 documents takes 1.2 ms.

What is rounded adds up: after m trees a packed pull is off by (m + 1) / 2 quanta at most. `Packing.bears`
says how long that is nothing.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...threads import share_out
from .splitting import Table

_PARALLEL_FROM = 200_000  # bins of all leaves


@njit(nogil=True, cache=True)
def _join_leaves(first, last, table, slots, steps, shift, out):
    """For some runs of features add up the leaves' histograms, their steps taken off, in the first one."""
    mask, root = (1 << shift) - 1, out[0].ravel()
    for k in table.features[table.limits[first] : table.limits[last]]:
        start, stop = table.starts[k], table.starts[k] + table.n_bins[k]
        into, step = root[start:stop], steps[0] << shift
        for b in range(into.shape[0]):
            into[b] -= step * (into[b] & mask)
        for j in range(1, slots.shape[0]):
            own, step = out[slots[j]].ravel()[start:stop], steps[j] << shift
            for b in range(into.shape[0]):
                into[b] += own[b] - step * (own[b] & mask)


def join_leaves(table: Table, slots: np.ndarray, steps: np.ndarray, shift: int, out: np.ndarray) -> None:
    """Put the root's histogram after the steps into the first of the leaves' histograms."""
    first = np.argsort(slots)  # what is in the first place is written over
    args = (table, slots[first], steps[first], shift, out)
    cells = len(slots) * out.shape[1]
    share_out(_join_leaves, range(len(table.limits)), *args, cells=cells, threshold=_PARALLEL_FROM)
