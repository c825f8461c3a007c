"""Several measures of each run at once, and the run table as one arranges it, to look at and to copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ltr_core.measures import Measure

from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.store import Training
from ..style.words import COLUMNS
from .comparison import run_table
from .curves import kept, splits_of
from .outcomes import outcome, scores

_TEXTS = ("p", "spark")  # columns that are no bare number


@kept
def several(screen: Screen, measures: tuple[Measure, ...]) -> pd.DataFrame:
    """Return each run's value of several measures on test, at the round compared: slot, and one column each.

    Where a run is trained several times the values are means over its trainings.
    """
    rows = []
    for run in screen.complete:
        values = {column_of(measure): _value(screen, run, measure) for measure in measures}
        rows.append({"slot": run.slot, **values})
    return pd.DataFrame(rows, columns=["slot", *map(column_of, measures)])


def column_of(measure: Measure) -> str:
    """Return what a measure's column is called: its label without what is said of its options."""
    return measure.label.partition(" (")[0]


def _value(screen: Screen, run: Run, measure: Measure) -> float:
    rounds = outcome(screen, run).compared
    each = [_of_one(screen, *one, measure) for one in zip(run.trainings, rounds, strict=True)]
    return float(np.mean(each))


def _of_one(screen: Screen, training: Training, at: int, measure: Measure) -> float:
    def compute() -> float:
        test = splits_of(screen, training).test
        return measure.mean(test.y, scores(screen, training, "test", int(at)), test.offsets)

    key = ("one value", training.key, training.model.n_iter_, int(at), repr(measure))
    return services().memo.make(key, compute)


@kept
def arranged(
    screen: Screen, measures: tuple[Measure, ...] = (), by: str = "", down: bool = True, find: str = ""
) -> pd.DataFrame:
    """Return the run table with a column for each further measure, its rows sorted and filtered.

    Parameters
    ----------
    measures : tuple of Measure
        What else is measured.
    by : str
        A column, "run" among them; empty for the order of the workspace.
    down : bool
        Whether the largest comes first. Runs without a value come last either way.
    find : str
        Words that a run's name must hold, in any case, numbers with or without their commas.
    """
    rows = run_table(screen).merge(several(screen, measures), on="slot", how="left")
    words = _bare(find).split()
    rows = rows[[all(word in _bare(name) for word in words) for name in rows["run"]]]
    if by in rows:
        values = rows[by] if by == "run" else pd.to_numeric(rows[by], errors="coerce")
        rows = rows.loc[values.sort_values(ascending=not down, kind="stable", na_position="last").index]
    return rows.reset_index(drop=True)


def _bare(text: str) -> str:
    return text.lower().replace(",", "")


def as_texts(rows: pd.DataFrame, columns: Sequence[str], measure: str, labels: Sequence[str]) -> pd.DataFrame:
    """Return the table as texts, for a page of print: the columns asked for, then the further measures."""
    shown: dict[str, Any] = {"Run": list(rows["run"])}
    for name in columns:
        if name not in _TEXTS:
            title = f"{measure} on test" if name == "test" else COLUMNS[name]
            shown[title] = [_text(value, name) for value in rows[name]]
        elif name == "p":
            shown["p (Holm)"] = [_text(value, name) for value in rows["p"]]
    for label in labels:
        shown[label] = [_text(value, label) for value in rows[label]]
    return pd.DataFrame(shown, dtype=object)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, int | float):
        return "–" if value is None else str(value)
    if value != value:
        return "–"
    if name in ("at", "rounds"):
        return str(int(value))
    return (
        f"{value:+.4f}" if name == "difference" else f"{value:.2f} s" if name == "seconds" else f"{value:.4f}"
    )


def as_markdown(texts: pd.DataFrame) -> str:
    """Return a table as Markdown."""
    rows = [list(texts.columns), ["---", *["---:"] * (len(texts.columns) - 1)], *texts.to_numpy().tolist()]
    lines = [[str(cell).replace("|", "/") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_LATEX = {letter: f"\\{letter}" for letter in "&%#_{}$"}
_LATEX |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "Δ": r"$\Delta$"}
_LATEX |= {"λ": r"$\lambda$", "α": r"$\alpha$", "β": r"$\beta$", "–": "--", "−": "$-$"}


def as_latex(texts: pd.DataFrame) -> str:
    """Return a table as LaTeX, ruled as booktabs does."""
    cells = [list(texts.columns), *texts.to_numpy().tolist()]
    rows = [" & ".join(map(_latex, row)) + r" \\" for row in cells]
    layout = "l" + "r" * (len(texts.columns) - 1)
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule"]
    return "\n".join([*lines, r"\end{tabular}"])


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in str(text))
