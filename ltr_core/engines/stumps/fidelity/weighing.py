"""What FRank's search must know of every candidate: sums over the pairs that it separates.

For a stump worth α, with s the side of a pair and F', F'', F''' the slopes of its loss at the margin before,

    gain(α) = Σ_{s≠0} D (F(Δ) - F(Δ + s α)) = ½ N α - ½ C α² - ⅙ T α³ - remainder,
    N = Σ s W,  C = Σ_{s≠0} D F'',  T = Σ s D F''',  |remainder| <= α⁴/24 · max|F''''| · Σ_{s≠0} D.

N and T are sums over documents. S = Σ_{s≠0} |W| and C are sums over pairs: for these a query's pairs are put
into two small matrices that stay in the processor's cache while feature after feature passes the query's
documents from above the threshold to below it: each finds what its pairs with those below weigh, eight rows
at a time, by comparing places in the order of the bins. (Adding rows in that order, with nothing to compare,
took a tenth longer, and the orders of all features besides.) In queries too long for that each pair is added
at the bins of its two documents.

v and r are those of `pairs`. All numbers of a document's pairs come from one loop without a branch, for eight
pairs at a time: what it reads and writes stands in one array, `room`, a fixed number of places apart, so the
compiler knows that nothing read has just been written. A pair takes 2.2 ns to weigh so, 1.7 where P* = 1; it
took 5.5 in a loop for each number, over 2,048 pairs at a time. r comes from a root and a division here, which
the processor does beside the rest. Queries longer than `room` are taken in columns.

The file is long because a kernel may use nothing of another file: both begin with a query's columns.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_LANES = 8
_LARGEST = np.exp(176.0)  # of a factor
_FEW = 2048  # columns at a time
_WIDTH = _FEW + _LANES  # a whole number of lanes, and no power of two
_ROW = 512 + _LANES  # the same of a row in `room`, when a query's pairs are put into rows
_KEYS, _OWN, _MET, _ALL = (k * _ROW for k in (1, 2, 3, 5))  # what begins where in it


@njit(nogil=True, cache=True)
def _lanes_of(n):
    return (n + _LANES - 1) // _LANES * _LANES


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
def _weigh_row(b, b_before, first, n, p_star, room):
    """Weigh a document's pairs with n columns.

    Each pair's W, F''' and what |W| and F'' have lost are written, and added up by column, as are |W| and
    twice the loss. F'' and F''' are times -4 and 4; the query's share is left to the sums.
    """
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    before, w_at, t_at = np.uint64(_WIDTH), np.uint64(2 * _WIDTH), np.uint64(3 * _WIDTH)
    less_at, flatter_at = np.uint64(4 * _WIDTH), np.uint64(5 * _WIDTH)
    mass_at, cost_at = np.uint64(6 * _WIDTH), np.uint64(7 * _WIDTH)
    own_w, own_t = np.uint64(8 * _WIDTH), np.uint64(9 * _WIDTH)
    own_less, own_flatter = np.uint64(10 * _WIDTH), np.uint64(11 * _WIDTH)
    first, stop = np.uint64(first), np.uint64(first + n)
    if p_star == 1.0:  # half the arithmetic; W and |W| are one
        for j in range(first, stop):
            v = b_before * room[before + j]
            r = 1.0 / np.sqrt(1.0 + v * v)
            u = v * r
            up, down = r * r, u * u
            w_before = r * down
            c_before = w_before * (1.0 - 3.0 * up)
            v = b * room[j]
            r = 1.0 / np.sqrt(1.0 + v * v)
            u = v * r
            up, down = r * r, u * u
            w = r * down
            c = w * (1.0 - 3.0 * up)
            t = w * ((6.0 - 7.5 * up) * up - 0.5)
            less, flatter = max(0.0, w_before - w), max(0.0, c - c_before)
            room[cost_at + j] += (1.0 - r) * (1.0 - r) + down
            room[own_w + j], room[own_t + j] = w, t
            room[own_less + j], room[own_flatter + j] = less, flatter
            room[w_at + j] += w
            room[t_at + j] += t
            room[less_at + j] += less
            room[flatter_at + j] += flatter
        return
    for j in range(first, stop):
        v = b_before * room[before + j]
        r = 1.0 / np.sqrt(1.0 + v * v)
        u = v * r
        up, down = r * r, u * u  # σ and 1 - σ
        rising, falling = root_p * r * down, root_q * u * up
        w_before = abs(rising - falling)
        c_before = rising * (1.0 - 3.0 * up) + falling * (1.0 - 3.0 * down)
        v = b * room[j]
        r = 1.0 / np.sqrt(1.0 + v * v)
        u = v * r
        up, down = r * r, u * u
        rising, falling = root_p * r * down, root_q * u * up
        w = rising - falling
        c = rising * (1.0 - 3.0 * up) + falling * (1.0 - 3.0 * down)
        t = rising * ((6.0 - 7.5 * up) * up - 0.5) - falling * ((6.0 - 7.5 * down) * down - 0.5)
        less, flatter = max(0.0, w_before - abs(w)), max(0.0, c - c_before)
        room[mass_at + j] += abs(w)
        room[cost_at + j] += (root_p - r) * (root_p - r) + (root_q - u) * (root_q - u)
        room[own_w + j], room[own_t + j] = w, t
        room[own_less + j], room[own_flatter + j] = less, flatter
        room[w_at + j] += w
        room[t_at + j] += t
        room[less_at + j] += less
        room[flatter_at + j] += flatter


@njit(nogil=True, cache=True)
def _sum_row(first, n, room):
    """Return a weighed document's sums of W, F''', and what |W| and F'' have lost."""
    own_w, own_t = np.uint64(8 * _WIDTH), np.uint64(9 * _WIDTH)
    own_less, own_flatter = np.uint64(10 * _WIDTH), np.uint64(11 * _WIDTH)
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
    ends, room = np.empty(longest, dtype=np.int64), np.zeros(12 * _WIDTH)
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
                        n = stop - at if kind else _lanes_of(stop - at)
                        _weigh_row(b[i], b_before[i], at, n, p_star, room)
                        w, t, less, flatter = _sum_row(at, stop - at, room)
                        out_docs[0, start + i] += share * w
                        out_docs[1, start + i] += 0.25 * share * t
                        out_docs[2, start + i] += share * less
                        out_docs[3, start + i] += 0.25 * share * flatter
                    mass, cost = 0.0, 0.0
                    mass_at = 2 * _WIDTH if p_star == 1.0 else 6 * _WIDTH
                    for j in range(end - begin):
                        i = start + begin + j
                        out_docs[0, i] -= share * room[2 * _WIDTH + j]
                        out_docs[1, i] -= 0.25 * share * room[3 * _WIDTH + j]
                        out_docs[2, i] += share * room[4 * _WIDTH + j]
                        out_docs[3, i] += 0.25 * share * room[5 * _WIDTH + j]
                        mass += room[mass_at + j]
                        cost += room[7 * _WIDTH + j]
                    out_total[z, 0] += share * mass
                    out_total[z, 1] += 0.5 * share * cost


@njit(nogil=True, cache=True)
def _lay_columns(a, begin, end, room):
    """Write the columns' factors, and 0 to fill up the last lanes."""
    for j in range(end - begin):
        room[j] = a[begin + j]
    for j in range(end - begin, end - begin + _LANES):
        room[j] = 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _slope_row(b, first, n, share, p_star, room, at, out):
    """Write |W| and F'' of a document's pairs with n columns into the row at `at`, and the one behind it."""
    at, stop = np.uint64(at), np.uint64(first + n)
    if p_star == 1.0:
        for j in range(np.uint64(first), stop):
            v = b * room[j]
            r = 1.0 / np.sqrt(1.0 + v * v)
            u = v * r
            w = share * (r * (u * u))
            out[at + j] = w
            out[at + np.uint64(_ROW) + j] = w * (0.75 * (r * r) - 0.25)
        return
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    for j in range(np.uint64(first), stop):
        v = b * room[j]
        r = 1.0 / np.sqrt(1.0 + v * v)
        u = v * r
        up, down = r * r, u * u
        rising, falling = share * (root_p * r * down), share * (root_q * u * up)
        out[at + j] = abs(rising - falling)
        out[at + np.uint64(_ROW) + j] = rising * (0.75 * up - 0.25) + falling * (0.75 * down - 0.25)


@njit(nogil=True, cache=True)
def _mirror_row(i, first, stop, at, out):
    """Put the numbers of document i's pairs, as they stand in a row, into the rows of the others."""
    i, at = np.uint64(i), np.uint64(at)
    for j in range(np.uint64(first), np.uint64(stop)):
        other = i + j * np.uint64(2 * _ROW)
        out[other] = out[at + j]
        out[other + np.uint64(_ROW)] = out[at + np.uint64(_ROW) + j]


@njit(nogil=True, cache=True)
def _fill_rows(b, ends, m, share, loss, room, out):
    """Write |W| and F'' of each document's pairs with all of its query, a row for each.

    Those with the worse, from the first whole lane on that has any: the factors before are 0 then; and
    before it 0, for the documents of the same grade. Those with the better are the better's.
    """
    begin = 0
    for i in range(m):
        if i == 0 or ends[i] != ends[i - 1]:
            begin = i
            for j in range(i, ends[i]):
                room[j] = 0.0
        if loss.stop[0]:
            return
        at, first = 2 * _ROW * i, ends[i] // _LANES * _LANES
        for j in range(np.uint64(at + begin // _LANES * _LANES), np.uint64(at + first)):
            out[j] = out[np.uint64(_ROW) + j] = 0.0
        _slope_row(b[i], first, _lanes_of(m) - first, share, loss.p_star, room, at, out)
    for i in range(m):
        _mirror_row(i, ends[i], m, 2 * _ROW * i, out)


@njit(nogil=True, cache=True)
def _fill_tied(a, b, ends, m, share, loss, room, out):
    """Write |W| and F'' of each document's pairs with those of its grade into its row."""
    _lay_columns(a, 0, m, room)
    spare = 2 * _ROW * m
    for i in range(m):
        if loss.stop[0]:
            return
        first, stop, at = i + 1, ends[i], 2 * _ROW * i
        _slope_row(b[i], first, _lanes_of(stop - first), share, 0.5, room, spare, out)
        _mirror_row(i, first, stop, spare, out)
        for j in range(np.uint64(first), np.uint64(stop)):
            out[np.uint64(at) + j] = out[np.uint64(spare) + j]
        for j in range(np.uint64(_ROW + first), np.uint64(_ROW + stop)):
            out[np.uint64(at) + j] = out[np.uint64(spare) + j]


@njit(nogil=True, cache=True)
def _add_at_bins(row, i, first, n, bins, start, begin, out):
    """Add |W| and F'' of each pair at the bins of both documents."""
    at, column = np.uint64(first), np.uint64(start + begin + first)
    mine = bins[start + i]
    mass, curve = 0.0, 0.0
    for j in range(np.uint64(n)):
        other = bins[column + j]
        side = np.float64(other > mine) - np.float64(other < mine)
        w, c = row[at + j], row[at + np.uint64(_ROW) + j]
        out[other, 1] -= side * w
        out[other, 2] -= side * c
        mass += side * w
        curve += side * c
    out[mine, 1] += mass
    out[mine, 2] += curve


@njit(nogil=True, cache=True)
def _meet_rows(i, n, rows, room):
    """Add to n columns what they have with those of eight documents, from i on, whose keys are smaller."""
    own, at = np.uint64(_OWN + i), np.uint64(2 * _ROW * i)
    a, b, c, d = room[own], room[own + np.uint64(1)], room[own + np.uint64(2)], room[own + np.uint64(3)]
    e, f = room[own + np.uint64(4)], room[own + np.uint64(5)]
    g, h = room[own + np.uint64(6)], room[own + np.uint64(7)]
    for j in range(np.uint64(n)):
        x, k = room[np.uint64(_KEYS) + j], at + j
        w, v = room[np.uint64(_MET) + j], room[np.uint64(_MET + _ROW) + j]
        p, q = rows[k], rows[k + np.uint64(_ROW)]
        w, v = w + p if a < x else w, v + q if a < x else v
        p, q = rows[k + np.uint64(2 * _ROW)], rows[k + np.uint64(3 * _ROW)]
        w, v = w + p if b < x else w, v + q if b < x else v
        p, q = rows[k + np.uint64(4 * _ROW)], rows[k + np.uint64(5 * _ROW)]
        w, v = w + p if c < x else w, v + q if c < x else v
        p, q = rows[k + np.uint64(6 * _ROW)], rows[k + np.uint64(7 * _ROW)]
        w, v = w + p if d < x else w, v + q if d < x else v
        p, q = rows[k + np.uint64(8 * _ROW)], rows[k + np.uint64(9 * _ROW)]
        w, v = w + p if e < x else w, v + q if e < x else v
        p, q = rows[k + np.uint64(10 * _ROW)], rows[k + np.uint64(11 * _ROW)]
        w, v = w + p if f < x else w, v + q if f < x else v
        p, q = rows[k + np.uint64(12 * _ROW)], rows[k + np.uint64(13 * _ROW)]
        w, v = w + p if g < x else w, v + q if g < x else v
        p, q = rows[k + np.uint64(14 * _ROW)], rows[k + np.uint64(15 * _ROW)]
        w, v = w + p if h < x else w, v + q if h < x else v
        room[np.uint64(_MET) + j], room[np.uint64(_MET + _ROW) + j] = w, v


@njit(nogil=True, cache=True)
def _meet_query(m, rows, room):
    """Sum for each document what it has with those whose keys are smaller."""
    n = _lanes_of(m)
    for j in range(n):
        room[_MET + j] = room[_MET + _ROW + j] = 0.0
    for j in range(m, n):
        room[_OWN + j] = np.inf
    for i in range(0, m, _LANES):
        _meet_rows(i, n, rows, room)


@njit(nogil=True, cache=True)
def _sum_rows(m, rows, room):
    """Sum for each document what it has with all others: the same with keys of which none is smaller."""
    for j in range(m):
        room[_OWN + j], room[_KEYS + j] = 0.0, 1.0
    _meet_query(m, rows, room)
    for j in range(m):
        room[_ALL + j], room[_ALL + _ROW + j] = room[_MET + j], room[_MET + _ROW + j]


@njit(nogil=True, cache=True)
def _pass_query(bins, start, m, docs, rows, room, out):
    """Let a query's documents pass below one feature's threshold; add the changes by bin.

    Passing, a document adds what it has with those still above and loses what it has with those below. Of
    one bin the later passes later: what two of them have with one another comes and goes.
    """
    start = np.uint64(start)
    for j in range(np.uint64(m)):
        key = np.float64(bins[start + j]) * np.float64(_ROW) + np.float64(j)
        room[np.uint64(_OWN) + j] = room[np.uint64(_KEYS) + j] = key
    _meet_query(m, rows, room)
    for j in range(np.uint64(m)):
        here = np.uint64(bins[start + j])
        out[here, 0] -= docs[0, start + j]
        out[here, 3] -= docs[1, start + j]
        out[here, 1] += room[np.uint64(_ALL) + j] - 2.0 * room[np.uint64(_MET) + j]
        out[here, 2] += room[np.uint64(_ALL + _ROW) + j] - 2.0 * room[np.uint64(_MET + _ROW) + j]


@njit(nogil=True, cache=True)
def _sweep_blocks(first, last, factors, docs, bins, borders, blocks, loss, most, out):
    """Add the changes of N, S, C, T by bin of each feature, from the documents' factors, W and F'''."""
    offsets = borders.offsets
    n_features, longest = bins.shape[0], 1
    for q in range(blocks[first], blocks[last]):
        longest = max(longest, offsets[q + 1] - offsets[q])
    ends, a, b = np.empty(longest, dtype=np.int64), np.empty(longest), np.empty(longest)
    # A lane that lies in two lines of the cache costs two.
    # Lanes past the end are reckoned with too, for nothing: what lay in that memory may be numbers next to 0,
    # with which the processor took 85 ms for 8.
    room, rows = np.zeros(7 * _ROW + _LANES), np.zeros(2 * _ROW * _lanes_of(min(longest, most) + 1) + _LANES)
    room, rows = room[(-room.ctypes.data // 8) % _LANES :], rows[(-rows.ctypes.data // 8) % _LANES :]
    for z in range(first, last):
        for q in range(blocks[z], blocks[z + 1]):
            start, share = offsets[q], loss.shares[q]
            m = offsets[q + 1] - start
            _list_ends(borders, q, ends)
            for i in range(m):
                a[i], b[i] = factors[0, start + i], factors[1, start + i]
            if m <= most:
                _lay_columns(a, 0, m, room)
                _fill_rows(b, ends, m, share, loss, room, rows)
                if loss.tied:
                    _fill_tied(a, b, ends, m, share, loss, room, rows)
                _sum_rows(m, rows, room)
                for f in range(n_features):
                    _pass_query(bins[f], start, m, docs, rows, room, out[z, f])
                continue
            for f in range(n_features):
                own, change = bins[f], out[z, f]
                for i in range(start, start + m):
                    change[own[i], 0] -= docs[0, i]
                    change[own[i], 3] -= docs[1, i]
            for begin in range(0, m, _ROW - _LANES):
                end = min(m, begin + _ROW - _LANES)
                _lay_columns(a, begin, end, room)
                for kind in range(2 if loss.tied else 1):
                    p_star = 0.5 if kind else loss.p_star
                    for i in range(m):
                        if loss.stop[0]:
                            return
                        at, stop = _columns_of(i, ends, m, kind, begin, end)
                        if at >= stop:
                            continue
                        _slope_row(b[i], at, _lanes_of(stop - at), share, p_star, room, 0, rows)
                        for f in range(n_features):
                            _add_at_bins(rows, i, at, stop - at, bins[f], start, begin, out[z, f])
