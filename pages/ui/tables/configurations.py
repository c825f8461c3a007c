"""Configurations side by side: what of them differs."""

from __future__ import annotations

from functools import lru_cache

import pandas as pd

from ..runs.specs import Recipe
from ..style.methods import method
from ..style.words import param_label, value_label


@lru_cache(maxsize=64)
def differences(recipes: tuple[tuple[str, Recipe], ...], everything: bool = False) -> pd.DataFrame:
    """Return the configurations side by side as texts: rows that differ, or `everything`; not to be changed.

    A column for each run, a row for each parameter; "–" where a parameter has no effect. What only one of the
    algorithms has counts as different where it was changed: else two methods differ in all that each has.
    """
    table: dict[str, dict[str, str]] = {}
    owned: dict[str, list[str]] = {}  # by run: what its algorithm has
    changed = set()
    for name, recipe in recipes:
        cls, values = method(recipe.algorithm), recipe.values()
        owned[name] = ["algorithm", *map(param_label, cls.all_params())]
        table[name] = {"algorithm": cls.label or recipe.algorithm}
        for param in cls.all_params():
            if values[param.name] != param.default:
                changed.add(param_label(param))
            if param.applies(values):
                table[name][param_label(param)] = value_label(param, values[param.name])
    frame = pd.DataFrame(table, dtype=object).fillna("–")
    order = dict.fromkeys(label for labels in owned.values() for label in labels)
    frame = frame.reindex([label for label in order if label in frame.index])
    if frame.empty or everything:
        return frame
    owners = {label: [name for name in frame if label in owned[name]] for label in frame.index}
    differs = [
        frame.loc[label, owners[label]].nunique() > 1 or label in changed and frame.loc[label].nunique() > 1
        for label in frame.index
    ]
    return frame[differs]
