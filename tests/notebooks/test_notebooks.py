"""The notebooks run, and say what is written in them."""

from __future__ import annotations

import nbformat
import pytest

from tests.notebooks.running import NOTEBOOKS, run, texts


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_what_is_written_in_it(path):
    kept = nbformat.read(path, as_version=4)
    nbformat.validate(kept)
    assert texts(run(path)) == texts(kept), "python -m tests.notebooks writes it anew"
    assert len(texts(kept)) >= 4


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["five_minutes", "table_of_mpboost"]
