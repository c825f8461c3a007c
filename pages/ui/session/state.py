"""The session: every key has its one home here, and whatever defines the picture is mirrored in the URL.

Controls are `Param`s, like everything else with a name, a range and a default; a control's name is its
widget's key and its word in the link (`mirror`).
"""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from ltr_core import ALGORITHMS, MEASURES, Param, ParameterError
from ltr_core.datasets import DATASETS
from ltr_core.datasets.base import SEED
from ltr_core.measures import Measure

from ..kit.form import read_table
from ..runs.jobs import Job
from ..runs.presets import START, Preset
from ..runs.specs import Recipe, Workspace, recipe_of
from ..shapes.controls import PAGE_CONTROLS, step_owner, step_params
from ..sweep.controls import AskedSweeps

URL_KEY = "s"
VIA = "via"  # beside a link: somebody has come by it
FORM_WORD = "form"

SPLITS = ("train", "valid", "test", "all")

# What defines the picture, beside the data sets' and the measures' own parameters. Pages add lines here.
CONTROLS: dict[str, Param] = {
    p.name: p
    for p in (
        Param("data", "text", START.data, help="The data set."),
        Param("fold", "choice", "split", choices=("split", *map(str, range(1, 11))),
              help="One random cut of the queries, or one of the folds."),
        Param("shuffle", "int", 0, 0, 2**31 - 1, 1, help="The seed of the cut."),
        Param("measure", "choice", "ndcg", choices=tuple(MEASURES), help="What is measured."),
        Param("letor", "bool", False, help="As LETOR's own evaluation scripts count."),
        Param("loss_split", "choice", "train", choices=SPLITS),
        Param("loss_scale", "choice", "relative", choices=("relative", "raw"),
              help="Relative to the untrained model's loss, or as it is: algorithms' losses differ in unit."),
        Param("curve_split", "choice", "test", choices=SPLITS),
        Param("log_rounds", "bool", False, help="Rounds on a logarithmic axis."),
        Param("log_loss", "bool", False, help="Loss on a logarithmic axis."),
        Param("score_at", "choice", "best", choices=("best", "last"),
              help="Which round is compared on test: the best one on validation, or the last."),
        Param("all_params", "bool", False, help="Show all parameters, not only those that differ."),
        Param(FORM_WORD, "text", "", help="A recipe that the form of Compare is filled with, once."),
        *PAGE_CONTROLS,
    )
}  # fmt: skip

# Session keys that are no controls.
WORKSPACE = "_workspace"
MIRRORED = "_mirrored"  # controls and workspace as they were when the link was written
SENT = "_sent"  # that link
NOTES = "_notes"  # what of a link could not be read, as sentences
OWNER = "_owner"  # this session's name among the jobs' owners
JOBS = "_jobs"  # the jobs asked for, by key; stopped and failed ones are not started again unasked
SEEN = "_seen_over"  # ended jobs whose end is on screen
SCREEN = "_screen"  # what is on screen
FRAMED = "_framed"  # whether the frame has been drawn in this run of the app
UPLOADS = "_uploads"  # this session's files by the hash of their content
UPLOAD_FOLDER = "_upload_folder"  # where they lie
PENDING = "_pending"  # a file that was sent and is not read yet, or cannot be: its hash and its path
BESIDE = "_beside"  # the keys of trainings asked for beside the runs on screen
SWEEPS = "_sweeps"  # the sweeps asked for
LESSONS_DONE = "_lessons_done"  # the lessons whose goal this session has met
FORM = "new"  # the form's algorithm; its parameters are "new:MPBoost-lam" and so on


@cache
def params() -> dict[str, Param]:
    """Return all controls that a link may set: the fixed ones and those of every data set and measure."""
    found = dict(CONTROLS)
    owners = [(d.name, (*d.params, SEED)) for d in DATASETS.values()]
    owners += [(name, cls.params) for name, cls in MEASURES.items()]
    owners += [(step_owner(name), own) for name, own in step_params().items()]
    for owner, own in owners:
        for param in own:
            name = key(owner, param.name)
            found[name] = dataclasses.replace(param, name=name)
    return found


def key(owner: str, name: str) -> str:
    """Return the widget key of a parameter of a data set, a measure or an algorithm's form."""
    return f"{owner}-{name}"


def get(name: str) -> Any:
    """Return a control's value; one that is out of range counts as its default."""
    param = params()[name]
    try:
        return param.check(st.session_state.get(name, param.default))
    except ParameterError:
        return param.default


def put(name: str, value: Any) -> None:
    """Set a control: from a callback, or before its widget is drawn."""
    st.session_state[name] = value


def values_of(owner: str, own: tuple[Param, ...]) -> dict[str, Any]:
    """Return the values of the parameters of a data set or a measure."""
    return {p.name: get(key(owner, p.name)) for p in own}


def chosen_measure() -> Measure:
    """Return the measure with its definition."""
    name = get("measure")
    convention = "letor" if get("letor") else None
    return MEASURES[name](convention=convention, **values_of(name, MEASURES[name].params))


def workspace() -> Workspace:
    """Return the runs on screen."""
    return st.session_state[WORKSPACE]


def set_workspace(value: Workspace) -> None:
    """Change the runs on screen: from a callback."""
    st.session_state[WORKSPACE] = value


def owner() -> str:
    """Return this session's name among the jobs' owners."""
    return st.session_state.setdefault(OWNER, uuid.uuid4().hex)


def jobs() -> dict[str, Job]:
    """Return the jobs this session asked for, by key."""
    return st.session_state.setdefault(JOBS, {})


def seen_over() -> set[int]:
    """Return the ids of ended jobs whose end is on screen."""
    return st.session_state.setdefault(SEEN, set())


def forget_job(job_key: str) -> None:
    """Forget a stopped or failed job, so that it is started again. A callback."""
    jobs().pop(job_key, None)


def uploads() -> dict[str, Path]:
    """Return this session's uploaded files."""
    return st.session_state.setdefault(UPLOADS, {})


def asked_beside() -> set[str]:
    """Return the keys of trainings that were asked for beside the runs on screen."""
    return st.session_state.setdefault(BESIDE, set())


def sweeps() -> AskedSweeps:
    """Return the sweeps that were asked for."""
    return st.session_state.setdefault(SWEEPS, AskedSweeps())


def upload_folder(make: Callable[[], Any]) -> Any:
    """Return the folder of this session's files, made when it is first asked for."""
    if UPLOAD_FOLDER not in st.session_state:
        st.session_state[UPLOAD_FOLDER] = make()
    return st.session_state[UPLOAD_FOLDER]


def pending() -> tuple[str, Path] | None:
    """Return the file that was sent and is not among the data sets."""
    return st.session_state.get(PENDING)


def set_pending(file_key: str = "", path: Path | None = None) -> None:
    """Note a file that was sent; without one, that there is none."""
    st.session_state[PENDING] = None if path is None else (file_key, path)


def lessons_done() -> set[str]:
    """Return the lessons whose goal this session has met."""
    return st.session_state.setdefault(LESSONS_DONE, set())


def notes() -> list[str]:
    """Return what of the link could not be read."""
    return st.session_state.setdefault(NOTES, [])


def open_preset(preset: Preset) -> None:
    """Put a preset on screen: its data, its controls, its runs. A callback."""
    load_values({"data": preset.data, **preset.controls})
    set_workspace(preset.workspace())


def add_run(recipe: Recipe) -> None:
    """Add a run to the workspace. A callback."""
    set_workspace(workspace().add(recipe))


def remove_run(slot: int) -> None:
    """Take a run off the screen. A callback."""
    set_workspace(workspace().remove(slot))


def set_baseline(slot: int) -> None:
    """Make a run the baseline. A callback."""
    set_workspace(workspace().with_baseline(slot))


def edit_copy(slot: int) -> None:
    """Put a run's parameters into the form. A callback."""
    recipe = workspace().recipe(slot)
    if recipe is not None:
        fill_form(recipe)


def fill_form(recipe: Recipe) -> None:
    """Put a recipe into the form, exactly: from a callback, or before the form is drawn."""
    put(FORM, recipe.algorithm)
    for name, value in recipe.values().items():
        put(form_key(recipe.algorithm, name), value)


def form_key(algorithm: str, name: str) -> str:
    """Return the widget key of a parameter in the form of an algorithm."""
    return key(f"{FORM}:{algorithm}", name)


def form_values(algorithm: str, own: tuple[Param, ...]) -> dict[str, Any]:
    """Return what the form of an algorithm holds."""
    held = {p.name: st.session_state.get(form_key(algorithm, p.name), p.default) for p in own}
    return {p.name: read_table(held[p.name]) if p.kind == "table" else held[p.name] for p in own}


def form_recipe(algorithm: str) -> Recipe:
    """Return the recipe that the form of an algorithm holds, or raise a `ParameterError`."""
    return recipe_of(algorithm, form_values(algorithm, ALGORITHMS[algorithm].all_params()))


def load_values(values: Mapping[str, Any]) -> None:
    """Set the controls given, and all others to their defaults."""
    for name, param in params().items():
        put(name, values.get(name, param.default))
