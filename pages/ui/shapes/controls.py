"""The controls that define the pictures of Shapes and Step through: their words in the link."""

from __future__ import annotations

import dataclasses
from functools import cache

from ltr_core import ALGORITHMS, Param
from ltr_core.datasets import DATASETS

from ..compare.controls import COMPARE
from ..data.controls import DATA
from ..inspect.controls import INSPECT
from ..rankings.controls import RANKINGS
from ..sweep.controls import SWEEP

# Shapes -----------------------------------------------------------------------------------------------------

FORMULAS = ("binary", "ldd", "logdd", "logitdd")  # the distances that are curves; "table" is a person's own
GRADES = 5  # rows of an own table at first, and grades of a table where the data have more than can be shown

SHAPES = (
    Param("shape_part", "choice", "distances", choices=("distances", "losses", "gains"),
          help="What is drawn: distances between grades, losses of a pair, or gains and discounts."),
    Param("shape_ddf", "choice", "logdd", choices=(*FORMULAS, "table"),
          help="The distance looked at closely."),
    # Figure 2 of the MPBoost paper has 0.2, 3 and 0.5.
    Param("shape_alpha", "float", 0.2, 0.01, 5.0, 0.01, help="α: the slope of LDD."),
    Param("shape_lam", "float", 3.0, 0.01, 20.0, 0.01, help="λ: how soon LOGDD bends."),
    Param("shape_beta", "float", 0.5, 0.01, 10.0, 0.01, help="β: how soon LOGITDD saturates."),
    Param("shape_table", "table", None, optional=True, help="A person's own distances."),
    Param("shape_losses", "choice", "all", choices=("all", "ddf", "frank"),
          help="All losses side by side, the exponential one with each distance, or FRank's Figure 1."),
    Param("shape_gap", "float", 2.0, 0.0, 100.0, help="How far the grades of the pair lie apart."),
    Param("shape_log", "bool", False, help="Losses on a logarithmic axis."),
)  # fmt: skip

# Step through -----------------------------------------------------------------------------------------------

STEPPED = ("MPBoost", "RankBoost", "FRank")  # the algorithms whose rounds are laid open
_MAIN = ("ddf", "alpha", "lam", "beta", "step", "variant", "p_star", "tied_pairs")
MOST_ROUNDS = 60

STEPS = (
    Param("lesson", "choice", None, choices=("1", "2", "3", "4"), optional=True, help="A guided lesson."),
    Param("step_algorithm", "choice", "MPBoost", choices=STEPPED, help="Whose rounds."),
    Param("step_learn", "choice", "one", choices=("one", "all"),
          help="Learn from the eight pages of one query, or from all six queries."),
    Param("step_query", "int", 1, 0, 5, 1, help="The query on screen."),
    Param("step_rounds", "int", 30, 1, MOST_ROUNDS, 1, help="How many rounds to learn."),
    Param("step_noise", "float", 0.06, 0.0, 0.5, 0.01,
          help="How far a page's values stray from those of its kind."),
    Param("step_seed", "int", 0, 0, 9999, 1, help="Which draw of the pages' values."),
    Param("step_round", "int", 1, 0, MOST_ROUNDS, 1, help="The round on screen; 0 is the untrained model."),
    Param("step_weights", "choice", "before", choices=("before", "after"),
          help="The pair weights that the round saw, or those that it leaves to the next."),
    Param("lesson_round", "int", None, 0, MOST_ROUNDS, 1, optional=True, none_label="the lesson's own",
          help="The round on screen in a lesson."),
    Param("lesson_ddf", "choice", "binary", choices=FORMULAS,
          help="The distance tried in the second lesson."),
)  # fmt: skip

PAGE_CONTROLS = (*SHAPES, *STEPS, *RANKINGS, *DATA, *INSPECT, *COMPARE, *SWEEP)


@cache
def step_params() -> dict[str, tuple[Param, ...]]:
    """Return for each algorithm that is laid open the parameters that its page offers."""
    found = {}
    for name in STEPPED:
        if name in ALGORITHMS:
            own = [p for p in ALGORITHMS[name].params if p.name in _MAIN]
            found[name] = tuple(
                dataclasses.replace(p, choices=tuple(c for c in p.choices if c != "table")) for p in own
            )
    return found


def step_owner(algorithm: str) -> str:
    """Return what the keys of an algorithm's parameters on Step through begin with."""
    return f"step-{algorithm}"


def step_queries() -> tuple[str, ...]:
    """Return the queries of the set that is stepped through."""
    return tuple(str(q) for q in DATASETS["tiny"].make().query_ids)
