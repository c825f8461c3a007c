"""`Comparison`: the table of `compare`, which says itself in sentences, as a picture and for a paper."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import pandas as pd

from ..errors import import_extra
from .verdicts import interval

_COUNTS = ("wins", "ties", "losses")
_SHOWN = ("mean", "difference", *_COUNTS, "p", "p_holm")


class Comparison(pd.DataFrame):
    """A table with a row for each system that was compared with the baseline.

    It prints every sentence whole. What pandas makes of it, such as some of its columns, is a DataFrame.

    Attributes
    ----------
    measure, baseline : str
        The measure's label and the baseline's name.
    differences : dict of arrays
        Each system minus the baseline, by query.
    """

    _metadata = ["measure", "baseline", "differences"]
    measure: str
    baseline: str
    differences: dict[str, np.ndarray]

    @property
    def sentences(self) -> list[str]:
        """What can be said of each system, in a sentence."""
        return [f"{sentence}." for sentence in self["sentence"]]

    def __repr__(self) -> str:
        return "\n".join(self.sentences)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences) + self._shown().to_html()

    def to_markdown(self) -> str:  # type: ignore[override]
        """Return the table in Markdown, the baseline first."""
        table = self._shown().reset_index()
        lines = [list(table.columns), ["---", *["---:"] * (len(table.columns) - 1)]]
        rows = [*lines, *table.itertuples(index=False)]
        return "".join("| " + " | ".join(_plain(cell) for cell in row) + " |\n" for row in rows)

    def to_latex(self) -> str:  # type: ignore[override]
        """Return the table in LaTeX, the baseline first; it needs the package booktabs."""
        table = self._shown().reset_index()
        lines = [" & ".join(map(_latex, row)) + r" \\" for row in table.itertuples(index=False)]
        head = " & ".join(map(_latex, table.columns)) + r" \\"
        rows = [r"\toprule", head, r"\midrule", *lines, r"\bottomrule"]
        columns = "l" + "r" * (len(table.columns) - 1)
        return "\n".join([f"\\begin{{tabular}}{{{columns}}}", *rows, "\\end{tabular}", ""])

    def plot(self, axes: Any = None) -> Any:  # type: ignore[override]
        """Draw each mean difference to the baseline with its 95 % interval; return matplotlib's axes.

        Parameters
        ----------
        axes : matplotlib axes, optional
            Where to; a new picture without it.
        """
        if axes is None:
            pyplot = import_extra("matplotlib.pyplot", "", "The picture of a comparison")
            axes = pyplot.subplots(figsize=(7, 0.8 + 0.4 * len(self)))[1]
        for place, name in enumerate(self.index):
            low, high = interval(self.differences[str(name)])
            axes.plot([low, high], [place, place], color="0.5", linewidth=2)
            axes.plot([self.loc[name, "difference"]], [place], "o", color="C0")
        axes.axvline(0.0, color="0.7", linewidth=1)
        axes.set_yticks(range(len(self)), [str(name) for name in self.index])
        axes.invert_yaxis()
        axes.set_xlabel(f"{self.measure}: difference to {self.baseline}, with 95 % interval")
        return axes

    def _shown(self) -> pd.DataFrame:
        """Return the numbers as they are printed, the baseline's row first."""
        rows = {self.baseline: [_digits(self["baseline_mean"].iloc[0]), *[""] * (len(_SHOWN) - 1)]}
        for name, row in self.iterrows():
            values = [str(row[c]) if c in _COUNTS else _digits(row[c]) for c in _SHOWN]
            rows[str(name)] = values
        head = [self.measure, *(name.replace("p_holm", "p (Holm)") for name in _SHOWN[1:])]
        return pd.DataFrame.from_dict(rows, orient="index", columns=head).rename_axis("system")


def _digits(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.4f}"


def _plain(cell: Any) -> str:
    return str(cell).replace("|", "\\|")


def _latex(cell: Any) -> str:
    text = str(cell).replace("\\", "\\textbackslash ")
    for sign in "&%$#_{}":
        text = text.replace(sign, f"\\{sign}")
    return f"${text}$" if text.startswith("-") else text
