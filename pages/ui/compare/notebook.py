"""The comparison on screen as a notebook: each run made again, its number, and what it is compared with."""

from __future__ import annotations

import json
from typing import Any

from ..runs.screens import Run, Screen
from ..style.words import definition
from . import exports


def as_notebook(screen: Screen, link: str) -> str:
    """Return the notebook as JSON; run, it has the numbers on screen, to which the link leads."""
    data, words = screen.entry.label, f"{screen.measure.label}: {definition(screen.measure)}"
    told = f"# {data}\n\n{words}\n\nThe same in the dashboard: `?s={link}`"
    cells = [_words(told), _code("systems = {}")]
    once = all(len(run.trainings) <= 1 for run in screen.finished)
    for run in screen.finished:
        cells.append(_words(f"## {run.name}"))
        cells.append(_code(exports.python_lines(screen, run).rstrip() + (_kept(screen, run) if once else "")))
    if once and len(screen.finished) > 1 and screen.baseline in screen.finished:
        cells.append(_words("## Is the difference real?"))
        baseline = screen.baseline.name
        cells.append(_code(f"ltr.compare(systems, test, measure, baseline={baseline!r})"))
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": numbered, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _kept(screen: Screen, run: Run) -> str:
    """Return the line that keeps a run's scores for the comparison at the end."""
    scores = "file" if run.recipe.is_given else f"model.predict(test, iteration={screen.score_at!r})"
    return f"\nsystems[{run.name!r}] = {scores}"


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(text: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}
