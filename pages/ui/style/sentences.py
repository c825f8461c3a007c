"""What the library says, in the words on screen: parameters by their labels, not by their names in Python."""

from __future__ import annotations

import ast
import re
from functools import cache

from ltr_core import ALGORITHMS, MEASURES, Param
from ltr_core.datasets import DATASETS

from .words import choice_label, param_label

# What it advises to write in Python, and the control that does the same.
_ADVICE = {
    'missing="zero" or missing="query_min"': "what it counts as under “missing values” below",
    ' (valid="cut")': "",
    "out with ignore=…": "out of the file",
    "Take fewer parts or more queries": "Training, validation and test need one each: add queries",
    "give ddf_table, one row for each grade": "write it under “distance table”, one row for each grade",
}
_NO_WORDS = ("lam", "alpha", "beta", "ddf")  # other names without a line below are words of English
_VALUE = (
    r"""'[^']*'|"[^"]*"|None|True|False|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"""  # as Python writes it in a sentence
)


def on_screen(said: Exception | str) -> str:
    """Return an error's sentence as the page says it."""
    sentence = str(said)
    for python, words in _ADVICE.items():
        sentence = sentence.replace(python, words)
    return _spoken().sub(_labelled, sentence).replace(", or None ", ", or nothing ")


def _labelled(found: re.Match) -> str:
    if found["bare"]:
        return param_label(_named()[found["bare"]])
    param, value = _named()[found["name"]], ast.literal_eval(found["value"])
    if isinstance(value, str):
        text = f"“{choice_label(param, value) if value in param.choices else value}”"
    elif value is None or isinstance(value, bool):
        text = {None: "nothing", True: "yes", False: "no"}[value]
    else:
        text = f"{value:,}".replace("-", "−")
    return f"{param_label(param)} = {text}"


@cache
def _named() -> dict[str, Param]:
    """Return the parameters of all registries by their names in Python."""
    params = [param for cls in ALGORITHMS.values() for param in cls.all_params()]
    params += [param for measure in MEASURES.values() for param in measure.params]
    params += [param for data_set in DATASETS.values() for param in data_set.params]
    return {param.name: param for param in params}


@cache
def _spoken() -> re.Pattern:
    """Return where a sentence names a parameter: with its value, or by what is a word in Python only."""
    bare = [name for name in _named() if "_" in name or name in _NO_WORDS]
    names, odd = ("|".join(some) for some in (_named(), bare))
    valued = rf"(?P<name>{names}) ?= ?(?P<value>{_VALUE})"
    return re.compile(rf"(?<![\w(.“])(?:{valued}|(?P<bare>{odd}))(?!\w|\.\w)")
