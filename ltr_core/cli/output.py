"""What goes to stdout and into files: tables in plain text, strict JSON, CSV."""

from __future__ import annotations

import json
import math
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..errors import DataError
from ..files import whole_file

Cell = Callable[[Any], str]


def print_json(content: Any) -> None:
    """Print one document of strict JSON: what is not a finite number becomes null."""
    print(json.dumps(as_plain(content), indent=2, ensure_ascii=False, allow_nan=False))


def as_plain(value: Any) -> Any:
    """Return a value in JSON's own types."""
    if isinstance(value, pd.DataFrame):
        return [as_plain(row) for row in value.to_dict("records")]
    if isinstance(value, Mapping):
        return {str(key): as_plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_plain(one) for one in value]
    if isinstance(value, (np.generic, np.ndarray)):
        return as_plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is pd.NaT or value is pd.NA:
        return None
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def fixed(value: Any) -> str:
    """Write a measure's value."""
    return _plain_cell(value) if isinstance(value, str) or value is None else _decimals(float(value), 6)


def short(value: Any) -> str:
    """Write a probability or another number of which few digits matter."""
    return "-" if value is None or math.isnan(value) else f"{value:.3g}"


def _decimals(value: float, n: int) -> str:
    # A loss may be beyond all bounds.
    return "-" if math.isnan(value) else f"{value:.{n}f}" if abs(value) < 1e6 else f"{value:.6g}"


def _plain_cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def print_table(
    head: Sequence[str],
    rows: Sequence[Sequence[Any]],
    cells: Mapping[str, Cell] | None = None,
    indent: str = "",
) -> None:
    """Print a table in columns; on a terminal the last column is wrapped.

    Parameters
    ----------
    head, rows
        The columns' names, and their values.
    cells : mapping of functions, optional
        How the values of a column are written.
    indent : str
        What each line begins with.
    """
    written = [[(cells or {}).get(h, _plain_cell)(v) for h, v in zip(head, row, strict=True)] for row in rows]
    numeric = [
        all(isinstance(row[i], (int, float)) or row[i] is None for row in rows) and bool(rows)
        for i in range(len(head))
    ]
    widths = [max(len(line[i]) for line in [list(head), *written]) for i in range(len(head))]
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    before = len(indent) + sum(widths[:-1]) + 2 * (len(widths) - 1)
    for line in [list(head), *written]:
        last = [line[-1]]
        if room - before >= 20 and not numeric[-1]:
            last = textwrap.wrap(line[-1], room - before) or [""]
        aligned = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip([*line[:-1], last[0]], widths, numeric, strict=True)
        ]
        print((indent + "  ".join(aligned)).rstrip())
        for more in last[1:]:
            print(" " * before + more)


def check_writable(*paths: str | None) -> None:
    """Refuse a place for a result before the work for it begins."""
    for path in filter(None, paths):
        if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
            what = "this is a folder" if Path(path).is_dir() else "there is no such folder"
            raise DataError(what, "give a file name in a folder that exists", file=path)


def write_text(path: str, text: str) -> None:
    """Write a file, or say why it cannot be written."""
    try:
        place = Path(path)
        if place.is_symlink() or (place.exists() and not place.is_file()):  # /dev/stdout, a pipe
            place.write_text(text, encoding="utf-8")
            return
        with whole_file(place) as temporary:
            temporary.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(
            f"the file cannot be written ({error.strerror})", "choose another place", file=path
        ) from None


def write_csv(path: str | None, table: pd.DataFrame, index: bool = False) -> None:
    """Write a table, to the last digit, if there is a place for it."""
    if path:
        write_text(path, table.to_csv(index=index, lineterminator="\n"))
