"""Relevant or not: the binary reading of grades that P@n, MAP and MRR share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .base import frozen


def mark_relevant(y: np.ndarray, offsets: np.ndarray, threshold: float) -> tuple[np.ndarray, np.ndarray]:
    """Return which documents are relevant (uint8), and which queries have none."""
    relevant = y >= threshold
    return frozen(relevant.view(np.uint8)), ~np.logical_or.reduceat(relevant, offsets[:-1])


def relevant_words(options: Mapping[str, Any]) -> str:
    """Say in words which documents are relevant."""
    return f"relevant being grade {options['relevant']:g} and above"
