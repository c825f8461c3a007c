"""What a sweep says in sentences."""

from __future__ import annotations

import pandas as pd

from ltr_core.sweeps import Estimate, FitStatus

from ..style.words import chance, count, number, seconds
from ..tables.sweep import Swept, point_name, points
from .specs import SweepSpec

JUDGED = {"best": "at the best round on validation", "last": "at the last round, on validation"}
REAL = 0.05  # below it a difference is called real
HELD_UP = 1.5  # from here on other work is said to slow the fits
_AROUND = 1.0  # seconds between a click and the first fit, and between the last one and its picture
_SHARED = 2.0  # by how many times others slow that down at most: drawing does not come after them
_DRAWING = 0.5  # cores that drawing a sweep as it grows takes, where the browser is on this machine
STATUS = {
    FitStatus.DONE: "done",
    FitStatus.PRUNED: "given up early",
    FitStatus.FAILED: "failed",
    FitStatus.UNFINISHED: "not finished",
}


def conclusion(swept: Swept) -> tuple[str, str]:
    """Say which point is best and its value on test; and how far that is known."""
    sweep = swept.sweep
    frame = sweep.points
    if sweep.chosen is None:
        failed = frame["error"].dropna() if len(frame) else frame
        if len(failed):
            return "There is no best point.", f"{len(failed):,} failed: {failed.iloc[0]}"
        return "Nothing is finished yet.", "No point is finished yet."
    done = int((frame["status"] == FitStatus.DONE).sum())
    mean = f", the mean of {count(swept.n_cuts, 'fit')}" if swept.n_cuts > 1 else ""
    at = {"best": "at its best round", "last": "at its last round"}[sweep.score_at]
    value = f"{swept.measure.label} {number(sweep.best_value)} on validation{mean}, {at}"
    sentence = f"{point_name(swept, sweep.chosen)}: {value}, the best of {count(done, 'point')}."
    if sweep.test_value is not None:
        sentence += f" On test: {number(sweep.test_value)}."
    return sentence, " ".join(filter(None, (_verdict(swept, done), _left_out(frame))))


def _verdict(swept: Swept, done: int) -> str:
    if done < 2:
        return ""
    table = points(swept, swept.sweep.chosen)
    worse = int((table["p"] < REAL).sum())
    real = chance(float(table["p"][table["p"] < REAL].max()), "is ")  # the least sure of them
    if worse == done - 1:
        return f"The difference to each of the {count(done - 1, 'other')} {real}."
    if not worse:
        return "On these queries no other point is told apart from it: the differences may well be chance."
    return (
        f"{done - 1 - worse:,} of the {count(done - 1, 'other')} cannot be told apart from it on these "
        f"queries; the difference to {worse:,} {real}."
    )


def _left_out(frame: pd.DataFrame) -> str:
    many = frame["status"].value_counts()
    parts = [
        f"{many[name]:,} {word}" for name, word in STATUS.items() if name != FitStatus.DONE and many.get(name)
    ]
    return f"Beside them: {', '.join(parts)}." if parts else ""


def estimate(spec: SweepSpec, known: Estimate, n_had: int, elsewhere: bool) -> str:
    """Say what a sweep would take."""
    fits = f"{count(known.n_points, 'point')}, {count(known.n_fits, 'fit')}"
    fits += f", {n_had:,} of them finished" if n_had else ""
    busy = " while other work keeps this machine busy" if known.slowed >= HELD_UP else ""
    each = f"one fit takes about {seconds(known.seconds_per_fit)}{busy}"
    if elsewhere:
        return f"{fits}; {each} on one core of this machine."
    less = ", less with what is given up early" if spec.pruner != "none" else ""
    most = "at most " if known.is_most else ""
    drawing = known.n_workers / max(_DRAWING, known.n_workers - _DRAWING)
    whole = known.seconds_of(known.n_fits - n_had) * drawing + _AROUND * min(_SHARED, known.slowed)
    takes = seconds(whole) if whole >= 10 else f"{whole:.0f} s"
    left = "the rest takes " if n_had else ""
    return f"{fits}; {each}: {left}{most}about {takes} on {count(known.n_workers, 'core')}{less}."
