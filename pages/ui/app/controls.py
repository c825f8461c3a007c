"""All controls of the dashboard: the frame's own, and those of each feature (a line below).

A control that is declared in a feature's `controls.py` and not collected here fails a test.
"""

from __future__ import annotations

from ltr_core import MEASURES, Param
from ltr_core.datasets import DATASETS
from ltr_core.datasets.parts.base import SEED

from ..compare import controls as compare
from ..data import controls as data
from ..history import controls as history
from ..inspect import controls as inspect
from ..learn import controls as learn
from ..papers import controls as papers
from ..rankings import controls as rankings
from ..runs.presets import START
from ..session import state
from ..session.mirror import FORM_WORD
from ..shapes import controls as shapes
from ..step import controls as step
from ..sweep import controls as sweep

_SPLITS = ("train", "valid", "test", "all")

FRAME = (
    Param("data", "text", START.data, help="The data set."),
    Param("fold", "choice", "split", choices=("split", *map(str, range(1, 11))),
          help="One random cut of the queries, or one of the folds."),
    Param("shuffle", "int", 0, 0, 2**31 - 1, 1, help="The seed of the cut."),
    Param("measure", "choice", "ndcg", choices=tuple(MEASURES), help="What is measured."),
    Param("letor", "bool", False, help="As LETOR's own evaluation scripts count."),
    Param("loss_split", "choice", "train", choices=_SPLITS),
    Param("loss_scale", "choice", "relative", choices=("relative", "raw"),
          help="Relative to the untrained model's loss, or as it is: algorithms' losses differ in unit."),
    Param("curve_split", "choice", "test", choices=_SPLITS),
    Param("log_rounds", "bool", False, help="Rounds on a logarithmic axis."),
    Param("smooth", "int", 1, 1, 101, 2,
          help="Each point of a curve as the mean over so many rounds around it; the curve itself stays "
          "faint. 1: as it is."),
    Param("log_loss", "bool", False, help="Loss on a logarithmic axis."),
    Param("score_at", "choice", "best", choices=("best", "last"),
          help="Which round is compared on test: the best one on validation, or the last."),
    Param("all_params", "bool", False, help="Show all parameters, not only those that differ."),
    Param(FORM_WORD, "text", "", help="A recipe that the form of Compare is filled with, once."),
)  # fmt: skip

# The order is that of the words in a link.
for page in (
    FRAME,
    shapes.CONTROLS,
    step.CONTROLS,
    rankings.CONTROLS,
    data.CONTROLS,
    inspect.CONTROLS,
    compare.CONTROLS,
    sweep.CONTROLS,
    papers.CONTROLS,
    history.CONTROLS,
    learn.CONTROLS,
):
    state.collect(page)
state.collect(learn.ANSWERS, answers=True)
for generator in DATASETS.values():
    state.collect((*generator.params, SEED), generator.name)
for name, measure in MEASURES.items():
    state.collect(measure.params, name)
for name, own in step.OF_ALGORITHM.items():
    state.collect(own, step.step_owner(name))
for owner, own in papers.settings():
    state.collect(own, owner)
