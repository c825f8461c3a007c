"""The controls that define a sweep, their words in the link."""

from __future__ import annotations

from ltr_core import Param
from ltr_core.sweeps import PRUNERS, SAMPLERS

from ..style.words import call_choices

MOST_TRIALS = 2_000
MOST_SEEDS = 20


def _either(*parts: str) -> str:
    text = f"{', '.join(parts[:-1])}, or {parts[-1]}."
    return text[:1].upper() + text[1:]


_SAMPLERS = _either(*(sampler.help for sampler in SAMPLERS.values()))
_PRUNERS = _either("Which points are given up early: none", *(p.help for p in PRUNERS.values()))

call_choices("sweep_sampler", {name: sampler.label for name, sampler in SAMPLERS.items()})
call_choices("sweep_pruner", {"none": "None", **{name: pruner.label for name, pruner in PRUNERS.items()}})
CONTROLS = (
    Param("sweep_start", "text", "", help="The algorithm that is swept, with the parameters that stay."),
    Param("sweep_axes", "text", "", help="The parameters that vary, each with its range or its choices."),
    Param("sweep_sampler", "choice", "grid", choices=tuple(SAMPLERS), help=_SAMPLERS),
    Param("sweep_trials", "int", 24, 1, MOST_TRIALS, 1, help="How many points are tried."),
    Param("sweep_pruner", "choice", "none", choices=("none", *PRUNERS), help=_PRUNERS),
    Param(
        "sweep_cuts",
        "choice",
        "split",
        choices=("split", "folds"),
        help="Each point on the split at hand, or on every fold.",
    ),
    Param("sweep_seeds", "int", 1, 1, MOST_SEEDS, 1, help="With how many seeds each point is trained."),
    Param(
        "sweep_against",
        "int",
        None,
        0,
        10_000_000,
        1,
        optional=True,
        none_label="the best point",
        help="The point that all others are compared with.",
    ),
)
