"""Sweeps under way, and their files: started, followed, stopped, found again.

A sweep is a job of `runs.jobs`, in a lane of its own beside the trainings. Its worker writes each finished
fit into the sweep's file in the run store, which is read when the same sweep is asked for again; while it
runs, its progress carries what is finished.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

import ltr_core as ltr
from ltr_core import DataError
from ltr_core.sweeps import Estimate, Progress, Sweep, estimate_sweep

from ..runs.catalog import Entry, Splits
from ..runs.jobs import SWEEP, Job
from ..runs.services import services
from ..runs.specs import DataSpec
from ..runs.store import core_version, latest_first
from ..session import files, state
from ..style.sentences import on_screen
from ..workers.sweeping import CrewMaker
from . import words
from .asked import asked
from .specs import SweepSpec

_LOG = logging.getLogger(__name__)
SCHEDULERS = "RANKSCOPE_SCHEDULERS"  # the clusters that the server was started with
_MAX_BYTES = 256 << 20
_PATIENCE = 0.8  # seconds for which fits are measured
_AGAIN = 5.0  # seconds after which such a one is measured anew, later each time
_TURNS = 4  # how often in all
_PACE = 8.0  # the tables of a growing sweep are made anew after so many times what that takes


@dataclass
class Told:
    """What a sweep says of itself while it runs."""

    path: Path
    sweep: Sweep | None = field(repr=False)  # at first what was in its file when it began
    progress: Progress | None = None
    n_had: int = field(init=False)
    _made: tuple[int, float, float] = (-1, 0.0, 0.0)  # at how many fits, when, what it took
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self.n_had = 0 if self.sweep is None else self.sweep.n_trained

    def look(self) -> Sweep | None:
        """Return what is finished by now; a little behind where making its tables takes long."""
        with self._lock:
            progress, (at, when, took) = self.progress, self._made
            if progress and progress.done_fits != at and time.monotonic() - when > _PACE * took:
                started = time.monotonic()
                self.sweep = progress.so_far()
                self._made = progress.done_fits, time.monotonic(), time.monotonic() - started
            return self.sweep


def job_key(spec: SweepSpec) -> str:
    """Return the key of a sweep's job."""
    return f"sweep-{spec.key}"


def path_of(spec: SweepSpec) -> Path:
    """Return where a sweep is kept: in the run store; an upload's in the session's own folder."""
    folder = services().store.root / f"sweeps-{core_version()}"
    if spec.data.stamp.startswith("upload"):  # nothing of an upload outlives its session
        folder = files.folder() / "sweeps"
    return folder / f"{spec.key}.jsonl"


def find(spec: SweepSpec) -> Job | None:
    """Return a sweep's job: this session's, or one that is under way and is joined."""
    key, mine = job_key(spec), state.jobs()
    running = services().runner.find(key)
    if key not in mine and running is not None and not running.cancelled.is_set():
        mine[key] = services().runner.submit(key, running.label, 1, running.work, state.owner(), SWEEP)
        _note(spec)
    return mine.get(key)


def start(spec: SweepSpec, entry: Entry, label: str, n_fits: int, address: str = "") -> None:
    """Start a sweep, or go on with its file. A callback's work."""
    path, shared, key = path_of(spec), services(), job_key(spec)
    before = load(path)
    n_left = n_fits - (0 if before is None else before.n_trained)
    work = _work(spec, path, before, lambda cut: shared.splits(cut, entry), address)
    state.forget_job(key)
    _prune(path.parent, path)
    state.jobs()[key] = shared.runner.submit(key, label, max(1, n_left), work, state.owner(), SWEEP)
    _note(spec)


def _note(spec: SweepSpec) -> None:
    keys, mine, own = state.beside("sweep"), state.jobs(), asked()
    keys -= {key for key in keys if key in mine and mine[key].is_over}
    keys.add(job_key(spec))
    own.last, own.file, own.problem = spec, None, ""


def stop(spec: SweepSpec) -> None:
    """Stop a sweep for this session. A callback."""
    kept = services().runner.leave(job_key(spec), state.owner())
    if kept is not None:
        state.jobs()[job_key(spec)] = kept


def _work(
    spec: SweepSpec, path: Path, before: Sweep | None, data: Callable[[DataSpec], Splits], address: str
) -> Callable[[Job], Sweep]:
    crew = services().crew

    def work(job: Job) -> Sweep:
        told = job.told = Told(path, before)
        parts = [data(cut) for cut in spec.cuts]

        def hear(progress: Progress) -> None:
            told.progress, job.iteration = progress, progress.done_fits
            job.n_rounds = max(job.n_rounds, progress.done_fits)

        result = ltr.sweep(
            **spec.arguments(),
            data=[(cut.train, cut.valid, cut.test) for cut in parts],
            pruner=spec.pruner,
            seeds=spec.seeds,
            store=path,
            cancel=job.cancelled,
            on_trial=hear,
            on_fit=hear,
            executor=address or (CrewMaker(crew) if crew is not None else None),
        )
        result.models = {}  # the file has all that is shown
        return result

    return work


def load(path: Path) -> Sweep | None:
    """Return what a sweep's file holds; a damaged one is dropped, and the sweep runs anew."""
    try:
        stat = path.stat()
    except OSError:
        return None
    stamp = ("sweep", str(path), stat.st_mtime_ns, stat.st_size)
    try:
        return services().memo.make(stamp, lambda: ltr.load_sweep(path), lambda _: 6.0 * stat.st_size)
    except DataError as error:
        _LOG.warning("The stored sweep %s is dropped: %s", path.name, error)
        path.unlink(missing_ok=True)
        return None


def _prune(folder: Path, but: Path) -> None:
    """Delete the sweeps that were looked at longest ago beyond the budget, other versions' among them."""
    total = 0
    for path, size in latest_first(folder.parent.glob("sweeps*/*.jsonl")):
        total += 0 if path == but else size
        if total > _MAX_BYTES and path != but:
            path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Measured:
    """What a sweep would take, or why it cannot be said; when that was measured, for the how manieth time."""

    known: Estimate | str
    at: float
    turn: int

    @property
    def is_settled(self) -> bool:
        """Whether it stays; what holds fits up, as the trainings of others, may pass."""
        held_up = isinstance(self.known, Estimate) and self.known.slowed >= words.HELD_UP
        return not held_up or self.turn == _TURNS

    @property
    def is_old(self) -> bool:
        """Whether it is to be measured anew."""
        return not self.is_settled and time.monotonic() - self.at > _AGAIN * self.turn


def measured(spec: SweepSpec) -> Measured | None:
    """Return what was measured of a sweep last."""
    known: Measured | None = services().memo.get(("estimate", spec.key))
    return known


def estimate(spec: SweepSpec, entry: Entry) -> Measured | None:
    """Return what a sweep would take, or why it cannot be said; None while fits are being measured.

    They are a job like any other, of nobody's: it waits for its turn and is over in about a second. They are
    measured where the sweep's own will run, and leave there what those would have to load. An estimate that
    is old stays until there is another.
    """
    shared, crew, before = services(), services().crew, measured(spec)
    if before is not None and not before.is_old:
        return before

    def work(job: Job) -> None:
        try:
            first = shared.splits(spec.cuts[0], entry)
            known: Estimate | str = estimate_sweep(
                **spec.arguments(),
                data=[(first.train, first.valid, first.test)] * len(spec.cuts),  # one stands for all
                n_seeds=len(spec.seeds),
                patience=_PATIENCE,
                executor=CrewMaker(crew) if crew is not None else None,
            )
        except ValueError as error:
            known = on_screen(error)
        except Exception:
            _LOG.exception("an estimate failed")
            known = "How long it would take could not be measured; the server's log has the details."
        turn = 1 + (before.turn if before else 0)
        shared.memo.put(("estimate", spec.key), Measured(known, time.monotonic(), turn))

    shared.runner.submit(f"estimate-{spec.key}", "Estimate", 1, work, "estimates", size=0)
    return before


def refusal(address: str) -> str:
    """Return why this server may not be sent to a cluster at an address; empty when it may.

    Whoever answers there is trusted with the server. So clusters elsewhere are named by whoever started it;
    the person at this machine may name one on it.
    """
    if not address or address in os.environ.get(SCHEDULERS, "").split():
        return ""
    if str(st.get_option("server.address")) not in ("localhost", "127.0.0.1", "::1"):
        return "This server is open to others, and names no cluster but those it was started with."
    if not _is_on_this_machine(address):
        return (
            "This server speaks to clusters on this machine, and to those it was started with: "
            "make run SCHEDULER=tcp://…"
        )
    return ""


def _is_on_this_machine(address: str) -> bool:
    try:
        place = urlsplit(address if "://" in address else f"tcp://{address}")
        host = place.hostname or ""
        return place.scheme in ("tcp", "tls") and (host == "localhost" or ip_address(host).is_loopback)
    except ValueError:
        return False
