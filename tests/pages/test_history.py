"""What was trained on this machine is remembered, marked, and put back on screen; damage costs one entry."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

import ltr_core as ltr
from pages.ui.runs.history import History
from pages.ui.runs.services import services
from tests.dashboard import SMALL, open_app, settle, text_of


@pytest.fixture
def store(tmp_path, restart):
    restart(tmp_path)
    return tmp_path


def test_runs_are_remembered_with_what_they_came_to(store):
    app = open_app(f"{SMALL}..ndcg-k.5")
    runs = {run.spec.key: run for run in app.session_state["_screen"].runs}
    held = History(store).runs()
    assert {past.key for past in held} == set(runs) and len(held) == 2
    for past in held:
        run = runs[past.key]
        assert (past.recipe, past.data) == (run.recipe, run.spec.data)
        curves = run.trained.curves
        at = int(curves["valid", past.measure].argmax())
        assert past.measure == "ndcg@5" and past.valid == curves["valid", "ndcg@5"][at]
        assert past.test == curves["test", "ndcg@5"][at]


def test_the_table_speaks_the_words_on_screen(store):
    app = open_app("data.tiny-web..tiny-web-n_queries.10..r0.MPBoost.n_rounds.5", page="history")
    row = app.dataframe[0].value.iloc[0]
    assert list(row[["data", "fold", "measure"]]) == ["Tiny web", "the split", "NDCG@10"]


def test_marks_outlive_the_server_and_another_training(store):
    app = open_app(SMALL)
    history, run = services().store.history, app.session_state["_screen"].runs[0]
    history.mark(run.spec.key, "the good one", "with a note", True)
    history.add(run.trained)
    past = next(one for one in History(store).runs() if one.key == run.spec.key)
    assert (past.name, past.note, past.star) == ("the good one", "with a note", True)


def test_what_another_server_says_while_a_run_is_stored_stays(store):
    app = open_app(SMALL)
    run = app.session_state["_screen"].runs[0]
    with History(store).noting(run.trained):
        History(store).mark(run.spec.key, "the good one", star=True)
    past = next(one for one in History(store).runs() if one.key == run.spec.key)
    assert (past.name, past.star) == ("the good one", True)


def test_what_is_said_of_a_run_is_kept_part_by_part(store):
    open_app(SMALL)
    history = services().store.history
    key = history.runs()[0].key
    history.mark(key, note="said elsewhere")
    app = AppTest.from_function(marks, args=(key,)).run()
    assert app.text_input(f"mark-note-{key}").value == "said elsewhere"
    app.text_input(f"mark-name-{key}").set_value("  the good one ")
    app.toggle(f"mark-star-{key}").set_value(True).run()
    past = next(one for one in History(store).runs() if one.key == key)
    assert (past.name, past.note, past.star) == ("the good one", "said elsewhere", True)
    assert app.text_input(f"mark-name-{key}").value == "the good one"


def marks(key):
    """Draw the fields of one run: the row that is picked on the page."""
    from pages.ui.history.past import _mark
    from pages.ui.runs.services import services

    _mark(next(one for one in services().store.history.runs() if one.key == key))


def test_damaged_entries_are_dropped_with_a_sentence(store):
    open_app(SMALL)
    files = sorted((store / "history").glob("*.json"))
    whole = files[0].read_bytes()
    for damage in (b"", b"{", whole[:-20], b"[1]", b"null", whole.replace(b"MPBoost", b"Nothing")):
        files[0].write_bytes(damage)
        history = History(store)
        assert [past.key for past in history.runs()] == [files[1].stem]
        assert history.dropped == [f"A remembered run was damaged and is dropped ({files[0].name})."]
        assert not files[0].exists()
    (store / "history" / f"{'0' * 20}.json").write_bytes(whole)  # another run's
    assert len(History(store).runs()) == 1


def test_yesterdays_runs_come_back_on_their_data(store, restart):
    first = open_app(SMALL).session_state["_screen"]
    restart(store)
    app = open_app("data.cubic..cubic-n_queries.30..runs.none..past_data.all", page="history")
    assert not app.exception
    (table,) = [frame.value for frame in app.dataframe if "trained" in frame.value]
    assert list(table["data"]) == ["Tiny", "Tiny"] and len(first.runs) == 2
    app.text_input("past_find").set_value("ldd").run()
    (table,) = [frame.value for frame in app.dataframe if "trained" in frame.value]
    assert len(table) == 1
    history = services().store.history
    history.mark(history.runs()[0].key, "", "", True)
    app.toggle("past_starred").set_value(True).run()
    assert not app.exception


def test_a_workspace_is_saved_and_opened(store):
    app = open_app(SMALL, page="history")
    app.text_input("space-name").set_value("  my   two ").run()
    app.button("space-save").click().run()
    assert not app.exception and list(History(store).spaces()) == ["my two"]
    link = History(store).spaces()["my two"]
    again = open_app(link)
    mine, theirs = (one.session_state["_screen"] for one in (app, again))
    assert [run.spec for run in mine.runs] == [run.spec for run in theirs.runs]
    app.button("space-drop-0").click().run()
    assert History(store).spaces() == {}
    app.text_input("space-name").set_value(" ").run()
    app.button("space-save").click().run()
    assert not app.exception and History(store).spaces() == {}
    with pytest.raises(ltr.ParameterError, match="needs a name"):
        History(store).save("", "x")
    (store / "workspaces").mkdir(exist_ok=True)
    (store / "workspaces" / "x.json").write_text(json.dumps({"name": "x"}))
    settle(app)
    app.run()
    assert "A saved workspace was damaged and is dropped (x.json)." in text_of(app)
