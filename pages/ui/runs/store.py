"""The run store: what has been trained, in memory and on disk. The same spec is trained once.

On disk an entry is a line with a checksum, the seconds it took by the clock and by its own thread, and the
measure it was followed by, then the model's JSON; it is written to a temporary file and renamed. An entry
that is damaged in any way is dropped, and the run is trained again. Entries of another version of `ltr_core`
are not looked at: an edited formula never shows old numbers. What the very first visitor sees lies beside
this file, trained when this version was made, until it has been trained here too, and compared. (diskcache
prunes by itself, but pickles, has no checksum, and takes 7 ms to put 60 kB where a file takes 0.5.)
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import os
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

import ltr_core
from ltr_core import ALGORITHMS
from ltr_core.algorithms import Ranker
from ltr_core.datasets import DATA_FOLDER
from ltr_core.evaluation import Given
from ltr_core.files import tidy, whole_file
from ltr_core.rankers import model_file

from .history import History
from .lru import Lru
from .specs import RunSpec

_LOG = logging.getLogger(__name__)
_MAX_BYTES = 256 << 20
_IN_MEMORY = 32
SHIPPED = Path(__file__).parent / "shipped"  # entries as on disk; `python -m tests.shipped` makes them
_AHEAD = 60.0  # seconds by which another machine's clock, on a shared folder, may go before this one's


@dataclass(frozen=True)
class Training:
    """A training: the spec, the model with its history, how long it took, and the measure in its history.

    `seconds` are those on the wall, `own` those of its thread without compiling (`own_seconds`); entries of
    earlier versions have not got these. `watched` is that measure in full (its repr): "ndcg@10" alone does
    not say which gain and discount. `is_shipped`: it came with this version, and was not trained here.
    """

    spec: RunSpec
    model: Ranker | Given
    seconds: float
    watched: str
    own: float | None = None
    is_shipped: bool = False

    @property
    def comparable_seconds(self) -> float:
        """Its thread's own time; that on the wall where no other is known."""
        return self.seconds if self.own is None else self.own

    @property
    def ranker(self) -> Ranker:
        """The model of what was trained here."""
        assert not isinstance(self.model, Given), f"nothing is trained for {self.spec.recipe}"
        return self.model

    @property
    def key(self) -> str:
        """The spec's key."""
        return self.spec.key

    @cached_property
    def curves(self) -> dict[tuple[str, str], np.ndarray]:
        """The history as arrays by (split, measure): the value after each iteration."""
        history = self.model.history_
        split, measure, value = (history[c].to_numpy() for c in ("split", "measure", "value"))
        names = dict.fromkeys(zip(split, measure, strict=True))
        return {name: value[(split == name[0]) & (measure == name[1])] for name in names}


def cache_folder() -> Path:
    """Return where runs are kept: `$RANKSCOPE_CACHE`, or `.cache` in the folder for data."""
    given = os.environ.get("RANKSCOPE_CACHE")
    return Path(given) if given else DATA_FOLDER / ".cache"


@cache
def core_version() -> str:
    """Return a hash of the sources that runs come from."""
    digest = hashlib.blake2b(digest_size=5)
    for path in sorted(Path(ltr_core.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Store:
    """Runs by their spec."""

    def __init__(self, folder: Path | None = None) -> None:
        self.root = folder or cache_folder()
        self.folder = self.root / f"runs-{core_version()}"
        self.history = History(self.root)
        self._memory = Lru(_IN_MEMORY)
        self._prune_lock = threading.Lock()
        self._puts = 0
        self.problem = ""  # why nothing is kept on disk, if that is so
        self.compared: dict[
            str, float
        ] = {}  # by how much what was shipped differs from the same trained here
        self._try_writing()
        for place in self.root.glob("*/"):
            tidy(place)
        self.history.catch_up(self.folder)
        self._prune()

    def get(self, spec: RunSpec) -> Training | None:
        """Return a run from memory, from disk or as shipped, or None when it has to be trained."""
        training = self._memory.get(spec.key)
        if training is None:
            training = self._read(spec, self.folder) or self._read(spec, SHIPPED)
            if training is not None:
                self._memory.put(spec.key, training)
        return training

    def put(self, training: Training) -> Training:
        """Keep a finished run."""
        shipped = self._read(training.spec, SHIPPED)
        if shipped is not None:
            self.compared[training.key] = _largest_difference(shipped, training)
        self._memory.put(training.key, training)
        if not training.spec.data.stamp.startswith("upload"):  # nothing of an upload outlives its session
            with self.history.noting(training):
                self._write(training)
        return training

    def hold(self, training: Training) -> Training:
        """Keep in memory what is no training: a ranking that was brought along."""
        self._memory.put(training.key, training)
        return training

    def _read(self, spec: RunSpec, folder: Path) -> Training | None:
        path, is_shipped = folder / f"{spec.key}.json", folder == SHIPPED
        try:
            head, _, body = path.read_bytes().partition(b"\n")
            checksum, seconds, watched = head.decode().split(" ", 2)
            if checksum != hashlib.blake2b(body, digest_size=16).hexdigest():
                raise ValueError("its checksum does not fit")
            model = model_file.from_dict(json.loads(body), ALGORITHMS, path.name)
            if type(model).__name__ != spec.recipe.algorithm:
                raise ValueError("it is another algorithm's")
            wall, _, own = seconds.partition("/")
            return Training(spec, model, float(wall), watched, float(own) if own else None, is_shipped)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:  # it may be whole: there are no more file handles, say
            _LOG.warning("The stored run %s cannot be read: %s", path.name, error)
            return None
        except (ValueError, RecursionError) as error:
            _LOG.warning("The stored run %s is dropped: %s", path.name, error)
            if not is_shipped:
                self._discard(path)
            return None

    def _write(self, training: Training) -> None:
        path = self.folder / f"{training.key}.json"
        own = "" if training.own is None else f"/{training.own!r}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as temporary:
                training.ranker.save(temporary)
                body = temporary.read_bytes()
                checksum = hashlib.blake2b(body, digest_size=16).hexdigest()
                head = f"{checksum} {training.seconds!r}{own} {training.watched}\n"
                temporary.write_bytes(head.encode() + body)
        except (OSError, ValueError, TypeError) as error:  # a full or read-only disk: memory is enough
            _LOG.warning("The run %s is kept in memory only: %s", path.name, error)
            self.problem = _why(error)
            return
        self.problem = ""
        self._puts += 1
        if self._puts % 16 == 0:
            self._prune(path)

    def _try_writing(self) -> None:
        """Find out at the start whether anything will be kept."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
        except OSError as error:
            _LOG.warning("Nothing can be kept in %s: %s", self.root, error)
            self.problem = _why(error)

    def _prune(self, but: Path | None = None) -> None:
        """Delete the oldest entries beyond the budget, other versions' entries among them."""
        with self._prune_lock:
            total = 0
            for path, size in latest_first(self.root.glob("runs-*/*.json")):
                total += size
                if total > _MAX_BYTES and path != but:
                    self._discard(path)

    @staticmethod
    def _discard(path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            _LOG.warning("%s cannot be deleted: %s", path.name, error)


def latest_first(paths: Iterable[Path]) -> list[tuple[Path, int]]:
    """Return files with their sizes, the latest first; those from when the clock was ahead come last."""
    found, now = [], time.time()
    for path in paths:
        with suppress(OSError):  # another server's pruning was faster
            stat = path.stat()
            found.append((stat.st_mtime > now + _AHEAD, -stat.st_mtime, path, stat.st_size))
    return [(path, size) for *_, path, size in sorted(found)]


def _largest_difference(one: Training, other: Training) -> float:
    """Return how far two trainings' curves lie apart at most."""
    if {name: y.shape for name, y in one.curves.items()} != {n: y.shape for n, y in other.curves.items()}:
        return math.inf
    return max(float(np.abs(y - other.curves[name]).max()) for name, y in one.curves.items())


def _why(error: Exception) -> str:
    """Return what kept something from being written; a model's own sentence has that behind it."""
    own = error if isinstance(error, OSError) else error.__context__ or error
    return str(getattr(own, "strerror", None) or own)
