"""What is done for an exhibit, here or in a worker process: no Streamlit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ltr_core import PAPERS, StopFlag
from ltr_core.papers import Progress, Result

from ..workers.passing import Parts


def compute(
    _: Sequence[Parts],
    paper: str,
    exhibit: str,
    values: Mapping[str, Any],
    tell: Callable[[tuple[int, int]], Any],
    flag: StopFlag,
) -> tuple[Result, float]:
    """Compute an exhibit; return it and the seconds it took. Rounds done and to come are told on the way."""
    started = time.perf_counter()
    progress = Progress(lambda done, total: tell((done, total)), flag)
    result = PAPERS[paper].exhibits[exhibit].run(values, progress)
    return result, time.perf_counter() - started
