"""Results of exhibits: kept like runs, in memory and on disk; stored with the program; computed as jobs."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ltr_core.evaluation import State
from ltr_core.files import whole_file
from ltr_core.papers import Result, answers
from ltr_core.papers.stored import stored

from ..runs.jobs import Job
from ..runs.services import services
from ..runs.store import core_version, latest_first
from ..session import state
from .shown import Shown
from .work import compute

_LOG = logging.getLogger(__name__)
_MAX_BYTES = 64 << 20
AT_ONCE = 1.0  # seconds: what takes less is computed while the page is drawn
WHO = "papers"


@dataclass(frozen=True)
class Held:
    """A result, how long it took, and where it comes from: "here", or the versions that stored it."""

    result: Result
    seconds: float
    versions: Mapping[str, str] | None = None


def key_of(shown: Shown, values: Mapping[str, Any]) -> str:
    """Return the key of a result: exhibit, settings, and the files that it reads, if it reads any."""
    exhibit = shown.exhibit
    stamp = exhibit.stamp(dict(values)) if exhibit.stamp is not None else ""
    text = json.dumps([shown.owner, exhibit.checked(values), stamp], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


def find(shown: Shown, values: Mapping[str, Any]) -> Held | None:
    """Return a result that is there: computed here, or stored with the program."""
    key = key_of(shown, values)
    held = services().memo.get(("exhibit", key))
    if held is None:
        held = _read(key) or _as_stored(shown, values)
        if held is not None:
            _remember(key, held)
    return held


def held_by(shown: Shown, values: Mapping[str, Any]) -> Held | None:
    """Return a result that is in memory, without looking anywhere else."""
    return services().memo.get(("exhibit", key_of(shown, values)))


def states_of(shown: Shown) -> Counter[State]:
    """Count an exhibit's verdicts: of its result if that is in memory, else those that come with it."""
    values = shown.values()
    held = held_by(shown, values)
    if held is not None:
        return Counter(verdict.state for verdict in held.result.verdicts)
    by_seed = answers(shown.paper.id, shown.exhibit.id) if values == shown.exhibit.checked() else {}
    return Counter(told.first for told in by_seed.values())


def compute_now(shown: Shown, values: Mapping[str, Any]) -> Held:
    """Compute what takes a moment."""
    started = time.perf_counter()
    result = shown.exhibit.run(values)
    return _remember(key_of(shown, values), Held(result, time.perf_counter() - started))


def job_of(shown: Shown, values: Mapping[str, Any]) -> Job | None:
    """Return this session's job for a result, or one under way that is joined."""
    key, mine = _job_key(shown, values), state.jobs()
    running = services().runner.find(key)
    if key not in mine and running is not None and not running.cancelled.is_set():
        mine[key] = services().runner.submit(key, running.label, 1, running.work, state.owner())
        _note(key)
    return mine.get(key)


def start(shown: Shown, values: Mapping[str, Any]) -> None:
    """Compute a result in the background, again where there is one. A callback's work."""
    key, result_key = _job_key(shown, values), key_of(shown, values)
    given = shown.paper.id, shown.exhibit.id, dict(values)
    crew = services().crew

    def work(job: Job) -> Held:
        def hear(told: tuple[int, int]) -> None:
            job.iteration, job.n_rounds = told

        if crew is None:
            result, took = compute((), *given, hear, job.cancelled)
        else:
            result, took = crew.run(compute, {}, given, hear, job.cancelled)
        held = _remember(result_key, Held(result, took))
        _write(result_key, held)
        return held

    state.forget_job(key)
    label = f"{shown.paper.label}, {shown.exhibit.name}"
    state.jobs()[key] = services().runner.submit(key, label, 1, work, state.owner())
    _note(key)


def stop(shown: Shown, values: Mapping[str, Any]) -> None:
    """Give a result up. A callback."""
    key = _job_key(shown, values)
    kept = services().runner.leave(key, state.owner())
    if kept is not None:
        state.jobs()[key] = kept


def _job_key(shown: Shown, values: Mapping[str, Any]) -> str:
    return f"exhibit-{key_of(shown, values)}"


def _note(key: str) -> None:
    keys, mine = state.beside(WHO), state.jobs()
    keys -= {one for one in keys if one in mine and mine[one].is_over}
    keys.add(key)


def _remember(key: str, held: Held) -> Held:
    weight = 200.0 * sum(chart.frame.size for chart in held.result.charts)
    return services().memo.put(("exhibit", key), held, weight)


def _as_stored(shown: Shown, values: Mapping[str, Any]) -> Held | None:
    found = stored(shown.paper, shown.exhibit, values)
    return None if found is None else Held(found.result, found.seconds, found.versions)


def _path(key: str) -> Path:
    return services().store.root / f"exhibits-{core_version()}" / f"{key}.json"


def _read(key: str) -> Held | None:
    path = _path(key)
    try:
        head, _, body = path.read_text(encoding="utf-8").partition("\n")
        checksum, seconds = head.split(" ")
        if checksum != hashlib.blake2b(body.encode(), digest_size=16).hexdigest():
            raise ValueError("its checksum does not fit")
        return Held(Result.from_json(body), float(seconds))
    except FileNotFoundError:
        return None
    except OSError as error:  # it may be whole: there are no more file handles, say
        _LOG.warning("The stored result %s cannot be read: %s", path.name, error)
        return None
    except ValueError as error:
        _LOG.warning("The stored result %s is dropped: %s", path.name, error)
        with suppress(OSError):
            path.unlink(missing_ok=True)
        return None


def _write(key: str, held: Held) -> None:
    path, body = _path(key), held.result.to_json()
    checksum = hashlib.blake2b(body.encode(), digest_size=16).hexdigest()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as temporary:
            temporary.write_text(f"{checksum} {held.seconds!r}\n{body}", encoding="utf-8")
        _prune(path)
    except OSError as error:  # a full or read-only disk: memory is enough
        _LOG.warning("The result %s is kept in memory only: %s", path.name, error)


def _prune(but: Path) -> None:
    """Delete the oldest results beyond the budget, other versions' among them."""
    total = 0
    for path, size in latest_first(services().store.root.glob("exhibits-*/*.json")):
        total += size
        if total > _MAX_BYTES and path != but:
            path.unlink(missing_ok=True)
