"""A ranking of one's own: a run among the runs, in table and lists, links, files and the history."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.evaluation import trec_run
from pages.ui.compare import bring, exports
from pages.ui.runs.brought.files import found_rankings, recipe_for
from pages.ui.session import link
from pages.ui.tables import comparison
from tests.dashboard import SMALL, open_app, text_of

LINK = f"{SMALL}..ndcg-k.5"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for data of one's own, where rankings lie."""
    place = tmp_path / "data"
    place.mkdir()
    for module in ("pages.ui.session.screen", "pages.ui.compare.bring", "pages.ui.runs.screens"):
        monkeypatch.setattr(f"{module}.DATA_FOLDER", place)
    return place


def tiny():
    return dict(zip(("train", "valid", "test"), ltr.split(ltr.datasets.make("tiny"), seed=0), strict=True))


def write(folder, name, data, scores, tag="theirs"):
    (folder / name).write_text(trec_run(data, scores, tag))
    return {path.name: (key, path) for key, path in found_rankings(folder).items()}[name]


def link_with(key, path, begin=LINK):
    return f"{begin}..r2.{link.encode_recipe(recipe_for(key, path))}"


def of(app, name):
    screen = app.session_state["_screen"]
    return screen, next(run for run in screen.runs if run.name == name)


@pytest.mark.slow
def test_it_is_measured_compared_and_listed_as_any_run(folder):
    test = tiny()["test"]
    scores = np.random.default_rng(3).normal(size=test.n_docs)
    key, path = write(folder, "theirs.run", test, scores)
    app = open_app(link_with(key, path) + "..score_at.last", "compare")
    screen, run = of(app, "theirs")
    row = comparison.run_table(screen).set_index("run").loc["theirs"]
    value = ltr.evaluate(scores, test, ["ndcg@5"]).attrs["mean"]["ndcg@5"]
    assert row["test"] == value and np.isnan(row["best"]) and row["rounds"] == 0
    base = screen.baseline.trained.model.predict(test)
    told = ltr.compare({"base": base, "theirs": scores}, test, "ndcg@5").loc["theirs"]
    assert row["difference"] == pytest.approx(told["difference"], abs=1e-15)
    assert (row["better"], row["tied"]) == (told["wins"], told["ties"])
    assert "theirs" in text_of(app)
    for page in ("_inspect", "sweep", "overview", "history", "step_through"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
    app.switch_page("pages/rankings.py").run()
    app.session_state["rank_run"], app.session_state["rank_split"] = run.slot, "test"
    assert "brought along" in text_of(app.run())
    app.session_state["rank_split"] = "train"  # of which the file says nothing
    assert "brought along" not in text_of(app.run()) and not app.exception


def test_every_measure_every_repetition_and_the_last_round(folder):
    parts = tiny()
    data = ltr.datasets.make("tiny")
    scores = np.random.default_rng(4).normal(size=data.n_docs)
    key, path = write(folder, "all.run", data, scores)
    app = open_app(link_with(key, path) + "..repeat.folds..score_at.last..measure.map", "compare")
    screen, run = of(app, "all")
    folds = ltr.folds(data, 5, seed=0)
    values = [ltr.evaluate(scores[t.order], t, ["map"]).attrs["mean"]["map"] for _, _, t in folds]
    assert comparison.run_table(screen).set_index("run").loc["all", "test"] == pytest.approx(np.mean(values))
    app = open_app(link_with(key, path) + "..repeat.seeds3", "compare")
    screen, run = of(app, "all")
    assert len(run.trainings) == 3 and "all" in text_of(app)
    value = comparison.run_table(screen).set_index("run").loc["all", "best"]
    own = ltr.evaluate(scores[parts["valid"].order], parts["valid"], ["ndcg@5"]).attrs["mean"]["ndcg@5"]
    assert value == pytest.approx(own)


def test_a_link_without_its_file_says_so_and_keeps_the_run(folder):
    test = tiny()["test"]
    key, path = write(folder, "theirs.run", test, np.arange(test.n_docs, dtype=float))
    path.unlink()
    app = open_app(link_with(key, path), "compare")
    assert "The file of “theirs” is not here. Bring it along once more." in text_of(app)
    assert not app.exception and len(app.session_state["_workspace"].slots) == 3
    write(folder, "again.run", test, np.arange(test.n_docs, dtype=float))  # the same content
    app.run()
    assert "is not here" not in text_of(app) and of(app, "theirs")[1].trainings


def test_on_other_data_it_says_what_does_not_fit(folder):
    test = tiny()["test"]
    key, path = write(folder, "theirs.run", test, np.arange(test.n_docs, dtype=float))
    begin = "data.cubic..cubic-n_queries.20..r0.MPBoost.n_rounds.3"
    app = open_app(link_with(key, path, begin), "compare")
    assert "cannot be measured here" in text_of(app) and "is not in these data" in text_of(app)
    assert of(app, "theirs")[1].own is None and not app.exception


def test_the_form_adds_what_lies_in_data_and_refuses_what_does_not_fit(folder):
    test = tiny()["test"]
    write(folder, "theirs.run", test, np.arange(test.n_docs, dtype=float))
    (folder / "short.scores").write_text("0.5\n0.25\n")
    app = open_app(LINK, "compare")
    app.session_state["new"] = "Given"
    app.run()
    pick = app.selectbox(key="bring-found")
    assert pick.options == ["short.scores", "theirs.run"]
    wanted = {path.name: key for key, path in found_rankings(folder).items()}
    pick.set_value(wanted["short.scores"]).run()
    app.button(key="bring-add").click().run()
    assert f"short.scores: 2 scores, and there are {test.n_docs} test documents" in text_of(app)
    assert len(app.session_state["_workspace"].slots) == 2
    app.selectbox(key="bring-found").set_value(wanted["theirs.run"]).run()
    app.button(key="bring-add").click().run()
    assert of(app, "theirs")[1].trainings and "2 scores" not in text_of(app)
    held = app.session_state["_screen"]
    archive = zipfile.ZipFile(io.BytesIO(exports_of(app, held)))
    assert any(name.endswith("theirs.run") for name in archive.namelist())
    names = [past.recipe.values().get("name") for past in bring.services().store.history.runs()]
    assert "theirs" in names  # it lies in data/: the history knows where to find it


def exports_of(app, screen):
    """Return the zip of all runs; the link in it is the session's, which is not at hand here."""
    from unittest.mock import patch

    with patch.object(exports.mirror, "link_beside", lambda *_: ""), patch.object(exports.state, "workspace"):
        rows = comparison.run_table(screen)
        assert json.loads(exports.all_as_json(screen))["runs"][-1]["name"] == "theirs"
        return exports.all_as_zip(screen, rows)
