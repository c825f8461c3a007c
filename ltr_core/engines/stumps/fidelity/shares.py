"""The share of all pairs that each candidate of FRank separates."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def _share_feature(bins, borders, tied, shares, counts, out):
    """Write the share of all pairs, Σ D, that each of one feature's thresholds separates.

    Of a query's pairs of documents those above the threshold and below it, less, segment by segment, those of
    one grade.
    """
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    out[:] = 0.0
    for q in range(offsets.size - 1):
        for s in range(segments[q] - 1, segments[q + 1]):
            whole = s < segments[q]
            if tied and not whole:
                break
            start, stop = (offsets[q], offsets[q + 1]) if whole else (starts[s], starts[s + 1])
            if stop - start < 2:
                continue
            share = shares[q] if whole else -shares[q]
            counts[:] = 0
            least, most = counts.size, 0
            for i in range(start, stop):
                b = np.int64(bins[i])
                counts[b] += 1
                least, most = min(least, b), max(most, b)
            below, total = 0, stop - start
            for b in range(least, most):
                below += counts[b]
                out[b] += share * below * (total - below)


@njit(nogil=True, cache=True)
def _share_features(bins, borders, tied, shares, widths, starts, out):
    for k in range(bins.shape[0]):
        counts = np.empty(widths[k], dtype=np.int64)
        _share_feature(bins[k], borders, tied, shares, counts, out[starts[k] : starts[k + 1]])
