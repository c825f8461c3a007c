"""kill −9, once for each of what `python -m tests.faults.kills` kills fifty times."""

from __future__ import annotations

import os
import random

import pytest

from tests.faults.kills import STORIES

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="POSIX's signals")]


@pytest.mark.parametrize("name", ["server", "scheduler", "sweep", "train"])
def test_what_was_finished_is_kept_and_all_goes_on(name, tmp_path):
    if name == "scheduler":
        pytest.importorskip("distributed")
    assert STORIES[name](tmp_path, random.Random(3))
