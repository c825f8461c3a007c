"""The dashboard's frame, without a browser: link, workspace, data, measure, jobs."""

from __future__ import annotations

import time

import pytest

import ltr_core as ltr
from pages.ui.runs.presets import START
from pages.ui.runs.specs import recipe_of
from pages.ui.runs.status import Status
from pages.ui.session import state
from tests.dashboard import SMALL, jobs, open_app, settle, text_of

START_NAMES = ["BINARY · scale 1", "LDD", "LOGDD", "LOGITDD", "BINARY · scale 0.6"]
# A link that does not say `size` is from before it: LDD's mean is 1, which is no default now.
SMALL_NAMES = ["BINARY", "LDD · mean distance 1"]


def view(app):
    return app.session_state["_screen"]


def names(app):
    return [line.name for line in view(app).runs]


def side(app):
    return "\n".join(str(e.value) for e in app.sidebar.get("html"))


def test_a_fresh_visitor_sees_the_start(tmp_path, restart):
    restart(tmp_path)
    app = open_app()
    assert not app.exception and not app.error
    assert names(app) == START_NAMES
    assert view(app).baseline.name == START_NAMES[0] and view(app).measure.name == "ndcg@5"
    assert app.session_state["s"] == ""  # the start has the shortest link of all
    assert len(view(app).finished) == 5


def test_a_link_opens_what_it_says():
    app = open_app(SMALL + "..base.1..ndcg-k.3..ndcg-gain.grade..tiny-noise.0_1..fold.2..log_rounds.1")
    assert not app.exception and not state_notes(app)
    shown = view(app)
    assert names(app) == SMALL_NAMES and shown.baseline.name == SMALL_NAMES[1]
    assert shown.measure == ltr.measure("ndcg@3", gain="grade")
    assert (shown.data.name, shown.data.size, shown.data.fold) == ("tiny", (("noise", 0.1),), "2")
    assert app.session_state["log_rounds"] is True


def state_notes(app):
    return app.session_state[state.NOTES]


@pytest.mark.parametrize(
    "link, said",
    [
        ("complete rubbish", "complete rubbish"),
        ("data.nowhere..ndcg-k.7", "the data set “nowhere” is not here"),
        (SMALL + "..ndcg-k.-3", "k takes a whole number"),
        (SMALL + "..r5.SkyNet", "no algorithm “SkyNet”"),
        ("r0.MPBoost.n_rounds.1e9", "rounds takes"),
    ],
)
def test_garbage_in_a_link_is_a_note_and_defaults(link, said):
    app = open_app(link)
    assert not app.exception
    assert any(said in info.value for info in app.info), [info.value for info in app.info]
    assert len(view(app).finished) >= 2
    assert "rubbish" not in app.session_state["s"] and "nowhere" not in app.session_state["s"]
    if link.startswith(SMALL):
        assert view(app).data.name == "tiny"


@pytest.mark.parametrize(
    "page, link, name, label",
    [
        ("compare", SMALL, "score_at", "the round compared"),
        ("compare", SMALL, "layout", "layout"),
        ("compare", SMALL, "loss_scale", "the loss's unit"),
        ("compare", SMALL, "fold", "split"),
        ("rankings", SMALL, "rank_against", "where ▲▼ count from"),
        ("shapes", SMALL, "shape_ddf", "the distance looked at"),
        ("shapes", f"{SMALL}..shape_part.losses", "shape_losses", "which losses"),
        ("data", SMALL, "data_scale", "the bars' unit"),
        ("step_through", SMALL, "step_weights", "which pair weights"),
    ],
)
def test_a_note_on_a_link_names_choices_as_they_are_on_screen(page, link, name, label):
    app = open_app(f"{link}..{name}.nonsense", page=page)
    assert not app.exception
    (drawn,) = [one for one in [*app.selectbox, *app.get("button_group")] if one.key == name]
    shown = [getattr(option, "content", option) for option in drawn.options]
    (note,) = state_notes(app)
    assert note.startswith(f"{label} takes one of “") and all(f"“{words}”" in note for words in shown)


def test_other_query_parameters_are_noted_and_controls_may_be_set_by_name():
    app = open_app(SMALL, utm_source="mail")
    assert any("utm_source" in info.value for info in app.info)
    app = open_app(SMALL, **{"ndcg-k": "4", "log_rounds": "1"})
    assert not state_notes(app) and view(app).measure.name == "ndcg@4" and app.session_state["log_rounds"]
    assert "ndcg-k.4" in app.session_state["s"]


def test_what_the_user_changes_goes_into_the_link():
    app = open_app(SMALL)
    app.number_input("ndcg-k").set_value(2).run()
    assert "ndcg-k.2" in app.session_state["s"]
    assert view(app).measure.name == "ndcg@2"
    app.button("base-1").click().run()
    assert app.session_state["s"].endswith("base.1") and view(app).baseline.slot == 1
    app.button("remove-0").click().run()
    assert "r0." not in app.session_state["s"] and names(app) == ["MPBoost LDD · mean distance 1 · 5 rounds"]
    again = open_app(app.session_state["s"])
    assert names(again) == names(app) and view(again).measure == view(app).measure


def test_the_link_alone_brings_the_same_numbers_to_the_last_bit(tmp_path, restart):
    link = SMALL + "..r4.GBT.n_trees.7..ndcg-k.5"
    tables = []
    for folder in ("one", "another"):
        restart(tmp_path / folder)
        app = open_app(link, page="compare")
        (table,) = [h.value for h in app.get("html") if "NDCG@5 on test" in h.value]
        tables.append(without_times(table))
        assert len(jobs(app)) == 3  # really trained, each time
    assert tables[0] == tables[1]


def without_times(table):
    import re

    return re.sub(r"<td[^>]*>[\d.]+ s</td>", "", table)


def test_what_was_trained_before_comes_from_the_store():
    open_app(SMALL)
    app = open_app(SMALL)
    assert not jobs(app) and len(view(app).finished) == 2


def test_an_empty_workspace_has_one_button_that_fills_it():
    app = open_app("data.tiny..runs.none", page="compare")
    assert not app.exception and not view(app).runs
    app.button("open-start").click().run()
    settle(app)
    assert names(app) == START_NAMES
    assert app.session_state["data"] == START.data


def test_another_data_set_trains_the_same_recipes_on_it():
    app = open_app(SMALL)
    before = [line.spec.key for line in view(app).runs]
    app.selectbox("data").select("cubic")
    app.run()
    app.number_input("cubic-n_queries").set_value(20)
    app.number_input("cubic-n_docs").set_value(5)
    settle(app.run())
    assert view(app).splits.train.n_queries == 12
    assert names(app) == SMALL_NAMES
    assert not set(before) & {line.spec.key for line in view(app).runs}
    assert "12 + 4 + 4 queries, 100 documents" in side(app)
    assert all(line.status == Status.DONE for line in view(app).runs)


def test_a_data_set_too_large_for_a_browser_is_a_sentence():
    app = open_app("data.cubic..cubic-n_queries.100000..cubic-n_docs.10000..r0.MPBoost")
    assert not app.exception
    assert any("million feature values" in e.value and "Take fewer" in e.value for e in app.error)
    assert not jobs(app)


def test_a_training_that_cannot_be_done_is_a_sentence_and_is_not_tried_again():
    app = open_app(
        "data.web1-like..web1-like-n_queries.20..web1-like-n_features.10..r0.McRank..r1.GBT.n_trees.3"
    )
    assert not app.exception
    failed = [line for line in view(app).runs if line.status == Status.FAILED]
    assert [line.recipe.algorithm for line in failed] == ["McRank"]
    assert any("did not train" in e.value for e in app.sidebar.error)
    job = failed[0].job
    app.run()
    assert view(app).runs[0].job is job
    app.button(f"again-{job.key}").click().run()
    assert view(app).runs[0].job is not job


def test_a_click_on_stop_says_at_once_where_it_was_cancelled(monkeypatch):
    from pages.ui.app import jobs_panel

    monkeypatch.setattr(jobs_panel, "_MOMENT", 300.0)  # however busy the machine is
    app = open_app_running("data.cubic..r0.MPBoost.n_rounds.90000")
    (job,) = jobs(app)
    wait_for_rounds(job, 5)
    app.button(f"stop-{job.key}").click().run()
    assert f"cancelled at round {job.iteration:,}" in side(app)


def test_stop_keeps_the_part_and_says_so():
    app = open_app_running("data.cubic..r0.MPBoost.n_rounds.90000")
    (job,) = jobs(app)
    wait_for_rounds(job, 5)
    app.button(f"stop-{job.key}").click().run()
    settle(app)
    app.run()
    (line,) = view(app).runs
    assert line.status == Status.STOPPED and 5 <= line.trained.model.n_iter_ < 90000
    assert f"cancelled at round {line.trained.model.n_iter_:,}" in side(app)
    app.switch_page("pages/compare.py").run()
    assert f"cancelled at round {line.trained.model.n_iter_:,}" in text_of(app)
    assert view(app).runs[0].job is job  # not started again by itself


def open_app_running(link):
    from streamlit.testing.v1 import AppTest

    from tests.dashboard import ROOT

    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=900)
    app.query_params["s"] = link
    return app.run()


def wait_for_rounds(job, n):
    deadline = time.monotonic() + 300
    while job.iteration < n:
        assert time.monotonic() < deadline and not job.is_over, job
        time.sleep(0.02)


def test_a_run_taken_off_the_screen_is_no_longer_trained():
    app = open_app_running("data.cubic..r0.MPBoost.n_rounds.90000")
    (job,) = jobs(app)
    wait_for_rounds(job, 1)
    app.button("remove-0").click().run()
    deadline = time.monotonic() + 300
    while not job.is_over:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert job.status == Status.STOPPED and not jobs(app)


def test_duplicate_and_edit_fills_the_form():
    app = open_app(SMALL + "..r2.MPBoost.lam.2_5.n_rounds.7", page="compare")
    app.button("copy-2").click().run()
    assert app.selectbox("new").value == "MPBoost"
    assert app.number_input("new:MPBoost-lam").value == 2.5
    assert app.number_input("new:MPBoost-n_rounds").value == 7
    app.number_input("new:MPBoost-n_rounds").set_value(8).run()
    app.button("train").click().run()
    settle(app)
    assert view(app).runs[-1].recipe == recipe_of("MPBoost", {"lam": 2.5, "size": 1.0, "n_rounds": 8})


def test_the_measure_can_be_defined_in_full():
    app = open_app(SMALL)
    app.toggle("letor").set_value(True).run()
    assert view(app).measure == ltr.measure("ndcg@10", convention="letor")
    assert "discount LETOR" in side(app)
    app.selectbox("measure").select("map").run()
    assert view(app).measure.label == "MAP" and "relevant from grade 1" in side(app)


def test_an_old_address_is_late_but_a_link_of_the_app_leads_on():
    """The browser sends its address along with every click, also before it has got the new one."""
    app = open_app(SMALL)
    app.number_input("ndcg-k").set_value(2).run()
    new = app.session_state["s"]
    app.query_params["s"] = SMALL
    app.run()
    assert view(app).measure.name == "ndcg@2" and app.session_state["s"] == new
    app.query_params["s"], app.query_params["via"] = SMALL, "link"
    app.run()
    assert view(app).measure.name == "ndcg@10"
