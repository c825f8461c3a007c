"""Kernels that move bytes and rows to their places, and count and mend the ends of lines."""

from __future__ import annotations

from numba import njit

_FEED, _RETURN = 10, 13


@njit(nogil=True, cache=True)
def _count_line_ends(text, end):
    """Return how many line feeds and how many carriage returns there are before `end`."""
    feeds = 0
    returns = 0
    for i in range(end):
        feeds += text[i] == _FEED
        returns += text[i] == _RETURN
    return feeds, returns


@njit(nogil=True, cache=True)
def _replace_lone_returns(text, end):
    """Turn each carriage return that no line feed follows into a line feed; return the number of both."""
    feeds = 0
    for i in range(end):
        if text[i] == _RETURN and text[i + 1] != _FEED:
            text[i] = _FEED
        feeds += text[i] == _FEED
    return feeds


@njit(nogil=True, cache=True)
def _place_rows(X, first, rows, out):
    """Copy row i of X, from column `first` on, to row rows[i] of `out`; what X lacks becomes 0."""
    width = min(X.shape[1] - first, out.shape[1])
    for i in range(len(rows)):
        row = rows[i]
        for k in range(width):
            out[row, k] = X[i, first + k]
        for k in range(width, out.shape[1]):
            out[row, k] = 0.0


@njit(nogil=True, cache=True)
def _gather_bytes(text, starts, lengths, places, out):
    """Copy the i-th stretch of `text` to place places[i] of `out`."""
    for i in range(len(starts)):
        for b in range(lengths[i]):
            out[places[i] + b] = text[starts[i] + b]
