"""Pair weights exp(-d Δ) in product form, for data with few grades.

The weight of a pair whose grades are a > b is a product of two document factors,

    w_ij = e^(-d_ab F_i) · e^(+d_ab F_j),

so a document needs one factor for each other grade, and sums over pairs are sums over documents times grades.
`E[i, c]` is document i's factor towards the c-th of the other grades. A round multiplies the factors of
documents above the threshold by constants: exponentials are taken only when factors are renewed from the
scores. Renewed factors are measured from the highest score of the worse grade in the query and from the
largest weight of all, exp(shift), so that none exceeds 1, whatever the scores.

`others` of the kernels of steps and sweeps is a tuple with an entry for each other grade: its length is known
when they are compiled, which unrolls the innermost loops (0.38 against 0.46 ms for a sweep of 100,000
documents). Four other grades, which most sets of graded data have, are written out besides: what is read
first and written last, side by side, is one instruction (0.22 against 0.29 ms for a sweep, 0.39 against 0.76
for a step).
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def _find_peaks(F, borders, d, out_low, out_high):
    """Write each segment's lowest and highest score; return the largest exponent -d Δ."""
    offsets, starts, segments, codes = borders.offsets, borders.starts, borders.segments, borders.codes
    largest = -np.inf
    for q in range(offsets.size - 1):
        for s in range(segments[q], segments[q + 1]):
            low, high = np.inf, -np.inf
            for i in range(starts[s], starts[s + 1]):
                low, high = min(low, F[i]), max(high, F[i])
            out_low[s], out_high[s] = low, high
            for t in range(segments[q], s):  # better grades come first
                largest = max(largest, -d[codes[t], codes[s]] * (out_low[t] - high))
    return largest


@njit(nogil=True, cache=True)
def _renew_blocks(first, last, F, borders, d, blocks, shift, low, high, out_E, out_T, out):
    """Write factors and their sums by segment, and Σ of the weights of each block.

    Where a segment's scores are one, as at the start, so are its factors.
    """
    starts, segments, codes = borders.starts, borders.segments, borders.codes
    for z in range(first, last):
        weights = 0.0
        for q in range(blocks[z], blocks[z + 1]):
            for s in range(segments[q], segments[q + 1]):
                a = codes[s]
                for t in range(segments[q], segments[q + 1]):
                    b = codes[t]
                    if t == s:
                        continue
                    c = b if b < a else b - 1
                    total, e = 0.0, 0.0
                    for i in range(starts[s], starts[s + 1]):
                        if i > starts[s] and low[s] == high[s]:
                            pass
                        elif t > s:
                            e = np.exp(-d[a, b] * (F[i] - high[t]) - shift)
                        else:
                            e = np.exp(-d[a, b] * (high[s] - F[i]))
                        out_E[i, c] = e
                        total += e
                    out_T[s, c] = total
                for t in range(segments[q], s):  # better grades
                    weights += out_T[t, a] * out_T[s, codes[t] - 1]
        out[z] = weights
