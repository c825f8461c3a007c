"""`warmup`: compile every kernel before anyone waits for one.

The first call of a kernel costs up to some seconds of compilation, and some milliseconds once it lies in the
kernel cache. A few documents suffice: numba compiles for types, not for sizes. What the first page shows
comes first.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from . import data, evaluation, lingering, measures, threads
from .algorithms import ALGORITHMS, GBT, McRank, MPBoost, Ranker
from .data import RankingData
from .engines.binning.bins import bin_features
from .engines.stumps.product_step import MOST_COMPARED
from .errors import DataError, ParameterError

FIRST = ("MPBoost",)  # what the first page trains

_LOCK = threading.Lock()
_DONE = threading.Event()

Progress = Callable[[int, int, str], None]
Step = tuple[str, Callable[[], None]]


def warmup(progress: Progress | None = None) -> None:
    """Compile every kernel; does nothing from the second call on.

    Parameters
    ----------
    progress : callable, optional
        Called as ``progress(done, total, what)`` before each part, and as ``progress(total, total, "")``
        at the end.

    Notes
    -----
    May be called from any thread; a call during another one waits for it. The kernels of other threads are
    compiled in between.
    """
    with _LOCK:
        if _DONE.is_set():
            return
        _take(list(_steps()), 0, progress or (lambda done, total, what: None))
        _DONE.set()


def is_warm() -> bool:
    """Whether `warmup` has come to its end."""
    return _DONE.is_set()


def _take(steps: Sequence[Step], begin: int, progress: Progress) -> None:
    """Take one step after another, from that number on."""
    with threads.serial_only():  # others may share out meanwhile
        for done, (what, step) in enumerate(steps[begin:], begin):
            progress(done, len(steps), what)
            step()
    progress(len(steps), len(steps), "")


def fill_cache(begin: int = 0, most: int | None = None) -> None:
    """Fill the kernel cache from a process of its own, and tell on stdout how far it is: done, total, what.

    It gives way to others, and ends when the process that started it has ended; or when it has grown by
    `most` bytes, for what has been compiled is given back only then: the next one is to go on from where it
    came to. Measures first: that one begins with the first page's trainings, and measures what they give.
    """
    parent, at_first = os.getppid(), data.own_bytes()

    def note(done: int, total: int, what: str) -> None:
        if os.getppid() != parent:
            sys.exit(1)
        sys.stdout.write(f"{done} {total} {what}\n")
        sys.stdout.flush()
        if most is not None and begin < done < total and data.own_bytes() - at_first > most:
            sys.exit()

    threads.process_gives_way()
    _take([("measures", _measure), *_steps()], begin, note)


def _steps() -> Iterator[Step]:
    """Yield what is to be done, the first page's needs first."""
    yield "binning", _bin
    yield "threads", lingering.warmup
    for name in FIRST:
        yield name, partial(_train, ALGORITHMS[name], _few_documents(5))
    yield "measures", _measure
    yield "data", data.warmup
    ours = [algorithm for algorithm in ALGORITHMS.values() if not algorithm.peer]
    for algorithm in ours:
        yield algorithm.__name__, partial(_train_all_ways, algorithm, _few_documents(5))
    # Three grades or fewer are swept by kernels of their own, and queries of thousands of documents sorted.
    for algorithm in ours:
        yield f"{algorithm.__name__}, three grades", partial(_train, algorithm, _few_documents(3))
    yield "long queries", partial(_train, MPBoost, _long_query())
    yield "useless features", partial(_train, MPBoost, _useless_features())
    # A root's histogram follows from others only where documents are many and bins few.
    for algorithm in (GBT, McRank):
        yield f"{algorithm.__name__}, few bins", partial(_train, algorithm, _few_bins())
    yield "many pairs", partial(_train, MPBoost, _many_pairs(), ddf="ldd")
    for algorithm in ours:
        step = partial(_train_all_ways, algorithm, _continuous_grades())
        yield f"{algorithm.__name__}, continuous grades", step
    # More than 256 bins are another integer type, hence kernels of their own: rarely wanted, so last.
    yield "useless features, many bins", partial(_train, MPBoost, _useless_features(), max_bins=512)
    for algorithm in ours:
        if any(p.name == "max_bins" for p in algorithm.params):
            step = partial(_train, algorithm, _many_values(), max_bins=512)
            yield f"{algorithm.__name__}, many bins", step


def _measure() -> None:
    measures.warmup()
    evaluation.warmup()


def _bin() -> None:
    """Cut features with more values than bins."""
    bin_features(_many_values().X, 256)


def _few_documents(n_grades: int) -> RankingData:
    """Two queries of six documents."""
    X = np.c_[np.arange(12) % 5, np.arange(12)[::-1]].astype(np.float32)
    return RankingData(X, np.arange(12) % n_grades, np.arange(12) // 6, name="warm-up")


def _long_query() -> RankingData:
    """One query with more documents than are compared pair by pair."""
    values = np.arange(MOST_COMPARED + 1, dtype=np.float32) % 7
    return RankingData(np.c_[values, values[::-1]], values % 2, np.zeros(len(values), int), name="warm-up")


def _useless_features() -> RankingData:
    """One query whose features pull nowhere: pulls are as coarse then as with millions of documents."""
    values = np.repeat(np.arange(300, dtype=np.float32), 2)
    return RankingData(np.tile(values[:, None], 5), np.arange(600) % 2, np.zeros(600, int), name="warm-up")


def _few_bins() -> RankingData:
    """One query of many documents that have few values."""
    values = np.arange(600, dtype=np.float32) % 7
    return RankingData(np.c_[values, values[::-1]], values % 4, np.zeros(len(values), int), name="warm-up")


def _many_pairs() -> RankingData:
    """One query in which pairs have distances of their own, and are too many to be kept."""
    grades = np.linspace(0.0, 4.0, 3000)
    return RankingData(np.c_[np.arange(3000) % 7, grades.round()], grades, np.zeros(3000), name="warm-up")


def _continuous_grades() -> RankingData:
    """Two queries in which every pair has a distance of its own, and more grades than are tabulated."""
    grades = np.linspace(0.1, 4.0, 80)
    X = np.c_[np.arange(80) % 7, grades.round()]
    return RankingData(X, grades[::-1], np.arange(80) % 2, name="warm-up")


def _many_values() -> RankingData:
    """One query with more distinct feature values than fit into eight bits."""
    values = np.arange(300, dtype=np.float32)
    return RankingData(np.c_[values, values[::-1]], values.astype(int) % 3, np.ones(300, int), name="warm-up")


def _train_all_ways(algorithm: type[Ranker], rows: RankingData) -> None:
    """Train with the defaults, then with every other choice of every parameter in turn."""
    _train(algorithm, rows)
    for param in algorithm.params:
        choices = (False, True) if param.kind == "bool" else param.choices
        for choice in choices:
            if choice != param.default:
                _train(algorithm, rows, **{param.name: choice})


def _train(algorithm: type[Ranker], rows: RankingData, **values: Any) -> None:
    """Go once through all that can be done with an algorithm."""
    if algorithm.rounds_param:
        values[algorithm.rounds_param] = 2
    if any(p.name == "min_leaf" for p in algorithm.params):
        values["min_leaf"] = 1
    try:
        model = algorithm(**values).fit(rows, eval_set={"valid": rows})
    except (DataError, ParameterError):
        return  # it wants other data than these, or a table of its own
    model.predict(rows)
    model.predict(rows.X.copy(), qid=rows.qid)  # a caller's own array can be written to: another type
    if not model.needs_qid:
        model.predict(rows.X.copy())
    for _ in model.staged_predict(rows):
        pass
    if model.additive:
        model.explain(rows)
