"""The controls that define a sweep, their words in the link."""

from __future__ import annotations

from ltr_core import Param

MOST_TRIALS = 2_000
MOST_SEEDS = 20

CONTROLS = (
    Param("sweep_start", "text", "", help="The algorithm that is swept, with the parameters that stay."),
    Param("sweep_axes", "text", "", help="The parameters that vary, each with its range or its choices."),
    Param("sweep_sampler", "choice", "grid", choices=("grid", "random", "tpe"),
          help="Every combination, random points, or points proposed by what the earlier ones have shown "
          "(Optuna's TPE)."),
    Param("sweep_trials", "int", 24, 1, MOST_TRIALS, 1, help="How many points are tried."),
    Param("sweep_pruner", "choice", "none", choices=("none", "median", "halving"),
          help="Which points are given up early: none, those below the median of the earlier ones, or all "
          "but the best third at each stage (successive halving)."),
    Param("sweep_cuts", "choice", "split", choices=("split", "folds"),
          help="Each point on the split at hand, or on every fold."),
    Param("sweep_seeds", "int", 1, 1, MOST_SEEDS, 1, help="With how many seeds each point is trained."),
    Param("sweep_against", "int", None, 0, 10_000_000, 1, optional=True, none_label="the best point",
          help="The point that all others are compared with."),
)  # fmt: skip
