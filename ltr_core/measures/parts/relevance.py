"""Relevant or not: the binary reading of grades that P@n, recall, MAP and MRR share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from .base import frozen


def mark_relevant(y: np.ndarray, offsets: np.ndarray, threshold: float) -> tuple[np.ndarray, np.ndarray]:
    """Return which documents are relevant (uint8), and which queries have none."""
    relevant = y >= threshold
    return frozen(relevant.view(np.uint8)), ~np.logical_or.reduceat(relevant, offsets[:-1])


def counter(relevant: np.ndarray, offsets: np.ndarray, depths: np.ndarray) -> Callable[..., None]:
    """Return what counts each query's relevant documents among its first depths[q]."""
    return partial(_count_relevant, relevant, offsets, depths)


def relevant_words(options: Mapping[str, Any]) -> str:
    """Say in words which documents are relevant."""
    return f"relevant being grade {options['relevant']:g} and above"


@njit(nogil=True, cache=True)
def _count_relevant(relevant, offsets, depths, order, ends, out):
    """Count each query's relevant documents among its first depths[q]."""
    for q in range(len(offsets) - 1):
        start = offsets[q]
        stop = min(offsets[q + 1], start + depths[q])
        total = 0.0
        i = start
        while i < stop:
            end = ends[i]
            members = 0
            for j in range(i, end):
                members += relevant[order[j]]
            total += members if end <= stop else members / (end - i) * (stop - i)
            i = end
        out[q] = total
