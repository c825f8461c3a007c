"""How much each parameter of a sweep matters: the share of the values' variance that it explains.

Functional ANOVA (Hutter, Hoos, Leyton-Brown, "An efficient approach for assessing hyperparameter importance",
ICML 2014) in Optuna's implementation: a random forest is fitted to the points, and its variance is laid out
over the parameters. Interactions are nobody's, so that shares may add up to less than one; they are not
scaled up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...errors import ParameterError
from ..search.pruning import quiet_optuna
from .fit import FitStatus
from .result import Sweep

MIN_POINTS = 6  # fewer say nothing about three parameters


def importances(sweep: Sweep, seed: int = 0) -> pd.Series:
    """Return the importance of each swept parameter, the largest first.

    Only points whose fits are all done count, and only parameters that take more than one value there.

    Parameters
    ----------
    sweep : Sweep
        Finished or not.
    seed : int
        Of the random forest.
    """
    done = sweep.points[(sweep.points["status"] == FitStatus.DONE) & sweep.points["value"].notna()]
    names = [name for name in sweep.names if done[name].astype(str).nunique() > 1]
    if len(done) < MIN_POINTS or not names:
        raise ParameterError(
            f"{len(done)} finished points are too few to tell how much each parameter matters. "
            f"Try at least {MIN_POINTS}."
        )
    optuna = quiet_optuna()
    columns = {name: _coded(done[name]) for name in names}
    kinds = {name: _distribution(optuna, done[name], column) for name, column in columns.items()}
    study = optuna.create_study()
    for place, value in enumerate(done["value"]):
        params = {name: column[place] for name, column in columns.items()}
        study.add_trial(optuna.trial.create_trial(params=params, distributions=kinds, value=float(value)))
    evaluator = optuna.importance.FanovaImportanceEvaluator(seed=seed)
    series = pd.Series(evaluator.evaluate(study), name="importance", dtype=float).rename_axis("parameter")
    return series.sort_values(ascending=False, kind="stable")


def _is_listed(column: pd.Series) -> bool:
    """Whether a parameter's values are names rather than numbers."""
    return any(not isinstance(v, (int, float, np.number)) or isinstance(v, bool) for v in column)


def _coded(column: pd.Series) -> list[Any]:
    """Return numbers as they are, and names by the place at which each came first."""
    return (pd.Series(pd.factorize(column.astype(str))[0]) if _is_listed(column) else column).tolist()


def _distribution(optuna: Any, column: pd.Series, coded: list[Any]) -> Any:
    if _is_listed(column):
        return optuna.distributions.CategoricalDistribution(tuple(range(max(coded) + 1)))
    return optuna.distributions.FloatDistribution(float(min(coded)), float(max(coded)))
