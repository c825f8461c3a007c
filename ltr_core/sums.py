"""Sums of products in an order of our own.

BLAS shares long sums out among threads as it likes: the last digits then depend on how many there are. What
promises the last digit adds up by numpy's own loops, or in a kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def dot(a: np.ndarray, b: np.ndarray) -> Any:
    """Return Σ a_i b_i over the last axis of `a`, which is `b`'s only one."""
    if a.ndim == 1:
        return float(np.einsum("i,i->", a, b))
    return np.einsum("...i,i->...", a, b)
