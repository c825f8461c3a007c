"""What FRank's search must know of every candidate: sums over the pairs that it separates.

For a stump worth α, with s the side of a pair and F', F'', F''' the slopes of its loss at the margin before,

    gain(α) = Σ_{s≠0} D (F(Δ) - F(Δ + s α)) = ½ N α - ½ C α² - ⅙ T α³ - remainder,
    N = Σ s W,  C = Σ_{s≠0} D F'',  T = Σ s D F''',  |remainder| <= α⁴/24 · max|F''''| · Σ_{s≠0} D.

N and T are sums over documents. S = Σ_{s≠0} |W| and C are sums over pairs: for these a query's pairs are put
into two small matrices that stay in the processor's cache while the query's documents pass, feature after
feature, from above the threshold to below it: passing, p adds its row to what all have below. In queries
too long for that each pair is added at the bins of its two documents.

v and r are those of `pairs`. All numbers of a document's pairs come from one loop without a branch, for eight
pairs at a time: what it reads and writes stands in one array, `room`, a fixed number of places apart, so the
compiler knows that nothing read has just been written. A pair takes 2.2 ns to weigh so; it took 5.5 in a loop
for each number, over 2,048 pairs at a time. r comes from a root and a division here: a guess made of a
number's bits, as in `pairs`, would be written to a second array. Queries longer than `room` are taken in
columns.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_LANES = 8
_LARGEST = np.exp(176.0)  # of a factor
_FEW = 2048  # columns at a time
_WIDTH = _FEW + _LANES  # a whole number of lanes, and no power of two


@njit(nogil=True, cache=True)
def _list_ends(borders, q, out):
    """Write for each of a query's documents where its segment ends, as a position in the query."""
    start = borders.offsets[q]
    for s in range(borders.segments[q], borders.segments[q + 1]):
        for i in range(borders.starts[s] - start, borders.starts[s + 1] - start):
            out[i] = borders.starts[s + 1] - start


@njit(nogil=True, cache=True)
def _columns_of(i, ends, m, kind, begin, end):
    """Return from which to which of the columns begin … end document i has pairs, counted from `begin`.

    Of kind 0 are the worse documents, of kind 1 the later ones of the same grade.
    """
    first, stop = (i + 1, ends[i]) if kind else (ends[i], m)
    return max(first, begin) - begin, min(stop, end) - begin


@njit(nogil=True, cache=True)
def _load_columns(a, a_before, begin, end, room):
    """Write the columns' factors, after the last stump and before it; clear their sums.

    A factor of 0 fills up the last lanes: such a pair's weight and slopes are 0.
    """
    n = end - begin
    for j in range(n):
        room[j], room[_WIDTH + j] = a[begin + j], a_before[begin + j]
    for j in range(n, n + _LANES):
        room[j] = room[_WIDTH + j] = 0.0
    for k in range(2, 8):
        for j in range(n + _LANES):
            room[k * _WIDTH + j] = 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _weigh_row(b, b_before, first, n, share, p_star, room):
    """Weigh a document's pairs with n columns; return its sums of W, F''', and what |W| and F'' have lost.

    Their sums by column are brought up to date, and those of |W| and of twice the loss.
    """
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    before, w_at, t_at = np.uint64(_WIDTH), np.uint64(2 * _WIDTH), np.uint64(3 * _WIDTH)
    less_at, flatter_at = np.uint64(4 * _WIDTH), np.uint64(5 * _WIDTH)
    mass_at, cost_at = np.uint64(6 * _WIDTH), np.uint64(7 * _WIDTH)
    own_w, own_t = np.uint64(8 * _WIDTH), np.uint64(9 * _WIDTH)
    own_less, own_flatter = np.uint64(10 * _WIDTH), np.uint64(11 * _WIDTH)
    for j in range(np.uint64(first), np.uint64(first + n)):
        v = b_before * room[before + j]
        r = 1.0 / np.sqrt(1.0 + v * v)
        u = v * r
        up, down = r * r, u * u  # σ and 1 - σ
        w_before = root_p * r * down - root_q * u * up
        c_before = root_p * r * down * (1.0 - 3.0 * up) + root_q * u * up * (1.0 - 3.0 * down)
        v = b * room[j]
        r = 1.0 / np.sqrt(1.0 + v * v)
        u = v * r
        up, down = r * r, u * u
        w = root_p * r * down - root_q * u * up
        c = root_p * r * down * (1.0 - 3.0 * up) + root_q * u * up * (1.0 - 3.0 * down)
        rise, fall = (6.0 - 7.5 * up) * up - 0.5, (6.0 - 7.5 * down) * down - 0.5
        t = 0.25 * share * (root_p * r * down * rise - root_q * u * up * fall)
        less = share * max(0.0, abs(w_before) - abs(w))
        flatter = 0.25 * share * max(0.0, c - c_before)
        room[mass_at + j] += share * abs(w)
        room[cost_at + j] += (root_p - r) * (root_p - r) + (root_q - u) * (root_q - u)
        room[own_w + j], room[own_t + j] = share * w, t
        room[own_less + j], room[own_flatter + j] = less, flatter
        room[w_at + j] += share * w
        room[t_at + j] += t
        room[less_at + j] += less
        room[flatter_at + j] += flatter
    sum_w, sum_t, sum_less, sum_flatter = 0.0, 0.0, 0.0, 0.0
    for j in range(np.uint64(first), np.uint64(first + n)):  # none of the sums waits for another
        sum_w += room[own_w + j]
        sum_t += room[own_t + j]
        sum_less += room[own_less + j]
        sum_flatter += room[own_flatter + j]
    return sum_w, sum_t, sum_less, sum_flatter


@njit(nogil=True, cache=True)
def _weigh_blocks(first, last, factors, stump, borders, blocks, loss, out_docs, out_total):
    """Sum by document W and F''', and what its pairs lost of |W| and F'' through the last stump.

    Write Σ |W| and the loss of each block.
    """
    offsets = borders.offsets
    longest = 0
    for q in range(blocks[first], blocks[last]):
        longest = max(longest, offsets[q + 1] - offsets[q])
    ends, room = np.empty(longest, dtype=np.int64), np.empty(12 * _WIDTH)
    a, b, a_before, b_before = np.empty(longest), np.empty(longest), np.empty(longest), np.empty(longest)
    up = np.exp(0.5 * stump.value)
    for z in range(first, last):
        out_total[z, 0] = out_total[z, 1] = 0.0
        for q in range(blocks[z], blocks[z + 1]):
            start, share = offsets[q], loss.shares[q]
            m = offsets[q + 1] - start
            _list_ends(borders, q, ends)
            for i in range(m):
                above = stump.above[start + i]
                a[i], b[i] = factors[0, start + i], factors[1, start + i]
                a_before[i] = min(_LARGEST, a[i] / up) if above else a[i]
                b_before[i] = min(_LARGEST, b[i] * up) if above else b[i]
            out_docs[:, start : start + m] = 0.0
            for kind in range(2 if loss.tied else 1):
                p_star = 0.5 if kind else loss.p_star
                for begin in range(0, m, _FEW):
                    end = min(m, begin + _FEW)
                    _load_columns(a, a_before, begin, end, room)
                    for i in range(m):
                        if loss.stop[0]:
                            return
                        at, stop = _columns_of(i, ends, m, kind, begin, end)
                        if at >= stop:
                            continue
                        # Past a segment's end are the next one's documents, past the last one's are none.
                        n = stop - at if kind else (stop - at + _LANES - 1) // _LANES * _LANES
                        w, t, less, flatter = _weigh_row(b[i], b_before[i], at, n, share, p_star, room)
                        out_docs[0, start + i] += w
                        out_docs[1, start + i] += t
                        out_docs[2, start + i] += less
                        out_docs[3, start + i] += flatter
                    for j in range(end - begin):
                        i = start + begin + j
                        out_docs[0, i] -= room[2 * _WIDTH + j]
                        out_docs[1, i] -= room[3 * _WIDTH + j]
                        out_docs[2, i] += room[4 * _WIDTH + j]
                        out_docs[3, i] += room[5 * _WIDTH + j]
                        out_total[z, 0] += room[6 * _WIDTH + j]
                        out_total[z, 1] += 0.5 * share * room[7 * _WIDTH + j]


@njit(nogil=True, cache=True, error_model="numpy")
def _slope_row(b, first, n, share, p_star, room):
    """Write |W| and F'' of a document's pairs with n columns, two and three widths on."""
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    mass_at, curve_at = np.uint64(2 * _WIDTH), np.uint64(3 * _WIDTH)
    for j in range(np.uint64(first), np.uint64(first + n)):
        v = b * room[j]
        r = 1.0 / np.sqrt(1.0 + v * v)
        u = v * r
        up, down = r * r, u * u
        bent = root_p * r * down * (1.0 - 3.0 * up) + root_q * u * up * (1.0 - 3.0 * down)
        room[mass_at + j] = share * abs(root_p * r * down - root_q * u * up)
        room[curve_at + j] = -0.25 * share * bent


@njit(nogil=True, cache=True)
def _put_row(room, i, first, n, width, out):
    """Put |W| and F'' of each pair into the rows of both documents."""
    at, w_end, step = np.uint64(2 * _WIDTH + first), np.uint64(width), np.uint64(2 * width)
    i, first, n = np.uint64(i), np.uint64(first), np.uint64(n)
    own = i * step + first
    for j in range(n):
        out[own + j] = room[at + j]
    for j in range(n):
        out[own + w_end + j] = room[at + np.uint64(_WIDTH) + j]
    for j in range(n):
        other = (first + j) * step + i
        out[other] = room[at + j]
        out[other + w_end] = room[at + np.uint64(_WIDTH) + j]


@njit(nogil=True, cache=True)
def _add_at_bins(room, i, first, n, bins, start, begin, out):
    """Add |W| and F'' of each pair at the bins of both documents."""
    at, column = np.uint64(2 * _WIDTH + first), np.uint64(start + begin + first)
    mine = bins[start + i]
    mass, curve = 0.0, 0.0
    for j in range(np.uint64(n)):
        other = bins[column + j]
        side = np.float64(other > mine) - np.float64(other < mine)
        w, c = room[at + j], room[at + np.uint64(_WIDTH) + j]
        out[other, 1] -= side * w
        out[other, 2] -= side * c
        mass += side * w
        curve += side * c
    out[mine, 1] += mass
    out[mine, 2] += curve


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
    padded = longest + _LANES
    ends, room = np.empty(longest, dtype=np.int64), np.empty(8 * _WIDTH)
    a, b = np.empty(longest), np.empty(longest)
    below, met = np.empty(2 * padded), np.empty(2 * padded)
    rows = np.empty(2 * (min(longest, most) + 1) * padded)
    for z in range(first, last):
        for q in range(blocks[z], blocks[z + 1]):
            start, share = offsets[q], loss.shares[q]
            m = offsets[q + 1] - start
            width = (m + _LANES - 1) // _LANES * _LANES
            keeps = m <= most
            _list_ends(borders, q, ends)
            for i in range(m):
                a[i], b[i] = factors[0, start + i], factors[1, start + i]
            for j in range(2 * (m + 1) * width if keeps else 0):
                rows[j] = 0.0
            for begin in range(0, m, _FEW):
                end = min(m, begin + _FEW)
                _load_columns(a, a, begin, end, room)
                for kind in range(2 if loss.tied else 1):
                    p_star = 0.5 if kind else loss.p_star
                    for i in range(m):
                        if loss.stop[0]:
                            return
                        at, stop = _columns_of(i, ends, m, kind, begin, end)
                        n = stop - at
                        if n <= 0:
                            continue
                        whole = (n + _LANES - 1) // _LANES * _LANES
                        _slope_row(b[i], at, whole, share, p_star, room)
                        if keeps:
                            _put_row(room, i, at, n, width, rows)
                        else:
                            for f in range(n_features):
                                _add_at_bins(room, i, at, n, bins[f], start, begin, out[z, f])
            for f in range(n_features):
                own, change = bins[f], out[z, f]
                for i in range(start, start + m):
                    change[own[i], 0] -= docs[0, i]
                    change[own[i], 3] -= docs[1, i]
                if keeps:
                    _pass_query(own, orders[f], start, m, rows, width, below, met, change)
