"""What all sessions share, made once for the server: run store, workers, caches, warm-up. And who is here."""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import streamlit as st

from ltr_core.data import free_bytes, total_bytes
from ltr_core.evaluation import read_given
from ltr_core.measures import Measure
from ltr_core.threads import freeze_anew, freeze_loaded, short_turns

from ..workers import scratch
from ..workers.crew import Crew
from .catalog import UPLOAD, Entry, Splits, load
from .jobs import Runner
from .lru import Lru
from .process import collecting
from .process.room import Room, has_room
from .specs import DataSpec, RunSpec
from .store import Store, Training
from .warm import WarmUp

SMALL = 2 << 30  # bytes: with less, of the machine or of a container, workers take what trainings need


_PIECE = 96 << 20  # bytes that a process which compiles may grow by, before another goes on
_WORKER = 512 << 20  # of memory that there is, to one worker process that waits for work


def is_small() -> bool:
    """Whether there is so little memory that the server keeps to one process and holds less."""
    return (total_bytes() or SMALL) < SMALL


def _data_budget() -> float:
    """Return how much memory sets of data may take: of a large machine a quarter, of a small one an eighth.

    A set above it is held all the same, until another one is asked for; two sessions would read it in turns.
    """
    return (total_bytes() or SMALL) / 8 if is_small() else max(1.5e9, (free_bytes() or 0.0) / 4)


@dataclass
class Services:
    """The shared parts."""

    store: Store = field(default_factory=Store)
    data: Lru = field(default_factory=lambda: Lru(8, _data_budget()))
    memo: Lru = field(default_factory=lambda: Lru(600, 1e8 if is_small() else 4e8))
    stages: Lru = field(default_factory=lambda: Lru(100, 1.6e7 if is_small() else 6.4e7))  # scores by round
    warm: WarmUp = field(default_factory=lambda: WarmUp(_PIECE if is_small() else None))
    ready: threading.Event = field(default_factory=threading.Event)  # set when the warm-up is over, all of it
    crew: Crew | None = field(default_factory=lambda: _make_crew())
    runner: Runner = field(init=False)

    def __post_init__(self) -> None:
        self.runner = Runner(room=Room(self._forget, lambda: not self.warm.over, self._let_go))

    def _forget(self) -> None:
        """Let go of what can be read and drawn again."""
        for held in (self.data, self.memo, self.stages):
            held.drop(lambda _: True)

    def _let_go(self) -> None:
        if self.crew is not None:
            self.crew.let_go()

    def splits(self, spec: DataSpec, entry: Entry) -> Splits:
        """Return a data set, read once. Worker threads may ask, too."""
        return self.data.make(spec, lambda: load(spec, entry), lambda splits: splits.n_bytes)

    def measured(
        self, spec: RunSpec, entry: Entry, path: Path, watch: Measure, is_kept: bool = False
    ) -> Training:
        """Return what a ranking in a file comes to on data, read once; one that is kept is remembered."""
        held = self.store.get(spec)
        if held is None:
            splits = self.splits(spec.data, entry)
            given = read_given(path, {split: splits[split] for split in ("train", "valid", "test")}, watch)
            held = self.store.hold(Training(spec, given, 0.0, repr(watch), 0.0))
            if is_kept and not spec.data.name.startswith(UPLOAD):  # nothing of an upload is noted
                self.store.history.add(held)
        return held

    def give_back(self, folder: Path) -> None:
        """Forget what was read from the files in a session's folder."""
        names = {UPLOAD + path.name for path in folder.iterdir()} if folder.is_dir() else set()

        def is_gone(key: Hashable) -> bool:
            if isinstance(key, tuple):
                return any(is_gone(part) for part in key)
            return isinstance(key, DataSpec) and key.name in names or str(folder) in str(key)

        self.data.drop(is_gone)
        self.memo.drop(is_gone)
        if names:  # worker processes know no names: what waits there is read once more
            self._let_go()

    def peek(self, spec: DataSpec) -> bool:
        """Whether a data set is in memory."""
        return self.data.get(spec) is not None


def has_processes() -> bool:
    """Whether trainings have own processes: `$RANKSCOPE_WORKERS` may say "threads", or "processes"."""
    asked = os.environ.get("RANKSCOPE_WORKERS")
    return os.name == "posix" and asked != "threads" and (asked == "processes" or not is_small())


def _make_crew() -> Crew | None:
    """Return the worker processes; what they keep of large data while they wait counts as a set of data."""
    return Crew(_n_kept(), _data_budget(), has_room) if has_processes() else None


def _n_kept() -> int:
    """Return how many worker processes are kept: one for each core, fewer where memory is short."""
    cores = os.cpu_count() or 1
    return max(1, min(cores, int((total_bytes() or _WORKER * cores) // _WORKER)))


def _warm_up(shared: Services) -> None:
    """Load the kernels; then let the collector pass over them and all modules."""
    try:
        shared.warm.run()
        if shared.crew is not None:
            shared.crew.prepare()
        freeze_anew()
    finally:
        shared.ready.set()


_MAKING = threading.Lock()


def services() -> Services:
    """Return the shared parts; the first call starts the warm-up in the background.

    They are in no cache of Streamlit's, which whoever has a WebSocket can have cleared.
    """
    with _MAKING:
        return _made()


@cache
def _made() -> Services:
    freeze_loaded()
    collecting.start()
    scratch.sweep()
    shared = Services()
    if shared.crew is None:  # pages hold one another up with short turns; only kernels beside them need any
        short_turns()
    threading.Thread(target=_warm_up, args=(shared,), name="warm-up", daemon=True).start()
    return shared


def forget() -> None:
    """Make all anew at the next call, as a server that starts."""
    with _MAKING:
        if _made.cache_info().currsize:
            crew = _made().crew
            if crew is not None:
                crew.close()
            _made.cache_clear()


@dataclass
class _Presence:
    """A session that is there; when Streamlit lets go of it, its tab is closed or its line is down."""

    owner: str
    runner: Runner

    def end(self) -> None:
        """Start the grace period."""
        self.runner.left(self.owner)


@st.cache_resource(scope="session", show_spinner=False, on_release=_Presence.end)
def _presence(owner: str) -> _Presence:
    return _Presence(owner, services().runner)


def attend(owner: str) -> None:
    """Note that this session is there."""
    _presence(owner).runner.arrived(owner)
