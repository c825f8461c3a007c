"""Folders as people have them: without a file to validate with."""

from __future__ import annotations

import shutil

import pytest

import ltr_core as ltr
from ltr_core.datasets import DATA_FOLDER
from pages.ui.compare import exports
from pages.ui.runs import catalog
from tests.dashboard import open_app, settle, text_of

BUNDLED = DATA_FOLDER / "cubic-small"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder of one's own."""
    monkeypatch.setattr(catalog, "DATA_FOLDER", tmp_path)
    monkeypatch.setattr(exports, "DATA_FOLDER", tmp_path)
    return tmp_path


def test_a_folder_without_validation_offers_to_cut_it(folder):
    (folder / "mine").mkdir()
    for name in ("train.txt", "test.txt"):
        shutil.copy(BUNDLED / "Fold1" / name, folder / "mine" / name)
    app = open_app("data.files_2Fmine..r0.MPBoost.n_rounds.3", page="data")
    assert not app.exception and "no file to validate with" in text_of(app)
    assert [run.status for run in app.session_state["_screen"].runs] == ["idle"]
    assert app.button("cut-frame").label == app.button("cut-data").label == "Cut validation from training"
    app.button("cut-data").click().run()
    settle(app)
    screen = app.session_state["_screen"]
    assert not app.exception and [run.status for run in screen.runs] == ["done"]
    ours = ltr.load_folds(folder / "mine", valid="cut")[0]
    assert [screen.splits[part].fingerprint for part in ("train", "valid", "test")] == [
        part.fingerprint for part in ours
    ]
    assert "Validation is cut from training:" in text_of(app) and "60 training queries" in text_of(app)
    lines = exports.python_lines(screen, screen.runs[0])
    assert "valid='cut', seed=0" in lines
    app.number_input("shuffle").set_value(5).run()
    settle(app)
    assert app.session_state["_screen"].data.shuffle == 5
    other = ltr.load_folds(folder / "mine", valid="cut", seed=5)[0]
    assert (
        app.session_state["_screen"].splits.valid.fingerprint == other[1].fingerprint != ours[1].fingerprint
    )
