"""A sweep's file, finished or not, as a `Sweep`: whoever wrote it, all can open it."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import DataError
from .result import Sweep
from .store import read


def load_sweep(path: str | os.PathLike) -> Sweep:
    """Read a sweep's file, finished or not."""
    try:
        found = read(Path(path))
    except OSError as error:
        raise DataError(
            f"the file cannot be read ({error.strerror})", "check the path", file=str(path)
        ) from None
    try:
        result = Sweep(found.header, found.points, found.outcomes, "done" if found.chosen else "unfinished")
        if found.chosen and found.chosen.get("test") and found.chosen.get("point") == result.chosen:
            result.set_test(found.chosen["test"])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise DataError(f"not a usable sweep ({error!r})", "run it again", file=str(path)) from None
    return result
