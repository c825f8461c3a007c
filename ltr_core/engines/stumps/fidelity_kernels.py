"""FRank's pairs, weighed query by query: their exact loss, and what its search must know of every candidate.

With v = e^(-Δ/2), a product of two document factors, σ(Δ) = r² and 1 - σ(Δ) = (v r)² for r = 1 / √(1 + v²),
so that (paper 003, Eq. 2)

    F = 1 - √(P* σ) - √((1 - P*)(1 - σ)) = ½ ((√P* - r)² + (√(1 - P*) - v r)²),

no exponential for a pair, and nothing cancels where the loss is near 0. A stump multiplies the factors of
the documents above it. Factors are taken from the middle of the query's scores: nothing overflows up to |Δ|
= 704. r comes from a guess made of the number's bits by Newton's steps, to the last bit but one: the
processor does four at a time in a third of what a root and a division take.

For a stump worth α, with s the side of a pair and F', F'', F''' the slopes of its loss at the margin before,

    gain(α) = Σ_{s≠0} D (F(Δ) - F(Δ + s α)) = ½ N α - ½ C α² - ⅙ T α³ - remainder,
    N = Σ s W,  C = Σ_{s≠0} D F'',  T = Σ s D F''',  |remainder| <= α⁴/24 · max|F''''| · Σ_{s≠0} D.

N and T are sums over documents. S = Σ_{s≠0} |W| and C are sums over pairs: for these a query's pairs are put
into two small matrices that stay in the processor's cache while the query's documents pass, feature after
feature, from above the threshold to below it. `side[j]` holds half of what j has above less what it
has below; passing document p changes it by p's row. In queries too long for that each pair is added at the
bins of its two documents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit, prange

_LANES = 8
_WIDEST = 176.0  # of an exponent; v² stays below e^704
_GUESS = 0x5FE6EB50C7B537A9  # less half a number, bit by bit, is about one over its root


class PairLoss(NamedTuple):
    """What a pair costs."""

    p_star: float  # its wanted probability
    tied: bool  # whether pairs of equal grades count, with a wanted probability of ½
    shares: np.ndarray  # D_ij by query, divided by the number of queries
    stop: np.ndarray  # other than 0 when there is to be an end: looked at document by document


class Added(NamedTuple):
    """A stump added: the documents above it, and its value."""

    above: np.ndarray
    value: float


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


@njit(nogil=True, cache=True)
def _fill_factors(F, start, stop, above, value, out_a, out_b):
    """Write e^(F/2) and e^(-F/2) of a query's documents with a stump added, F counted from the middle."""
    low, high = np.inf, -np.inf
    for i in range(start, stop):
        x = F[i] + value * above[i]
        low, high = min(low, x), max(high, x)
    middle = 0.5 * (low + high)
    for i in range(start, stop):
        x = max(-_WIDEST, min(_WIDEST, 0.5 * (F[i] + value * above[i] - middle)))
        out_a[i - start] = np.exp(x)
        out_b[i - start] = np.exp(-x)


@njit(nogil=True, cache=True)
def _sum_rectangle(b, first, last, a, start, stop, p_star, work, told, out):
    """Sum the loss of all pairs of documents first … last over documents start … stop, unless `told` to end.

    Sums are kept apart by the second document: with a single one each pair would wait for the one before.
    """
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    square, square_bits, root, root_bits = work
    begin, end = np.uint64(start), np.uint64(stop)  # signed, an index could count from the end
    for j in range(begin, end):
        out[j] = 0.0
    for i in range(first, last):
        if told[0]:
            break
        x = b[i]
        for j in range(begin, end):
            v = x * a[j]
            square[j] = 1.0 + v * v
        for j in range(begin, end):
            root_bits[j] = _GUESS - (square_bits[j] >> 1)
        for j in range(begin, end):
            half, r = 0.5 * square[j], root[j]
            r *= 1.5 - half * r * r
            r *= 1.5 - half * r * r
            r *= 1.5 - half * r * r
            r *= 1.5 - half * r * r
            up, down = root_p - r, root_q - x * a[j] * r
            out[j] += up * up + down * down
    total = 0.0
    for j in range(begin, end):
        total += out[j]
    return 0.5 * total


@njit(nogil=True, cache=True)
def _sum_block(F, stump, borders, first, last, loss):
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    longest = 0
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    a, b, sums = np.empty(longest), np.empty(longest), np.empty(longest)
    square, root = np.empty(longest), np.empty(longest)
    work = (square, square.view(np.int64), root, root.view(np.int64))
    total = 0.0
    for q in range(first, last):
        start = offsets[q]
        _fill_factors(F, start, offsets[q + 1], stump.above, stump.value, a, b)
        m = offsets[q + 1] - start
        total_q = 0.0
        for s in range(segments[q], segments[q + 1]):
            i, j = starts[s] - start, starts[s + 1] - start
            total_q += _sum_rectangle(b, i, j, a, j, m, loss.p_star, work, loss.stop, sums)
            if loss.tied:  # both orders of a pair cost the same, and a document beside itself costs nothing
                total_q += 0.5 * _sum_rectangle(b, i, j, a, i, j, 0.5, work, loss.stop, sums)
        total += loss.shares[q] * total_q
    return total


@njit(nogil=True, cache=True)
def _sum_blocks(F, stump, borders, blocks, loss, out):
    for z in range(blocks.size - 1):
        out[z] = _sum_block(F, stump, borders, blocks[z], blocks[z + 1], loss)


@njit(parallel=True, nogil=True, cache=True)
def _sum_blocks_parallel(F, stump, borders, blocks, loss, out):
    for z in prange(blocks.size - 1):
        out[z] = _sum_block(F, stump, borders, blocks[z], blocks[z + 1], loss)


@njit(nogil=True, cache=True)
def _find_slopes(v, n, p_star, share, square, square_bits, root, root_bits, out_w, out_c, out_t):
    """Write the share's W (twice the negative slope), F'' and F''' of n pairs with v = e^(-Δ/2).

    One loop for each result, over unsigned positions, or the compiler would do them one by one.
    """
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    for j in range(n):
        square[j] = 1.0 + v[j] * v[j]
    for j in range(n):
        root_bits[j] = _GUESS - (square_bits[j] >> 1)
    for j in range(n):
        half, r = 0.5 * square[j], root[j]
        r *= 1.5 - half * r * r
        r *= 1.5 - half * r * r
        r *= 1.5 - half * r * r
        r *= 1.5 - half * r * r
        root[j] = r
    for j in range(n):
        r, u = root[j], v[j] * root[j]  # r² is σ and u² is 1 - σ
        out_w[j] = share * (root_p * r * (u * u) - root_q * u * (r * r))
    for j in range(n):
        r, u = root[j], v[j] * root[j]
        up, down = r * r, u * u
        out_c[j] = (
            -0.25 * share * (root_p * r * down * (1.0 - 3.0 * up) + root_q * u * up * (1.0 - 3.0 * down))
        )
    for j in range(n):
        r, u = root[j], v[j] * root[j]
        up, down = r * r, u * u
        g, h = (6.0 - 7.5 * up) * up - 0.5, (6.0 - 7.5 * down) * down - 0.5
        out_t[j] = 0.25 * share * (root_p * r * down * g - root_q * u * up * h)


@njit(nogil=True, cache=True)
def _multiply(x, y, first, last, place, out):
    """Write x · y[first … last] from a place on."""
    shift = np.uint64(place) - np.uint64(first)
    for j in range(np.uint64(first), np.uint64(last)):
        out[j + shift] = x * y[j]


@njit(nogil=True, cache=True)
def _put_row(i, first, n, slopes, sums, keeps, rows):
    """Take in document i's pairs with n documents from `first` on: sums of documents, rows of matrices."""
    w, c, t = slopes
    pull, mass, curve, third = 0.0, 0.0, 0.0, 0.0
    for k in range(np.uint64(n)):
        pull += w[k]
        mass += abs(w[k])
        curve += c[k]
        third += t[k]
    for k in range(np.uint64(n)):
        j = np.uint64(first) + k
        sums[0, j] -= w[k]
        sums[1, j] += abs(w[k])
        sums[2, j] += c[k]
        sums[3, j] -= t[k]
    for k, total in enumerate((pull, mass, curve, third)):
        sums[k, i] += total
    if keeps:
        for k in range(np.uint64(n)):
            j = np.uint64(first) + k
            rows[0, i, j] = rows[0, j, i] = abs(w[k])
            rows[1, i, j] = rows[1, j, i] = c[k]


@njit(nogil=True, cache=True)
def _put_lost(i, first, n, slopes, before, out_lost):
    """Add to both documents what each of the pairs has lost of |W| and of F'' since the last round."""
    w, c, _ = slopes
    w_before, c_before, _ = before
    mass, curve = 0.0, 0.0
    for k in range(np.uint64(n)):
        j = np.uint64(first) + k
        less = max(0.0, abs(w_before[k]) - abs(w[k]))
        flatter = max(0.0, c_before[k] - c[k])
        mass += less
        curve += flatter
        out_lost[0, j] += less
        out_lost[1, j] += flatter
    out_lost[0, i] += mass
    out_lost[1, i] += curve


@njit(nogil=True, cache=True)
def _add_row(i, first, n, w, c, bins, out):
    """Add document i's pairs with the n documents from `first` on at the bins of both."""
    mine = bins[i]
    mass, curve = 0.0, 0.0
    for k in range(n):
        other = bins[first + k]
        side = np.float64(other > mine) - np.float64(other < mine)
        out[other, 1] -= side * abs(w[k])
        out[other, 2] -= side * c[k]
        mass += side * abs(w[k])
        curve += side * c[k]
    out[mine, 1] += mass
    out[mine, 2] += curve


@njit(nogil=True, cache=True)
def _pass_query(bins, order, start, m, rows, sums, side, out):
    """Let a query's documents pass below one feature's threshold; add the changes of S and C by bin."""
    width = np.uint64(rows.shape[2])
    mass, curve = side[0], side[1]
    for j in range(np.uint64(m)):
        mass[j], curve[j] = 0.5 * sums[1, j], 0.5 * sums[2, j]
    for p in range(np.uint64(start), np.uint64(start + m)):
        i = np.uint64(order[p])
        change = out[bins[np.uint64(start) + i]]
        change[1] += 2.0 * mass[i]
        change[2] += 2.0 * curve[i]
        own_mass, own_curve = rows[0, i], rows[1, i]
        for j in range(width):
            mass[j] -= own_mass[j]
        for j in range(width):
            curve[j] -= own_curve[j]


@njit(nogil=True, cache=True)
def _sweep_block(F, stump, bins, orders, borders, first, last, loss, most, out, out_docs, out_total):
    """Write the changes of N, S, C and T at each bin of each feature, and Σ |W| over all pairs.

    Without features only documents are summed: their W and F''', and what their pairs have lost of |W| and
    F'' through the last stump.
    """
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    above = stump.above
    n_features, longest, widest = bins.shape[0], 1, 1
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
        for s in range(segments[q], segments[q + 1]):  # together: all pairs of a segment with what is worse
            n = starts[s + 1] - starts[s]
            widest = max(widest, n * (offsets[q + 1] - starts[s + 1]), n * n)
    if longest > most:
        widest = longest
    padded = (longest + _LANES - 1) // _LANES * _LANES
    matrices = np.empty(2 * min(padded, most) * padded if n_features else 0)
    factors, sums, sides = np.empty((4, padded)), np.empty((4, padded)), np.zeros((2, padded))
    work = np.empty((9, widest))
    v, square, root = work[0], work[1], work[2]
    bits = square.view(np.int64), root.view(np.int64)
    slopes, before = (work[3], work[4], work[5]), (work[6], work[7], work[8])
    out[:] = 0.0
    out_total[0] = 0.0
    for q in range(first, last):
        start = offsets[q]
        m = offsets[q + 1] - start
        width = (m + _LANES - 1) // _LANES * _LANES
        keeps = n_features > 0 and m <= most
        rows = matrices[: 2 * m * width if keeps else 0].reshape((2, m if keeps else 0, width))
        rows[:] = 0.0
        sums[:] = 0.0
        lost = out_docs[2:, start : start + m]
        lost[:] = 0.0
        _fill_factors(F, start, start + m, above, 0.0, factors[0], factors[1])
        if n_features == 0:
            _fill_factors(F, start, start + m, above, -stump.value, factors[2], factors[3])
        for s in range(segments[q], segments[q + 1]):
            i0, i1 = starts[s] - start, starts[s + 1] - start
            for kind in range(2 if loss.tied else 1):  # worse documents, and later ones of the same grade
                p = 0.5 if kind else loss.p_star
                together = i1 - i0 if m <= most else 1
                for i in range(i0, i1, together):
                    if loss.stop[0]:
                        return
                    for time in range(1 if n_features else 2):
                        a, b = factors[2 * time], factors[2 * time + 1]
                        n = 0
                        for k in range(i, i + together):
                            j0, j1 = (k + 1, i1) if kind else (i1, m)
                            _multiply(b[k], a, j0, j1, n, v)
                            n += j1 - j0
                        w, c, t = before if time else slopes
                        _find_slopes(
                            v, np.uint64(n), p, loss.shares[q], square, bits[0], root, bits[1], w, c, t
                        )
                    n = 0
                    for k in range(i, i + together):
                        j0, j1 = (k + 1, i1) if kind else (i1, m)
                        mine = slopes[0][n:], slopes[1][n:], slopes[2][n:]
                        _put_row(k, j0, j1 - j0, mine, sums, keeps, rows)
                        if n_features == 0:
                            old = before[0][n:], before[1][n:], before[2][n:]
                            _put_lost(k, j0, j1 - j0, mine, old, lost)
                        elif not keeps:
                            for f in range(n_features):
                                _add_row(k, j0, j1 - j0, mine[0], mine[1], bins[f, start:], out[f])
                        n += j1 - j0
        out_docs[0, start : start + m], out_docs[1, start : start + m] = sums[0, :m], sums[3, :m]
        out_total[0] += 0.5 * sums[1, :m].sum()
        for f in range(n_features):
            for i in range(np.uint64(m)):
                change = out[f, bins[f, np.uint64(start) + i]]
                change[0] -= sums[0, i]
                change[3] -= sums[3, i]
            if keeps:
                _pass_query(bins[f], orders[f], start, m, rows, sums, sides, out[f])


@njit(nogil=True, cache=True)
def _sweep_blocks(F, stump, bins, orders, borders, blocks, loss, most, out, out_docs, out_total):
    for z in range(blocks.size - 1):
        first, last = blocks[z], blocks[z + 1]
        _sweep_block(F, stump, bins, orders, borders, first, last, loss, most, out[z], out_docs, out_total[z])


@njit(parallel=True, nogil=True, cache=True)
def _sweep_blocks_parallel(F, stump, bins, orders, borders, blocks, loss, most, out, out_docs, out_total):
    for z in prange(blocks.size - 1):
        first, last = blocks[z], blocks[z + 1]
        _sweep_block(F, stump, bins, orders, borders, first, last, loss, most, out[z], out_docs, out_total[z])
