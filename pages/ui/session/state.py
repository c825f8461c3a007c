"""The session: every key has its one home here, and whatever defines the picture is mirrored in the URL.

Controls are `Param`s, like everything else with a name, a range and a default; a control's name is its
widget's key and its word in the link (`mirror`). Which controls there are, the app says (`app/controls.py`):
the session knows no page.
"""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from ltr_core import MEASURES, Param, ParameterError
from ltr_core.measures import Measure

from ..runs.jobs import Job
from ..runs.specs import Recipe, Workspace

Held = TypeVar("Held")

URL_KEY = "s"
VIA = "via"  # beside a link: somebody has come by it

CONTROLS: dict[str, Param] = {}  # all that a link may set, by name, in the order of a link's words
ANSWERS: set[str] = set()  # those of them that a link does not bring to another session: what a person found

# Session keys that are no controls.
WORKSPACE = "_workspace"
MIRRORED = "_mirrored"  # controls and workspace as they were when the link was written
SENT = "_sent"  # that link
LOADING = "_loading"  # a link that is being put on screen
TURNED = "_turned"  # when the page of the last Back or Forward was drawn; infinity: it is not yet
NOTES = "_notes"  # what of a link could not be read, as sentences
OWNER = "_owner"  # this session's name among the jobs' owners
JOBS = "_jobs"  # the jobs asked for, by key; stopped and failed ones are not started again unasked
SEEN = "_seen_over"  # ended jobs whose end is on screen
SCREEN = "_screen"  # what is on screen
FRAMED = "_framed"  # whether the frame has been drawn in this run of the app
GROWING = "_growing"  # what of the page grows, and how often it is looked at
RANKINGS = "_rankings"  # this session's files of rankings by the hash of their content
UPLOADS = "_uploads"  # this session's files by the hash of their content
UPLOAD_FOLDER = "_upload_folder"  # where they lie
PENDING = "_pending"  # a file that was sent and is not read yet, or cannot be: its hash and its path
BESIDE = "_beside"  # the keys of jobs asked for beside the runs on screen, by who asked
SHIPPED = "_shipped"  # the keys of the runs that this session saw as they came with this version
LESSONS_DONE = "_lessons_done"  # the lessons whose goal this session has met


# Controls ---------------------------------------------------------------------------------------------------


def collect(params: Iterable[Param], owner: str = "", answers: bool = False) -> None:
    """Add controls: those of a page by their own names, those of a data set or a measure behind its name.

    What is an answer goes back to its default where a session begins with a link.
    """
    for param in params:
        name = key(owner, param.name) if owner else param.name
        if name in CONTROLS:
            raise ValueError(f"the control {name} is collected twice")
        CONTROLS[name] = dataclasses.replace(param, name=name)
        if answers:
            ANSWERS.add(name)


def key(owner: str, name: str) -> str:
    """Return the widget key of a parameter of a data set, a measure or an algorithm's form."""
    return f"{owner}-{name}"


def get(name: str) -> Any:
    """Return a control's value; one that is out of range counts as its default."""
    value = st.session_state.get(name, CONTROLS[name].default)
    try:
        return _checked(name, value)
    except TypeError:  # a table from a link may hold anything, and what has no hash is not remembered
        return _checked.__wrapped__(name, value)


@lru_cache(2048, typed=True)
def _checked(name: str, value: Any) -> Any:
    """Check a value once, not each time it is read: some 500 times in a run of Compare."""
    try:
        return CONTROLS[name].check(value)
    except ParameterError:
        return CONTROLS[name].default


def changed() -> dict[str, Any]:
    """Return the controls that are not at their defaults, all in one pass."""
    held = st.session_state.to_dict()
    moved = [name for name, param in CONTROLS.items() if held.get(name, param.default) != param.default]
    return {name: value for name in moved if (value := get(name)) != CONTROLS[name].default}


def put(name: str, value: Any) -> None:
    """Set a control: from a callback, or before its widget is drawn."""
    st.session_state[name] = value


def reset(*names: str) -> None:
    """Set controls to their defaults: from a callback."""
    for name in names:
        put(name, CONTROLS[name].default)


def load_values(values: Mapping[str, Any]) -> None:
    """Set the controls given, and all others to their defaults.

    What is at its default is not kept: Streamlit goes through all that a session holds with each field drawn.
    """
    for name, param in CONTROLS.items():
        if name in values and values[name] != param.default:
            put(name, values[name])
        elif name in st.session_state:
            del st.session_state[name]


def say_again() -> None:
    """Tell the browser every control's value: a run that was stopped may have told it others, or none."""
    for name in CONTROLS:
        if name in st.session_state:
            put(name, get(name))


def values_of(owner: str, own: Iterable[Param]) -> dict[str, Any]:
    """Return the values of the parameters of a data set or a measure."""
    begin = key(owner, "")
    return {p.name: get(begin + p.name) for p in own}


def chosen_measure() -> Measure:
    """Return the measure with its definition."""
    cls = MEASURES[get("measure")]
    return cls(convention="letor" if get("letor") else None, **values_of(cls.name, cls.params))


# Runs and jobs ----------------------------------------------------------------------------------------------


def workspace() -> Workspace:
    """Return the runs on screen."""
    return st.session_state[WORKSPACE]


def set_workspace(value: Workspace) -> None:
    """Change the runs on screen: from a callback."""
    st.session_state[WORKSPACE] = value


def add_run(recipe: Recipe) -> None:
    """Add a run to the workspace. A callback."""
    set_workspace(workspace().add(recipe))


def remove_run(slot: int) -> None:
    """Take a run off the screen. A callback."""
    set_workspace(workspace().remove(slot))


def set_baseline(slot: int) -> None:
    """Make a run the baseline. A callback."""
    set_workspace(workspace().with_baseline(slot))


def held(name: str, make: Callable[[], Held]) -> Held:
    """Return what the session holds under a key of its own, made when it is first asked for."""
    if name not in st.session_state:
        st.session_state[name] = make()
    return st.session_state[name]


def told(key: str) -> dict[str, Any]:
    """Return what a component tells, in its callback; nothing where it has gone, as after a hop."""
    return st.session_state.get(key) or {}


def owner() -> str:
    """Return this session's name among the jobs' owners."""
    return held(OWNER, lambda: uuid.uuid4().hex)


def jobs() -> dict[str, Job]:
    """Return the jobs this session asked for, by key."""
    return held(JOBS, dict)


def rounds() -> tuple[tuple[str, int, str], ...]:
    """Return how far this session's jobs are."""
    return tuple((job.key, job.iteration, job.status) for job in jobs().values())


def forget_job(job_key: str) -> None:
    """Forget a stopped or failed job, so that it is started again. A callback."""
    jobs().pop(job_key, None)


def seen_over() -> set[int]:
    """Return the ids of ended jobs whose end is on screen."""
    return held(SEEN, set)


def beside(who: str) -> set[str]:
    """Return the keys of the jobs that a page asked for beside the runs on screen."""
    return held(BESIDE, dict[str, set[str]]).setdefault(who, set())


def asked_beside() -> set[str]:
    """Return the keys of all jobs that were asked for beside the runs on screen."""
    return set().union(*held(BESIDE, dict[str, set[str]]).values())


# Files, lessons, notes --------------------------------------------------------------------------------------


def uploads() -> dict[str, Path]:
    """Return this session's uploaded files."""
    return held(UPLOADS, dict)


def rankings() -> dict[str, Path]:
    """Return the files of rankings that this session has brought along."""
    return held(RANKINGS, dict)


def pending() -> tuple[str, Path] | None:
    """Return the file that was sent and is not among the data sets."""
    return st.session_state.get(PENDING)


def set_pending(file_key: str = "", path: Path | None = None) -> None:
    """Note a file that was sent; without one, that there is none."""
    st.session_state[PENDING] = None if path is None else (file_key, path)


def lessons_done() -> set[str]:
    """Return the lessons whose goal this session has met."""
    return held(LESSONS_DONE, set)


def notes() -> list[str]:
    """Return what of the link could not be read."""
    return held(NOTES, list)
