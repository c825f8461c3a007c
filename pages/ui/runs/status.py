"""Where a training stands, and a run with all its trainings: one set of words for every room."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Where a training stands; the last two are of a run that is trained several times."""

    IDLE = "idle"  # there are no data to train on
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    ALONE = "alone"  # its own training was stopped, so it is not repeated
    REST = "rest"  # not all of its trainings are there: they were stopped, or one failed


UNDER_WAY = (Status.WAITING, Status.RUNNING)
