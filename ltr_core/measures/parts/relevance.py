"""Relevant or not: the binary reading of grades that P@n, MAP and MRR share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .base import EMPTY_VALUES, frozen


def mark_relevant(y: np.ndarray, offsets: np.ndarray, threshold: float) -> tuple[np.ndarray, np.ndarray]:
    """Return which documents are relevant (uint8), and which queries have none."""
    relevant = y >= threshold
    return frozen(relevant.view(np.uint8)), ~np.logical_or.reduceat(relevant, offsets[:-1])


def put_empty(values: np.ndarray, empty: np.ndarray, rule: str) -> np.ndarray:
    """Give the queries without a relevant document what the rule says."""
    values[empty] = EMPTY_VALUES[rule]
    return values


def relevant_words(options: Mapping[str, Any]) -> str:
    """Say in words which documents are relevant."""
    return f"relevant being grade {options['relevant']:g} and above"
