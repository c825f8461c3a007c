"""A model as a few lines of HTML for a notebook: its parameters, how it ended, where its history stands."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Ranker

_MOST_FEATURES = 5
_ENDED = {
    "rounds": "all rounds done",
    "no gain": "nothing more to gain",
    "early stop": "stopped early",
    "cancelled": "cancelled",
}


def as_html(model: Ranker) -> str:
    """Return the table of a model, trained or not."""
    values, params = model.get_params(), (*model.all_params(), *model.in_python)
    changed = {p.name: values[p.name] for p in params if values[p.name] != p.default}
    rows = {"what it does": model.summary, "parameters": ", ".join(f"{k}={v!r}" for k, v in changed.items())}
    rows["parameters"] = rows["parameters"] or "all at their defaults"
    if hasattr(model, "n_iter_"):
        rows |= _facts(model)
    else:
        rows["training"] = "not trained yet"
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in rows.items())
    return f"<table><caption>{escape(model.label)}</caption>{cells}</table>"


def _facts(model: Ranker) -> dict[str, str]:
    rounds = f"{model.n_iter_} iteration{'s' if model.n_iter_ != 1 else ''}"
    facts = {"training": f"{rounds} ({_ENDED.get(model.stopped_, model.stopped_)})"}
    if model.iteration_ != model.n_iter_:
        facts["predicts with"] = f"iteration {model.iteration_}, the best"
    at = model.history_[model.history_["iteration"] == model.iteration_]
    for split, values in at.groupby("split", sort=False):
        told = zip(values["measure"], values["value"], strict=True)
        facts[str(split)] = ", ".join(f"{measure} {value:.4f}" for measure, value in told)
    shares = model.feature_importances_
    best = [k for k in shares.argsort(kind="stable")[::-1][:_MOST_FEATURES] if shares[k] > 0]
    if best:
        told_shares = ", ".join(f"{model.feature_names_[k]} {shares[k]:.0%}" for k in best)
        facts["features"] = told_shares
    return facts
