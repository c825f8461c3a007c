"""What FRank's search must know of every candidate: sums over the pairs that it separates.

For a stump worth α, with s the side of a pair and F', F'', F''' the slopes of its loss at the margin before,

    gain(α) = Σ_{s≠0} D (F(Δ) - F(Δ + s α)) = ½ N α - ½ C α² - ⅙ T α³ - remainder,
    N = Σ s W,  C = Σ_{s≠0} D F'',  T = Σ s D F''',  |remainder| <= α⁴/24 · max|F''''| · Σ_{s≠0} D.

N and T are sums over documents. S = Σ_{s≠0} |W| and C are sums over pairs: for these a query's pairs are put
into two small matrices that stay in the processor's cache while the query's documents pass, feature after
feature, from above the threshold to below it: passing, p adds its row to what all have below. In queries
too long for that each pair is added at the bins of its two documents.

v and r are those of `pairs`. Loops over a document's pairs are short, some 30 numbers, and what surrounds
them counts: arrays go into them whole, with places, as a view made there costs 20 ns (two counts of who holds
the array, kept for all threads), more than the row itself.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_LANES = 8
_LARGEST = np.exp(176.0)  # of a factor
_TOGETHER = 2048  # pairs at a time: what is worked out of them stays in the cache
_GUESS = 0x5FE6EB50C7B537A9  # less half a number, bit by bit, is about one over its root


@njit(nogil=True, cache=True)
def _list_ends(borders, q, out):
    """Write for each of a query's documents where its segment ends, as a position in the query."""
    start = borders.offsets[q]
    for s in range(borders.segments[q], borders.segments[q + 1]):
        for i in range(borders.starts[s] - start, borders.starts[s + 1] - start):
            out[i] = borders.starts[s + 1] - start


@njit(nogil=True, cache=True)
def _span(i, ends, m, kind):
    """Return where the documents that i has pairs with start and stop, and the room for them in whole lanes.

    Of kind 0 are the worse documents, of kind 1 the later ones of the same grade.
    """
    first, stop = (i + 1, ends[i]) if kind else (ends[i], m)
    return np.uint64(first), np.uint64(stop), np.uint64((stop - first + _LANES - 1) // _LANES * _LANES)


@njit(nogil=True, cache=True)
def _multiply_rows(b, a, ends, i, m, kind, out):
    """Write v of the pairs of documents from i on, row after row, until there are enough; return the next i.

    A row takes whole lanes: single numbers behind them would cost as much as eight. What is written into
    its rest is no pair's, and 0 where the row ends with the query.
    """
    n = np.uint64(0)
    while i < m and n < _TOGETHER:
        first, _, room = _span(i, ends, m, kind)
        x = b[i]
        for j in range(room):
            out[n + j] = x * a[first + j]
        n += room
        i += 1
    return i, n


@njit(nogil=True, cache=True)
def _find_roots(v, n, square, square_bits, root, root_bits):
    """Write r of n pairs. One loop for each result, or the compiler would do them one by one."""
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


@njit(nogil=True, cache=True)
def _find_slopes(v, root, n, p_star, share, out_w, out_c):
    """Write the share's W (twice the negative slope) and F'' of n pairs."""
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    for j in range(n):
        r, u = root[j], v[j] * root[j]  # r² is σ and u² is 1 - σ
        out_w[j] = share * (root_p * r * (u * u) - root_q * u * (r * r))
    for j in range(n):
        r, u = root[j], v[j] * root[j]
        up, down = r * r, u * u
        out_c[j] = (
            -0.25 * share * (root_p * r * down * (1.0 - 3.0 * up) + root_q * u * up * (1.0 - 3.0 * down))
        )


@njit(nogil=True, cache=True)
def _find_thirds(v, root, n, p_star, share, out):
    """Write the share's F''' of n pairs."""
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    for j in range(n):
        r, u = root[j], v[j] * root[j]
        up, down = r * r, u * u
        g, h = (6.0 - 7.5 * up) * up - 0.5, (6.0 - 7.5 * down) * down - 0.5
        out[j] = 0.25 * share * (root_p * r * down * g - root_q * u * up * h)


@njit(nogil=True, cache=True)
def _find_losses(v, root, n, p_star, out):
    """Write twice the loss of n pairs."""
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    for j in range(n):
        up, down = root_p - root[j], root_q - v[j] * root[j]
        out[j] = up * up + down * down


@njit(nogil=True, cache=True)
def _find_lost(w, c, n, out_w, out_c):
    """Put what each of n pairs has lost of |W| and of F'' in the place of what it had."""
    for j in range(n):
        out_w[j] = max(0.0, abs(out_w[j]) - abs(w[j]))
    for j in range(n):
        out_c[j] = max(0.0, out_c[j] - c[j])


@njit(nogil=True, cache=True)
def _add_rows(x, y, z, t, ends, i, last, m, kind, out_x, out_y, out_z, out_t):
    """Add four numbers of each pair to its better document: none of the sums waits for another."""
    at = np.uint64(0)
    for k in range(i, last):
        first, stop, room = _span(k, ends, m, kind)
        sum_x, sum_y, sum_z, sum_t = 0.0, 0.0, 0.0, 0.0
        for j in range(at, at + stop - first):
            sum_x += x[j]
            sum_y += y[j]
            sum_z += z[j]
            sum_t += t[j]
        out_x[k] += sum_x
        out_y[k] += sum_y
        out_z[k] += sum_z
        out_t[k] += sum_t
        at += room


@njit(nogil=True, cache=True)
def _add_columns(x, ends, i, last, m, kind, out):
    """Add a number of each pair to its worse document."""
    at = np.uint64(0)
    for k in range(i, last):
        first, stop, room = _span(k, ends, m, kind)
        for j in range(stop - first if kind else room):
            out[first + j] += x[at + j]
        at += room


@njit(nogil=True, cache=True)
def _weigh_blocks(first, last, factors, stump, borders, blocks, loss, out_docs, out_total):
    """Sum by document W and F''', and what its pairs lost of |W| and F'' through the last stump.

    Write Σ |W| and the loss of each block.
    """
    offsets = borders.offsets
    longest = 0
    for q in range(blocks[first], blocks[last]):
        longest = max(longest, offsets[q + 1] - offsets[q])
    padded, room = longest + _LANES, _TOGETHER + longest + _LANES
    ends = np.empty(padded, dtype=np.int64)
    a, b, a_before, b_before = np.zeros(padded), np.zeros(padded), np.zeros(padded), np.zeros(padded)
    v, square, root = np.empty(room), np.empty(room), np.empty(room)
    square_bits, root_bits = square.view(np.int64), root.view(np.int64)
    w, c, t, less, flatter = np.empty(room), np.empty(room), np.empty(room), np.empty(room), np.empty(room)
    row_w, row_t = np.empty(padded), np.empty(padded)
    row_less, row_flatter = np.empty(padded), np.empty(padded)
    sum_w, sum_t = np.empty(padded), np.empty(padded)
    sum_less, sum_flatter = np.empty(padded), np.empty(padded)
    mass, cost = np.empty(padded), np.empty(padded)
    up = np.exp(0.5 * stump.value)
    for z in range(first, last):
        out_total[z, 0] = out_total[z, 1] = 0.0
        for q in range(blocks[z], blocks[z + 1]):
            start = offsets[q]
            m = offsets[q + 1] - start
            _list_ends(borders, q, ends)
            for i in range(m):
                above = stump.above[start + i]
                a[i], b[i] = factors[0, start + i], factors[1, start + i]
                a_before[i] = min(_LARGEST, a[i] / up) if above else a[i]
                b_before[i] = min(_LARGEST, b[i] * up) if above else b[i]
            for i in range(m, m + _LANES):
                a[i] = a_before[i] = 0.0
            for i in range(m + _LANES):
                row_w[i] = row_t[i] = row_less[i] = row_flatter[i] = 0.0
                sum_w[i] = sum_t[i] = sum_less[i] = sum_flatter[i] = mass[i] = cost[i] = 0.0
            for kind in range(2 if loss.tied else 1):
                p = 0.5 if kind else loss.p_star
                i = 0
                while i < m:
                    if loss.stop[0]:
                        return
                    k, n = _multiply_rows(b_before, a_before, ends, i, m, kind, v)
                    _find_roots(v, n, square, square_bits, root, root_bits)
                    _find_slopes(v, root, n, p, loss.shares[q], less, flatter)
                    k, n = _multiply_rows(b, a, ends, i, m, kind, v)
                    _find_roots(v, n, square, square_bits, root, root_bits)
                    _find_slopes(v, root, n, p, loss.shares[q], w, c)
                    _find_thirds(v, root, n, p, loss.shares[q], t)
                    _find_lost(w, c, n, less, flatter)
                    _add_rows(w, t, less, flatter, ends, i, k, m, kind, row_w, row_t, row_less, row_flatter)
                    _add_columns(w, ends, i, k, m, kind, sum_w)
                    _add_columns(t, ends, i, k, m, kind, sum_t)
                    _add_columns(less, ends, i, k, m, kind, sum_less)
                    _add_columns(flatter, ends, i, k, m, kind, sum_flatter)
                    for j in range(n):
                        w[j] = abs(w[j])
                    _add_columns(w, ends, i, k, m, kind, mass)
                    _find_losses(v, root, n, p, square)
                    _add_columns(square, ends, i, k, m, kind, cost)
                    i = k
            for i in range(m):
                out_docs[0, start + i] = row_w[i] - sum_w[i]
                out_docs[1, start + i] = row_t[i] - sum_t[i]
                out_docs[2, start + i] = row_less[i] + sum_less[i]
                out_docs[3, start + i] = row_flatter[i] + sum_flatter[i]
                out_total[z, 0] += mass[i]
                out_total[z, 1] += 0.5 * loss.shares[q] * cost[i]


@njit(nogil=True, cache=True)
def _put_rows(w, c, ends, i, last, m, kind, width, out):
    """Put |W| and F'' of each pair into the rows of both documents."""
    at, w_end, step = np.uint64(0), np.uint64(width), np.uint64(2 * width)
    for k in range(np.uint64(i), np.uint64(last)):
        first, stop, room = _span(np.int64(k), ends, m, kind)
        n, own = stop - first, k * step + first
        for j in range(n):
            out[own + j] = w[at + j]
        for j in range(n):
            out[own + w_end + j] = c[at + j]
        for j in range(n):
            other = (first + j) * step + k
            out[other] = w[at + j]
            out[other + w_end] = c[at + j]
        at += room


@njit(nogil=True, cache=True)
def _add_at_bins(w, c, ends, i, last, m, kind, bins, start, out):
    """Add |W| and F'' of each pair at the bins of both documents."""
    at = np.uint64(0)
    for k in range(i, last):
        first, stop, room = _span(k, ends, m, kind)
        mine = bins[start + k]
        mass, curve = 0.0, 0.0
        for j in range(stop - first):
            other = bins[np.uint64(start) + first + j]
            side = np.float64(other > mine) - np.float64(other < mine)
            out[other, 1] -= side * w[at + j]
            out[other, 2] -= side * c[at + j]
            mass += side * w[at + j]
            curve += side * c[at + j]
        out[mine, 1] += mass
        out[mine, 2] += curve
        at += room


@njit(nogil=True, cache=True)
def _pass_four(n, rows, one, two, three, four, out):
    for j in range(n):
        out[j] = (((out[j] + rows[one + j]) + rows[two + j]) + rows[three + j]) + rows[four + j]


@njit(nogil=True, cache=True)
def _pass_query(bins, order, start, m, rows, width, below, met, out):
    """Let a query's documents pass below one feature's threshold; add the changes of S and C by bin.

    `below` holds what every document's pairs with those below weigh. Four pass at a time: to take it from
    the cache and back costs as much as to add a row.
    """
    w, step, start, m = np.uint64(width), np.uint64(2 * width), np.uint64(start), np.uint64(m)
    for j in range(step):
        below[j] = 0.0
    for p in range(np.uint64(0), m, np.uint64(4)):
        left = m - p
        i = np.uint64(order[start + p])
        k = np.uint64(order[start + p + np.uint64(1)]) if left > 1 else m  # row m is empty
        g = np.uint64(order[start + p + np.uint64(2)]) if left > 2 else m
        h = np.uint64(order[start + p + np.uint64(3)]) if left > 3 else m
        a, b, c, d = i * step, k * step, g * step, h * step
        met[i], met[w + i] = below[i], below[w + i]
        if left > 1:
            met[k], met[w + k] = below[k] + rows[a + k], below[w + k] + rows[a + w + k]
        if left > 2:
            met[g] = (below[g] + rows[a + g]) + rows[b + g]
            met[w + g] = (below[w + g] + rows[a + w + g]) + rows[b + w + g]
        if left > 3:
            met[h] = ((below[h] + rows[a + h]) + rows[b + h]) + rows[c + h]
            met[w + h] = ((below[w + h] + rows[a + w + h]) + rows[b + w + h]) + rows[c + w + h]
        _pass_four(step, rows, a, b, c, d, below)
    for i in range(m):  # all are below now
        here = np.uint64(bins[start + i])
        out[here, 1] += below[i] - 2.0 * met[i]
        out[here, 2] += below[w + i] - 2.0 * met[w + i]


@njit(nogil=True, cache=True)
def _sweep_blocks(first, last, factors, docs, bins, orders, borders, blocks, loss, most, out):
    """Add the changes of N, S, C, T by bin of each feature, from the documents' factors, W and F'''."""
    offsets = borders.offsets
    n_features, longest = bins.shape[0], 1
    for q in range(blocks[first], blocks[last]):
        longest = max(longest, offsets[q + 1] - offsets[q])
    padded, room = longest + _LANES, _TOGETHER + longest + _LANES
    ends = np.empty(padded, dtype=np.int64)
    a, b = np.zeros(padded), np.zeros(padded)
    v, square, root, w, c = np.empty(room), np.empty(room), np.empty(room), np.empty(room), np.empty(room)
    square_bits, root_bits = square.view(np.int64), root.view(np.int64)
    below, met = np.empty(2 * padded), np.empty(2 * padded)
    rows = np.empty(2 * (min(longest, most) + 1) * padded)
    for z in range(first, last):
        for q in range(blocks[z], blocks[z + 1]):
            start = offsets[q]
            m = offsets[q + 1] - start
            width = (m + _LANES - 1) // _LANES * _LANES
            keeps = m <= most
            _list_ends(borders, q, ends)
            for i in range(m):
                a[i], b[i] = factors[0, start + i], factors[1, start + i]
            for i in range(m, m + _LANES):
                a[i] = 0.0
            for j in range(2 * (m + 1) * width if keeps else 0):
                rows[j] = 0.0
            for kind in range(2 if loss.tied else 1):
                i = 0
                while i < m:
                    if loss.stop[0]:
                        return
                    k, n = _multiply_rows(b, a, ends, i, m, kind, v)
                    _find_roots(v, n, square, square_bits, root, root_bits)
                    _find_slopes(v, root, n, 0.5 if kind else loss.p_star, loss.shares[q], w, c)
                    for j in range(n):
                        w[j] = abs(w[j])
                    if keeps:
                        _put_rows(w, c, ends, i, k, m, kind, width, rows)
                    else:
                        for f in range(n_features):
                            _add_at_bins(w, c, ends, i, k, m, kind, bins[f], start, out[z, f])
                    i = k
            for f in range(n_features):
                own, change = bins[f], out[z, f]
                for i in range(start, start + m):
                    change[own[i], 0] -= docs[0, i]
                    change[own[i], 3] -= docs[1, i]
                if keeps:
                    _pass_query(own, orders[f], start, m, rows, width, below, met, change)
