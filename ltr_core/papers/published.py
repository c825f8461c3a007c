"""What the papers print: their tables, the claims of their figures, LETOR's tables of baselines.

`published.json` is a transcription of the papers' texts. Where `values_in_text` is false, only words are
known of a figure: no curve may be drawn as the paper's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

_FILE = Path(__file__).with_name("published.json")


@dataclass(frozen=True)
class Published:
    """A table, a figure or a statement of a paper.

    Attributes
    ----------
    kind : str
        "table", "curves", "theorem", "algorithm" …
    title, finding, note, protocol : str
        What it shows, what the paper reads in it, what is odd, how it was made.
    columns, rows : tuple
        Its numbers, or its claims.
    values_in_text : bool
        False: the picture is not in the text at hand, only words about it.
    """

    kind: str
    title: str
    finding: str = ""
    note: str = ""
    protocol: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    values_in_text: bool = True

    @property
    def frame(self) -> pd.DataFrame:
        """Its rows as a table."""
        return pd.DataFrame(list(self.rows), columns=list(self.columns))

    def value(self, row: Any, column: str) -> Any:
        """Return the number in a row, which is known by its first cell, and a column."""
        at = self.columns.index(column)
        return next(cells[at] for cells in self.rows if cells[0] == row)


@cache
def _read() -> dict[str, Any]:
    return json.loads(_FILE.read_text(encoding="utf-8"))


@cache
def published(paper: str) -> dict[str, Published]:
    """Return all that a paper prints, by the names of its exhibits, in the paper's order."""
    found = {}
    for entry in _read()["exhibits"]:
        if entry["paper"] == paper:
            words = {name: entry.get(name, "") for name in ("finding", "note", "protocol")}
            columns, rows = tuple(entry["columns"]), tuple(map(tuple, entry["rows"]))
            known = entry.get("values_in_text", True)
            found[entry["exhibit"]] = Published(
                entry["kind"], entry["title"], **words, columns=columns, rows=rows, values_in_text=known
            )
    return found


@cache
def letor_baselines(name: str) -> pd.DataFrame:
    """Return LETOR's published means over the five test folds: systems × measures."""
    return pd.DataFrame.from_dict(_read()["letor_baselines"][name], orient="index")
