"""A figure in the making: plain dicts, in plotly's own words, handed to plotly once.

Plotly checks what it is given word by word, at every call, and each annotation checks those before it again:
a picture of six lines takes 37 ms so, and 10 as one dict that is taken as it is. That it would stand the
check, every test sees that draws anything (`tests/conftest.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import plotly.graph_objects as go


class Playing(go.Figure):
    """A figure whose frames are plain dicts: plotly makes an object of each trace of each frame, one by one,
    which was 60 of the 75 ms that a picture of 30 rounds took.
    """

    _played: list[dict[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain data, its frames included."""
        return super().to_dict() | ({"frames": self._played} if self._played else {})


class Sketch:
    """Traces, words, shapes and a layout; `finish` makes a figure of them.

    It is told what plotly's figures are told, by the same names: `add_scatter`, `update_xaxes`, `margin_r`.

    Parameters
    ----------
    layout : dict
        The layout to begin with, its axes included.
    n_columns : int
        Of the grid of axes, whose `row` and `col` count from 1.
    """

    def __init__(self, layout: dict[str, Any], n_columns: int = 1) -> None:
        self.layout, self._n_columns = layout, n_columns
        self.notes: list[dict[str, Any]] = layout.pop("annotations", [])
        self.shapes: list[dict[str, Any]] = []
        self.data: list[dict[str, Any]] = []
        self.frames: list[dict[str, Any]] = []

    def finish(self) -> go.Figure:
        """Return the figure."""
        added = {"annotations": self.notes, "shapes": self.shapes}
        layout = self.layout | {name: list(map(_plain, some)) for name, some in added.items() if some}
        figure = Playing(list(map(_plain, self.data)), _plain(layout), _validate=False)
        figure._played = [_plain(frame) for frame in self.frames]
        return figure

    def add_scatter(self, **trace: Any) -> None:
        """Add lines, points or words."""
        self._add("scatter", **trace)

    def add_bar(self, **trace: Any) -> None:
        """Add bars."""
        self._add("bar", **trace)

    def add_heatmap(self, **trace: Any) -> None:
        """Add a map of cells."""
        self._add("heatmap", **trace)

    def add_histogram(self, **trace: Any) -> None:
        """Add bars that count."""
        self._add("histogram", **trace)

    def add_parcoords(self, **trace: Any) -> None:
        """Add lines across parallel axes."""
        self._add("parcoords", **trace)

    def _add(self, kind: str, row: int | None = None, col: int | None = None, **trace: Any) -> None:
        if row is not None:
            trace |= {f"{axis}axis": axis + self._number(row, col) for axis in "xy"}
        self.data.append({"type": kind, **trace})

    def add_annotation(self, row: int | None = None, col: int | None = None, **note: Any) -> None:
        """Write words; with `row` and `col` on these axes, or on their domain where the note says so."""
        if row is not None:
            for name in ("xref", "yref"):
                _, *domain = note.get(name, name[0]).split()
                note[name] = " ".join([f"{name[0]}{self._number(row, col)}", *domain])
        self.notes.append(note)

    def add_shape(self, **shape: Any) -> None:
        """Add a shape."""
        self.shapes.append(shape)

    def add_hline(self, y: float, **look: Any) -> None:
        """Add a line from side to side."""
        self.add_shape(type="line", x0=0, x1=1, xref="x domain", y0=y, y1=y, yref="y", **look)

    def add_vline(self, x: float, **look: Any) -> None:
        """Add a line from bottom to top."""
        self.add_shape(type="line", x0=x, x1=x, xref="x", y0=0, y1=1, yref="y domain", **look)

    def add_vrect(self, x0: float, x1: float, **look: Any) -> None:
        """Add an area from bottom to top."""
        self.add_shape(type="rect", x0=x0, x1=x1, xref="x", y0=0, y1=1, yref="y domain", **look)

    def update_xaxes(self, row: int | None = None, col: int | None = None, **changes: Any) -> None:
        """Change the x axes, of a row or column only where one is given."""
        for name in self._axes("xaxis", row, col):
            update(self.layout[name], changes)

    def update_yaxes(self, row: int | None = None, col: int | None = None, **changes: Any) -> None:
        """Change the y axes, of a row or column only where one is given."""
        for name in self._axes("yaxis", row, col):
            update(self.layout[name], changes)

    def update_layout(self, **changes: Any) -> None:
        """Change the layout."""
        update(self.layout, changes)

    def _axes(self, kind: str, row: int | None, col: int | None) -> Iterator[str]:
        for name in self.layout:
            if name.startswith(kind):
                place = int(name.removeprefix(kind) or 1) - 1
                if row in (None, place // self._n_columns + 1) and col in (None, place % self._n_columns + 1):
                    yield name

    def _number(self, row: int, col: int | None) -> str:
        """Return what stands behind the x and y of a place's axes: nothing for the first one's."""
        number = (row - 1) * self._n_columns + (col or 1)
        return "" if number == 1 else str(number)


def update(held: dict[str, Any], changes: dict[str, Any]) -> None:
    """Change parts of a dict, those of its dicts by one name: margin_r=8, or margin={"r": 8}."""
    for name, value in changes.items():
        first, _, rest = name.partition("_")
        value = {rest: value} if rest else value
        if isinstance(value, dict):
            held[first] = dict(held.get(first) or {})
            update(held[first], value)
        else:
            held[first] = value


def _plain(part: Any) -> Any:
    """Return a part with arrays for columns and tables, and without what is left to plotly (None)."""
    if isinstance(part, dict):
        return {name: _plain(value) for name, value in part.items() if value is not None}
    if isinstance(part, pd.Series | pd.DataFrame):
        return part.to_numpy()
    return part
