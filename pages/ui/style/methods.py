"""What makes a run: one of the algorithms, or a ranking that somebody brought along as a file."""

from __future__ import annotations

from typing import Any

from ltr_core import ALGORITHMS
from ltr_core.evaluation import Given

GIVEN = Given.__name__


def is_known(name: str) -> bool:
    """Whether there is such an algorithm, or it is the name of what is brought along."""
    return name == GIVEN or name in ALGORITHMS


def method(name: str) -> Any:
    """Return the class of what makes a run: its label, its parameters."""
    return Given if name == GIVEN else ALGORITHMS[name]
