"""What a sweep says in sentences."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ltr_core.sweeps import Estimate

from ..style.words import count, number, seconds
from ..tables.sweep import Shown, point_name, points
from .specs import SweepSpec

REAL = 0.05  # below it a difference is called real


@dataclass(frozen=True)
class Headline:
    """The sentence that reads a sweep, and what to make of it."""

    sentence: str
    verdict: str


def headline(seen: Shown) -> Headline:
    """Say which point is best, by how much it is known, and its value on test."""
    sweep = seen.sweep
    frame = sweep.points
    if sweep.chosen is None:
        failed = frame["error"].dropna() if len(frame) else frame
        why = f"{len(failed)} failed: {failed.iloc[0]}" if len(failed) else "No point is finished yet."
        return Headline("There is no best point." if len(failed) else "Nothing is finished yet.", why)
    done = int((frame["status"] == "done").sum())
    mean = f", the mean of {count(seen.n_fits, 'fit')}" if seen.n_fits > 1 else ""
    sentence = (
        f"{point_name(seen, sweep.chosen)}: {seen.measure} {number(sweep.best_value)} on validation{mean}, "
        f"the best of {count(done, 'point')}."
    )
    if sweep.test_value is not None:
        sentence += f" On test: {number(sweep.test_value)}."
    return Headline(sentence, " ".join(filter(None, (_verdict(seen, done), _left_out(frame)))))


def _verdict(seen: Shown, done: int) -> str:
    if done < 2:
        return ""
    table = points(seen, seen.sweep.chosen)
    worse = int((table["p"] < REAL).sum())
    if worse == done - 1:
        return f"The difference to each of the {count(done - 1, 'other')} is probably not chance."
    if not worse:
        return "On these queries no other point is told apart from it: the differences may well be chance."
    return (
        f"{done - 1 - worse} of the {count(done - 1, 'other')} cannot be told apart from it on these "
        f"queries; the difference to {worse} is probably not chance."
    )


def _left_out(frame: pd.DataFrame) -> str:
    words = {"pruned": "given up early", "failed": "failed", "unfinished": "not finished"}
    many = frame["status"].value_counts()
    parts = [f"{many[status]} {text}" for status, text in words.items() if many.get(status)]
    return f"Beside them: {', '.join(parts)}." if parts else ""


def estimate(spec: SweepSpec, known: Estimate, had: int, elsewhere: bool) -> str:
    """Say what a sweep would take."""
    fits = f"{count(known.n_points, 'point')}, {count(known.n_fits, 'fit')}"
    if had:
        return f"{fits}, {had:,} of them finished; one takes about {seconds(known.seconds_per_fit)}."
    each = f"one fit takes about {seconds(known.seconds_per_fit)}"
    if elsewhere:
        return f"{fits}; {each} on one core of this machine."
    less = ", less with what is given up early" if spec.pruner != "none" else ""
    cores = count(known.n_workers, "core")
    return f"{fits}; {each}: about {seconds(known.seconds)} on {cores}{less}."
