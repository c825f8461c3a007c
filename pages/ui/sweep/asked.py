"""What a session keeps of its sweeps, beside the keys of their jobs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..session import state
from .specs import SweepSpec

_KEY = "_sweeps"


@dataclass
class Asked:
    """The sweep started last, whose results stay while the next is set up; and a file that was sent.

    `problem` says why the file cannot be opened.
    """

    last: SweepSpec | None = None
    file: Path | None = None
    problem: str = ""


def asked() -> Asked:
    """Return this session's."""
    return state.held(_KEY, Asked)
