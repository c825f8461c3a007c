"""Configurations side by side: what of them differs."""

from __future__ import annotations

from functools import lru_cache

import pandas as pd

from ltr_core import ALGORITHMS

from ..runs.specs import Recipe
from ..style.words import param_label, value_label


@lru_cache(maxsize=64)
def differences(recipes: tuple[tuple[str, Recipe], ...], everything: bool = False) -> pd.DataFrame:
    """Return the configurations side by side as texts: rows that differ, or `everything`; not to be changed.

    A column for each run, a row for each parameter; "–" where a parameter has no effect.
    """
    table: dict[str, dict[str, str]] = {}
    order = ["algorithm"]
    for name, recipe in recipes:
        cls, values = ALGORITHMS[recipe.algorithm], recipe.values()
        order += [param_label(param) for param in cls.all_params()]
        table[name] = {"algorithm": cls.label or recipe.algorithm}
        for param in cls.all_params():
            if param.applies(values):
                table[name][param_label(param)] = value_label(param, values[param.name])
    frame = pd.DataFrame(table, dtype=object).fillna("–")
    frame = frame.reindex([label for label in dict.fromkeys(order) if label in frame.index])
    if frame.empty or everything:
        return frame
    return frame[frame.nunique(axis=1) > 1]
