"""Numbers, names and sentences as people read them, and the labels that the registries do not carry."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from ltr_core import DISTANCES, MEASURES, Param
from ltr_core.evaluation.significance import TIE, digits_of
from ltr_core.measures import Measure

from .lettering import BETWEEN
from .methods import GIVEN, method

_LABELS = {
    "lam": "λ", "alpha": "α", "beta": "β", "ddf": "distance", "ddf_table": "distance table", "p_star": "P*",
    "random_state": "seed", "l2": "L2", "k": "k", "k1": "k1", "k3": "k3", "b": "b", "C": "C",
    "missing": "missing values", "repeat": "trained", "shape_alpha": "α", "shape_lam": "λ", "shape_beta": "β",
    "log_rounds": "Rounds on a log axis", "log_loss": "Loss on a log axis", "smooth": "Smooth over rounds",
    "l1_noise": "L1's error", "size": "mean distance", "n_docs": "documents", "all_params": "all parameters",
    "data": "data set", "fold": "split", "score_at": "the round compared", "loss_scale": "the loss's unit",
    "loss_split": "the loss's part of the data", "curve_split": "the measure's part of the data",
    "learn": "lesson", "rank_split": "which queries", "rank_against": "where ▲▼ count from",
    "rank_run": "compared run", "rank_doc": "document", "rank_why": "score of", "rank_whole": "whole lists",
    "data_part": "the part shown", "data_scale": "the bars' unit", "past_data": "on which data sets",
    "past_starred": "with a star", "shape_part": "what is drawn", "shape_ddf": "the distance looked at",
    "shape_losses": "which losses", "step_algorithm": "algorithm", "step_learn": "learn from",
    "step_data": "pages of", "step_pace": "pace", "step_round": "round", "step_query": "query",
    "step_rounds": "rounds", "step_noise": "noise", "step_seed": "seed",
    "step_weights": "which pair weights", "look_run": "run", "sweep_sampler": "search",
    "sweep_trials": "points", "sweep_pruner": "give up early",
    "sweep_seeds": "seeds", "sweep_against": "compare each point with", "one_run": "with the run",
    "table_down": "the largest first", "letor": "LETOR", "valid": "validation", "shape_table": "own table",
    "shape_gap": "the gap between the two grades", "shape_log": "losses on a log axis",
    "rank_round": "the round of all lists", "rank_features": "feature values of all documents",
    "look_tree": "round", "look_output": "tree for", "sweep_cuts": "what a sweep runs on",
    "max_grade": "highest grade", "relevant": "relevant from grade",
}  # fmt: skip
_CHOICES = {
    "exp2": "2ʳ − 1", "grade": "r", "standard": "1/log₂(1+j)", "letor": "LETOR", "average": "averaged",
    "file": "file order", "zero": "0", "one": "1", "skip": "left out", "pad": "as they are",
}  # fmt: skip
SPLIT_NAMES = {"train": "training", "valid": "validation", "test": "test", "all": "all three"}
# What the choices of the dashboard's own controls are called, where that is more than their word in the link.
_CONTROL_CHOICES = {
    "score_at": {"best": "at the best round on validation", "last": "at the last round"},
    "loss_scale": {"relative": "Relative to the start", "raw": "Raw"},
    "layout": {"overlay": "Overlay", "multiples": "Side by side"},
    "repeat": {"one": "This split", "folds": "All folds", "seeds3": "3 seeds", "seeds5": "5 seeds"},
    "rank_split": SPLIT_NAMES,
    "rank_against": {"baseline": "▲▼ from the baseline", "ideal": "from the ideal"},
    "data_scale": {"share": "shares", "documents": "documents"},
    "past_data": {"this": "on the data set in use", "all": "all data sets"},
    "shape_part": {
        "distances": "Distances between grades", "losses": "Losses of a pair", "gains": "Gains and discounts",
    },
    "shape_ddf": {"table": "own table"},
    "shape_losses": {"all": "all losses", "ddf": "exponential, by distance", "frank": "FRank's Figure 1"},
    "step_data": {"tiny": "Tiny", "own": "the data set in use"},
    "step_learn": {"one": "this query", "all": "all queries"},
    "step_weights": {"before": "it saw", "after": "it leaves"},
    "valid": {"file": "a file of its own", "cut": "cut from training"},
    "sweep_cuts": {"split": "the split", "folds": "all folds"},
}  # fmt: skip
_CONTROL_CHOICES["fold"] = {"split": "60/20/20"} | {str(n): f"Fold {n}" for n in range(1, 11)}
_CONTROL_CHOICES["measure"] = {name: measure.label for name, measure in MEASURES.items()}
# Numbers in a link that stand for something with a name on screen.
_NAMED_THERE = dict.fromkeys(("rank_run", "rank_why", "look_run", "one_run"), "one of the runs on screen")
_NAMED_THERE["sweep_against"] = "one of the sweep’s points"
_MOST_NAMED = 12  # choices that a sentence lists
_GAPS = {"error": "refuse the file", "zero": "count as 0", "query_min": "lowest of the query"}
# What stands beside a measure about its options; k stands in its name.
_OPTION_WORDS = {
    "gain": "gain {}", "discount": "discount {}", "ties": "equal scores: {}", "empty": "empty queries: {}",
    "short": "short lists: {}", "relevant": "relevant from grade {}", "percent": "{}%",
    "max_grade": "highest grade {}",
}  # fmt: skip
# What the run table can show beside a run's name: the columns of `comparison.run_table`.
COLUMNS = {
    "test": "Test", "difference": "Δ to the baseline", "p": "Is it real?", "best": "Best on validation",
    "at": "at round", "last": "Last on validation", "rounds": "Rounds", "seconds": "Time",
    "spark": "Test, by round",
}  # fmt: skip
_MEASURE_OPTIONS = ("gain", "discount", "ties", "empty", "short")


@lru_cache(2048)
def param_label(param: Param) -> str:
    """Return what a parameter is called on screen."""
    name = param.name.rpartition("-")[2]
    return _LABELS.get(name) or name.removeprefix("n_").replace("_", " ")


@lru_cache(2048, typed=True)
def choice_label(param: Param, value: Any) -> str:
    """Return what a choice is called on screen."""
    name = param.name.rpartition("-")[2]
    if value in (own := _CONTROL_CHOICES.get(name, {})):
        return own[value]
    if name in ("ddf", "shape_ddf") and value in DISTANCES:
        return DISTANCES[value].label
    if name == "missing":
        return _GAPS.get(value, str(value))
    if name in _MEASURE_OPTIONS:
        return _CHOICES.get(value, str(value))
    return str(value).replace("_", " ")


def call_choices(name: str, labels: Mapping[str, str]) -> None:
    """Say what the choices of a control are called, where a registry says it that this room does not know."""
    _CONTROL_CHOICES[name] = dict(labels)


_LONG = 8  # characters of a number in a run's name


def value_label(param: Param, value: Any) -> str:
    """Return a parameter's value as text."""
    if value is None:
        return param.none_label
    if param.kind == "choice":
        return choice_label(param, value)
    if param.kind == "bool":
        return "yes" if value else "no"
    if isinstance(value, float):
        return (f"{value:g}" if float(f"{value:g}") == value else repr(value)).replace("-", "−")
    if param.kind == "int" and param_label(param) != "seed":  # a seed counts nothing
        return whole(value)
    return str(value)


def expected(param: Param) -> str:
    """Say which values a parameter takes, in the words on screen."""
    if param.kind == "bool":
        return "yes or no"
    if param.name in _NAMED_THERE:
        return _NAMED_THERE[param.name]
    if param.kind != "choice":
        return param.expected().replace(f"or None ({param.none_label})", f"or nothing ({param.none_label})")
    if len(param.choices) > _MOST_NAMED:
        return f"one of {len(param.choices)} that the page offers"
    return "one of " + ", ".join(f"“{choice_label(param, choice)}”" for choice in param.choices)


def definition(measure: Measure) -> str:
    """Return a measure's options in a few words: what stands next to the measure on screen."""
    parts = []
    for param in type(measure).params:
        value = measure.options[param.name]
        if param.name == "k" or value is None or (param.name, value) == ("short", "pad"):
            continue
        words = _OPTION_WORDS.get(param.name, f"{param_label(param)} {{}}")
        text = value_label(param, value) if isinstance(value, str | float | int) else "a table"
        parts.append(words.format(text))
    return " · ".join(parts) or measure.describe()


class Named(Protocol):
    """What a run is named by: its algorithm, and all its parameters."""

    @property
    def algorithm(self) -> str: ...
    def values(self) -> dict[str, Any]: ...


def run_names(recipes: Sequence[Named]) -> list[str]:
    """Return a name for each run: short, and no two alike.

    Only what differs: the algorithm's label and whatever tells its runs apart; the algorithm itself is left
    out when all runs are its and differ in something. A run alone is named by what is not at its default.
    """
    return list(_run_names(tuple(recipes)))


@lru_cache(256, typed=True)
def _run_names(recipes: tuple[Named, ...]) -> list[str]:
    names = []
    for recipe in recipes:
        if recipe.algorithm == GIVEN:
            names.append(recipe.values()["name"])
            continue
        cls = method(recipe.algorithm)
        same = [r.values() for r in recipes if r.algorithm == recipe.algorithm]
        values = recipe.values()
        told = [
            _setting(p, values[p.name])
            for p in cls.all_params()
            if p.applies(values)
            and p.kind != "table"  # as wide as the page; runs that differ in it alone are numbered
            and (
                any(v[p.name] != values[p.name] for v in same)
                if len(same) > 1
                else len(recipes) == 1 and values[p.name] != p.default
            )
        ]
        alone = len(same) == len(recipes) > 1 and told
        head = [] if alone else [cls.label or recipe.algorithm]
        names.append(" ".join([*head, *filter(None, [BETWEEN.join(told)])]))
    return [f"{name} ({i + 1})" if names.count(name) > 1 else name for i, name in enumerate(names)]


def stopped_name(name: str, recipe: Named, n_rounds: int) -> str:
    """Return the name of a run that was stopped: what it had in the place of what was wished for."""
    cls, wish, unit = method(recipe.algorithm), "", "round"
    for param in cls.all_params():
        if param.name == cls.rounds_param:
            wish, unit = _setting(param, recipe.values()[param.name]), param_label(param).removesuffix("s")
    parts = (name.replace(wish, "") if wish else name).split(BETWEEN.strip())
    rest = BETWEEN.join(filter(None, (" ".join(part.split()) for part in parts)))
    return f"{rest or cls.label or recipe.algorithm} ({count(n_rounds, unit)}, stopped)"


def _setting(param: Param, value: Any) -> str:
    text = value_label(param, value)
    if isinstance(value, float) and len(text) > _LONG:  # a random point's; runs named alike are numbered
        text = f"{value:.5g}"
    if param.kind == "choice":
        return text
    if param.kind == "bool":
        return param_label(param) if value else f"no {param_label(param)}"
    label = param_label(param)
    return f"{text} {label}" if param.name.startswith("n_") else f"{label} {text}"


def whole(value: int | str) -> str:
    """Return a count with a comma at each thousand; in a text, "900–2500", that of each of its numbers."""
    return re.sub(r"\d+", lambda digits: f"{int(digits[0]):,}", str(value))


def number(value: float | None, digits: int = 4) -> str:
    """Return a number with a fixed number of digits."""
    return "–" if value is None or math.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 4) -> str:
    """Return a signed number with an arrow: never told by colour alone."""
    if math.isnan(value):
        return "–"
    if abs(value) <= TIE:
        return f"= {0:.{digits}f}"
    return f"{'▲' if value > 0 else '▼'} {value:+.{digits_of(value, digits)}f}".replace("-", "−")


def seconds(value: float | None) -> str:
    """Return a duration."""
    if value is None or math.isnan(value):
        return "–"
    if value < 10:
        return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"
    return f"{value:.0f} s" if value < 100 else f"{value / 60:.1f} min"


def ordinal(place: int) -> str:
    """Return 1st, 2nd, 3rd …"""
    end = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{end}"


def verdict(p: float, n_queries: int) -> str:
    """Say what a p-value means, in plain words."""
    if math.isnan(p):
        return "Too few queries to tell chance from skill."
    return f"On {n_queries:,} queries that {chance(p, 'is ')}."


def chance(p: float, verb: str = "") -> str:
    """Say in a few words whether a difference may be chance: one scale of p for all pages.

    `verb` is what a sentence needs, "is " or "are ".
    """
    if math.isnan(p):
        return "too few queries to tell"
    if p < 0.01:
        return f"{verb}hardly chance"
    if p < 0.05:
        return f"{verb}probably not chance"
    return "could still be chance" if p < 0.1 else "may well be chance"


def count(number_of: int, one: str, many: str = "") -> str:
    """Return "1 query", "2 queries"."""
    return f"{number_of:,} {one if number_of == 1 else many or one + 's'}"
