"""One fit of a sweep: what is asked, and what came of it."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from ...algorithms import Ranker

_LARGEST = 80_000_000  # bytes of the values by query of one fit: ten million queries


class FitStatus(StrEnum):
    """Where a fit stands, or a point with all its fits, or the sweep itself."""

    DONE = "done"
    PRUNED = "pruned"
    FAILED = "failed"
    UNFINISHED = "unfinished"  # a point some of whose fits are missing
    CANCELLED = "cancelled"


WORST_FIRST = (FitStatus.FAILED, FitStatus.PRUNED)  # what a point is said to be, whatever its other fits are


@dataclass(frozen=True)
class Task:
    """One fit: the fold, its data by fingerprint, and the seed."""

    fold: int
    seed: int
    train: str
    valid: str


@dataclass
class Fit:
    """What came of a task.

    `error` is a failed one's sentence. `curves` has the values by split, measure and iteration; `queries` the
    first measure of each validation query, by round.
    """

    task: Task
    status: FitStatus = FitStatus.DONE
    error: str | None = None
    n_iter: int = 0
    stopped: str = ""
    seconds: float = 0.0
    curves: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    queries: dict[int, str] = field(default_factory=dict)
    rungs: dict[str, float] = field(default_factory=dict)
    model: Ranker | None = None

    def curve(self, split: str, measure: str) -> np.ndarray:
        """Return one curve, iteration 0 first."""
        return np.array(self.curves[split][measure], dtype=np.float64)


def compared_round(curve: np.ndarray, n_rounds: int, score_at: str, higher_is_better: bool) -> int:
    """Return the round at which a training of so many rounds is judged: its last one or its first best one.

    `curve` is the measure on validation, iteration 0 first; it may go on behind the rounds that count.
    """
    end = min(n_rounds, len(curve) - 1)
    signed = curve[: end + 1] if higher_is_better else -curve[: end + 1]
    return int(np.nanargmax(signed)) if score_at == "best" and not np.isnan(signed).all() else end


def pack_values(values: np.ndarray) -> str:
    """Return numbers as short text, to the same bits."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(values, dtype="<f8").tobytes())).decode()


def check_packed(text: str) -> None:
    """Raise a `ValueError` where a text is not one of `pack_values`, or a bomb."""
    unpacking = zlib.decompressobj()
    try:
        values = unpacking.decompress(base64.b64decode(text, validate=True), _LARGEST)
    except zlib.error as error:
        raise ValueError(f"values that cannot be unpacked: {error}") from None
    if not unpacking.eof or len(values) % 8:
        raise ValueError("values by query that are cut, or too many")


def unpack_values(text: str) -> np.ndarray:
    """Return the numbers of `pack_values`."""
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<f8")
