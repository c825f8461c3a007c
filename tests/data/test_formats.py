"""Formats are described once: loading, reporting, saving, checking and uploading agree on each of them."""

from __future__ import annotations

import io

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.cli import main
from ltr_core.data import FORMATS, format_of, report, say_formats, stem_of
from ltr_core.datasets import found
from pages.ui.runs.catalog import load_upload

SUFFIXES = [(one, suffix) for one in FORMATS for suffix in one.suffixes]
DATA = ltr.RankingData([[1.0, 0.5], [2.0, 0.0], [0.25, 3.0]], [2, 0, 1], [7, 7, 9], doc_ids=["a", "b", "c"])


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.label)
def test_an_entry_is_complete(one):
    assert one.suffixes and all(s.startswith(".") and s == s.lower() for s in one.suffixes)
    names = [f"a/b{suffix}{packed}" for suffix in one.suffixes for packed in ("", ".gz", ".bz2", ".ZST")]
    assert all(format_of(name) is format_of(name.upper()) is one for name in names)
    assert one.label in say_formats() and callable(one.read) and callable(one.write)
    assert sum(set(one.suffixes) & set(other.suffixes) != set() for other in FORMATS) == 1


@pytest.mark.parametrize("one, suffix", SUFFIXES, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_saved_is_loaded_reported_checked_found_and_taken_as_an_upload(one, suffix, tmp_path, capsys):
    path = tmp_path / f"some{suffix}"
    ltr.save(DATA, path)
    content = path.read_bytes()
    assert not one.magic or content.startswith(one.magic)
    for data in (ltr.load(path), ltr.load(content, name=path.name), load_upload(path, "error")):
        np.testing.assert_array_equal(data.X, DATA.X)
        assert data.qid.tolist() == DATA.qid.tolist() and data.doc_ids.tolist() == DATA.doc_ids.tolist()
    assert report(path) == [] and report(io.BytesIO(content), name=path.name) == []
    assert main(["check", str(path)]) == 0 and "documents" in capsys.readouterr().out
    assert stem_of(path) == "some" and [entry.name for entry in found(tmp_path)] == [path.name]


@pytest.mark.parametrize("one, suffix", SUFFIXES, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_wrong_is_the_same_sentence_everywhere(one, suffix, tmp_path, capsys):
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(one.magic + b"no such thing\n1\n")
    with pytest.raises(ltr.DataError) as caught:
        ltr.load(path)
    first = report(path)[0]
    assert first.sentence == str(caught.value) and first.line == caught.value.line
    assert main(["check", str(path)]) == 2 and first.sentence in capsys.readouterr().err
    with pytest.raises(ltr.DataError) as uploaded:
        load_upload(path, "error")
    assert uploaded.value.what == caught.value.what
