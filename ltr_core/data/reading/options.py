"""`Options`: how a file is to be read, and the list in which what is wrong with it is collected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import DataError, ParameterError
from ..set.checking import MISSING
from ..set.memory import free_bytes

MAX_FEATURES = 1_000_000  # the matrix is dense: the largest index decides how wide it is
MAX_CELLS = 1_000_000_000  # 4 GB of float32: the largest public sets fit, a slip in an index does not
_CELL_BYTES = 8  # of memory while a cell is read and cut: its own four, and what is beside it meanwhile


@dataclass
class Options:
    """How a file is read, as `load` says. A reader collects problems until it has met `limit` of them."""

    missing: str = "error"
    n_features: int | None = None
    first_index: int | None = None
    query_file: Any = None
    ignore: Sequence[str] = ()
    max_cells: int = MAX_CELLS
    limit: int = 1
    problems: list[DataError] = field(default_factory=list)
    most_cells: int = field(init=False)  # what may be read: `max_cells`, or less where memory is short

    def __post_init__(self) -> None:
        free = free_bytes()
        self.most_cells = min(self.max_cells, self.max_cells if free is None else free // _CELL_BYTES)
        self.ignore = (self.ignore,) if isinstance(self.ignore, str) else tuple(self.ignore)
        takes = ""
        if self.missing not in MISSING:
            name, takes = "missing", f"one of {', '.join(map(repr, MISSING))}"
        elif self.first_index not in (None, 0, 1):
            name, takes = "first_index", "0 or 1, or leave it out"
        elif self.n_features is not None and not 1 <= self.n_features <= MAX_FEATURES:
            name, takes = "n_features", f"a whole number from 1 to {MAX_FEATURES:,}"
        if takes:
            raise ParameterError(f"{name} = {getattr(self, name)!r} cannot be used. Take {takes}.")

    def refuse(self, error: DataError) -> None:
        """Collect a problem; the last one wanted is raised, to end the reading."""
        if len(self.problems) + 1 >= self.limit:
            raise error
        self.problems.append(error)

    def end(self) -> None:
        """Raise the last of the problems that were collected, if there are any."""
        if self.problems:
            raise self.problems.pop()
