"""Folders as people have them: without a file to validate with."""

from __future__ import annotations

import shutil

import pytest

import ltr_core as ltr
from ltr_core.data import kept_sets
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


def test_names_and_texts_beside_a_set_are_shown_everywhere(folder):
    """Names in the tables, texts in the lists and the choice of queries; damage is a sentence on Data."""
    shutil.copytree(BUNDLED, folder / "mine")
    (folder / "mine" / "features.txt").write_text("".join(f"{k} quantity {k}\n" for k in range(1, 11)))
    lines = (BUNDLED / "Fold1" / "test.txt").read_text().splitlines()
    queries = dict.fromkeys(line.split()[1].removeprefix("qid:") for line in lines)
    docs = [line.partition("docid = ")[2].split()[0] for line in lines]
    (folder / "mine" / "queries.tsv").write_text("".join(f"{q}\tabout {q}\n" for q in queries))
    (folder / "mine" / "docs.tsv").write_text(
        "".join(f"{d}\tTitle of {d}\tIts text.\n" for d in docs) + "x\n"
    )
    link = "data.files_2Fmine..fold.1..r0.MPBoost.n_rounds.3"
    app = open_app(link, page="data")
    assert not app.exception and "docs.tsv, line 301: 1 line has no id and text" in text_of(app)
    assert "from features.txt." in text_of(app) and "20 of 100 queries" in text_of(app)
    (table,) = [t.value for t in app.dataframe if "correlation" in t.value]
    assert "quantity 7" in set(table["feature"])
    app.switch_page("pages/rankings.py").run()
    shown = [h.value for h in app.get("html") if 'class="lists' in h.value][0]
    assert not app.exception and shown.count("Title of q") > 5
    assert all(": about " in option for option in app.selectbox("pick-rank_query").options)
    assert "Its text." in text_of(app)
    app.switch_page("pages/_inspect.py").run()
    assert not app.exception and "quantity" in text_of(app)
    run = app.session_state["_screen"].runs[0]
    assert run.trained.model.feature_names_[:2] == ("quantity 1", "quantity 2")
    assert '"quantity 10"' in exports.as_json(app.session_state["_screen"], run)
    (folder / "mine" / "features.txt").write_text("only one\n")
    app.switch_page("pages/data.py").run()
    settle(app)
    assert not app.exception and "features.txt: it has 1 names for 10 features" in text_of(app)
    assert [run.status for run in app.session_state["_screen"].runs] == ["done"]


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


@pytest.mark.slow
def test_a_folder_that_disappears_while_in_use_leaves_everything_where_it_was(folder):
    shutil.copytree(BUNDLED, folder / "mine")
    app = open_app(
        "data.files_2Fmine..ndcg-k.8..r0.MPBoost.n_rounds.3..r1.MPBoost.n_rounds.4", page="compare"
    )
    before = app.session_state["_screen"]
    (folder / "mine").rename(folder / ".gone")
    for page in ("compare", "data", "rankings"):
        app.switch_page(f"pages/{page}.py").run()
        screen = app.session_state["_screen"]
        assert not app.exception and "The files of" in text_of(app) and screen.is_gone
        assert screen.data == before.data and screen.measure.name == "ndcg@8"
        assert [run.stamp for run in screen.runs] == [run.stamp for run in before.runs]
        assert "files_2Fmine" in app.session_state["s"]
    app.switch_page("pages/compare.py").run()
    app.number_input("new:MPBoost-n_rounds").set_value(5).run()
    app.button("train").click().run()
    settle(app)  # what was read is enough for another run
    assert [run.status for run in app.session_state["_screen"].runs] == ["done"] * 3 and not app.exception
    (folder / ".gone").rename(folder / "mine")
    app.button("look-again").click().run()
    settle(app)
    screen = app.session_state["_screen"]
    assert (
        not screen.is_gone and not screen.problem and screen.data == before.data and len(screen.finished) == 3
    )
    (folder / "mine").rename(folder / ".gone")
    app.run()
    app.button("leave-gone").click().run()
    assert app.session_state["_screen"].data.name == "web1-like" and not app.session_state["_screen"].is_gone


def test_what_is_kept_beside_a_large_file_neither_changes_the_set_nor_weighs(folder, monkeypatch):
    """Its runs are found again, and another set does not push it out."""
    monkeypatch.setattr(kept_sets, "_LARGE_FILE", 0)
    monkeypatch.setattr(kept_sets, "_LARGE", 0)
    shutil.copytree(BUNDLED, folder / "mine")
    entry = catalog.entries()["files/mine"]
    spec = catalog.spec_of(entry, {}, 0, "1", 0)
    splits = [catalog.load(spec, entry) for _ in range(2)][1]
    assert list((folder / "mine" / "Fold1").glob(".rankscope/*.data"))
    assert catalog.spec_of(catalog.entries()["files/mine"], {}, 0, "1", 0) == spec
    assert splits.n_bytes == 0 and splits.train.kept is not None
    monkeypatch.setenv("RANKSCOPE_KEEP", "0")
    assert catalog.load(spec, entry).n_bytes == 4 * (900 + 300 + 300) * 10
