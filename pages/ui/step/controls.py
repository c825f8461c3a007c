"""The controls that define the pictures of Step through: their words in the link."""

from __future__ import annotations

import dataclasses
from functools import cache

from ltr_core import ALGORITHMS, Param
from ltr_core.datasets import DATASETS

STEPPED = ("MPBoost", "RankBoost", "FRank")  # the algorithms whose rounds are laid open
_MAIN = ("ddf", "alpha", "lam", "beta", "step", "variant", "p_star", "tied_pairs")
MOST_ROUNDS = 60

CONTROLS = (
    Param("lesson", "choice", None, choices=("1", "2", "3", "4"), optional=True,
          help="A lesson of those that this page had before there was Learn: a link to one leads there."),
    Param("step_algorithm", "choice", "MPBoost", choices=STEPPED, help="Whose rounds."),
    Param("step_data", "choice", "tiny", choices=("tiny", "own"),
          help="The pages of the set Tiny, or a few of the data set in use."),
    Param("step_learn", "choice", "one", choices=("one", "all"),
          help="Learn from the pages of one query, or from those of all queries."),
    Param("step_query", "int", 1, 0, 5, 1, help="The query on screen."),
    Param("step_rounds", "int", 30, 1, MOST_ROUNDS, 1, help="How many rounds to learn."),
    Param("step_noise", "float", 0.06, 0.0, 0.5, 0.01,
          help="How far a page's values stray from those of its kind."),
    Param("step_seed", "int", 0, 0, 9999, 1, help="Which draw of the pages' values."),
    Param("step_round", "int", 1, 0, MOST_ROUNDS, 1, help="The round on screen; 0 is the untrained model."),
    Param("step_pace", "choice", "fast", choices=("fast", "slowly"),
          help="How fast the rounds are played; slowly enough to follow a page where a lesson leads here."),
    Param("step_weights", "choice", "before", choices=("before", "after"),
          help="The pair weights that the round saw, or those that it leaves to the next."),
)  # fmt: skip


def _offered(algorithm: str) -> tuple[Param, ...]:
    """Return the parameters of an algorithm that the page offers; no tables, which are made on Shapes."""
    return tuple(
        dataclasses.replace(p, choices=tuple(c for c in p.choices if c != "table"))
        for p in ALGORITHMS[algorithm].params
        if p.name in _MAIN
    )


# Their controls are called "step-MPBoost-lam" and so on.
OF_ALGORITHM = {name: _offered(name) for name in STEPPED}


def step_owner(algorithm: str) -> str:
    """Return what the keys of an algorithm's parameters on Step through begin with."""
    return f"step-{algorithm}"


@cache
def step_queries() -> tuple[str, ...]:
    """Return the queries of the set that is stepped through."""
    return tuple(str(q) for q in DATASETS["tiny"].make().query_ids)
