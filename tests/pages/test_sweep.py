"""Sweep: numbers are the library's, a point opens in Compare with the same ones, nothing is done twice."""

from __future__ import annotations

import base64
import html
import itertools
import json
import math
import re
import threading
import time
import zlib

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import ALGORITHMS
from ltr_core.sweeps import Estimate, can_vary, params_of
from ltr_core.sweeps.running import estimating
from ltr_core.sweeps.running.workers import n_cores
from pages.ui.runs.jobs import SWEEP, Runner
from pages.ui.runs.services import services
from pages.ui.runs.specs import DataSpec, Recipe, recipe_of
from pages.ui.runs.status import Status
from pages.ui.session.link import encode_recipe
from pages.ui.sweep import jobs as sweep_jobs
from pages.ui.sweep.specs import (
    Axis,
    SweepSpec,
    axis_around,
    decode_axes,
    encode_axes,
    recipe_without,
    values_of,
    widened,
)
from pages.ui.tables import comparison
from pages.ui.workers.crew import Crew
from tests.dashboard import jobs, open_app, settle, text_of

pytestmark = pytest.mark.slow

LINK = "data.cubic..cubic-n_queries.60..cubic-n_docs.8..cubic-n_features.5..r0.MPBoost.n_rounds.10"
LAM = Axis("lam", 0.1, 10.0, 3, True)
START = recipe_of("MPBoost", {"n_rounds": 8})


@pytest.fixture(scope="module")
def data():
    return ltr.datasets.make("cubic", n_queries=60, n_docs=8, n_features=5)


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Have fits estimated once, on a busy machine too, and never beside another test."""
    monkeypatch.setattr(sweep_jobs, "_AGAIN", math.inf)
    monkeypatch.setattr(estimating, "_HELD_UP", math.inf)
    yield
    wait_for(lambda: not services().runner.of("estimates"))


@pytest.fixture
def fits(monkeypatch):
    """Count the trainings of MPBoost."""
    counted = []
    fit = ltr.MPBoost.fit
    monkeypatch.setattr(ltr.MPBoost, "fit", lambda self, *a, **k: counted.append(1) or fit(self, *a, **k))
    return counted


def link_of(recipe=START, axes=(LAM,), *more):
    words = {"sweep_start": encode_recipe(recipe), "sweep_axes": encode_axes(tuple(axes))}
    escaped = {
        name: "".join(c if c.isalnum() or c == "-" else "".join(f"_{b:02X}" for b in c.encode()) for c in t)
        for name, t in words.items()
    }
    return "..".join([LINK, *(f"{name}.{word}" for name, word in escaped.items()), *more])


def open_sweep(*args):
    app = open_app(link_of(*args), page="sweep")
    assert not app.exception
    return app


def run(app):
    """Run the sweep, unless an earlier test has."""
    if not app.button("start-sweep").disabled:
        app.button("start-sweep").click().run()
    return finish(app)


def sweeps_of(app):
    return [job for job in jobs(app) if job.kind == SWEEP]


def wait_for(condition):
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def finish(app):
    settle(app)
    app.run()
    assert not app.exception
    return app


def table_of(app):
    return app.dataframe[0].value


def compare_link(app):
    """Return the link under “Open … in Compare”."""
    (proto,) = [e.proto for e in app.get("page_link") if "in Compare" in e.proto.label]
    return dict(q.split("=", 1) for q in proto.query_string.split("&"))["s"]


# What is swept ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_every_parameter_of_every_algorithm_has_a_range_to_begin_with(name):
    """From the registry alone: at its default, and at the ends of what it may be."""
    known = can_vary(name)
    for param in known.values():
        for value in (param.default, param.low, param.high):
            axis = axis_around(param, value)
            others = tuple(axis_around(known[n], known[n].default) for n in param.when)
            spec = spec_for(Recipe(name), (axis, *others))
            assert param.name in spec.check().space.names
            for listed in values_of(axis, param):
                assert param.check(listed) == listed and type(param.check(listed)) is type(listed)
            assert len(values_of(axis, param)) > 1
            assert decode_axes(encode_axes(spec.axes), name) == spec.axes


def spec_for(recipe, axes, sampler="grid", n_trials=0, **more):
    given = {"folds": (), "pruner": "none", "seeds": (0,), "measure": ltr.measure("ndcg@10"), **more}
    return SweepSpec(
        DataSpec("tiny"), recipe=recipe, axes=tuple(axes), sampler=sampler, n_trials=n_trials, **given
    )


def test_the_values_of_a_grid_are_readable_and_keep_its_ends():
    lam, rounds = params_of("MPBoost")["lam"], params_of("MPBoost")["n_rounds"]
    assert values_of(Axis("lam", 0.1, 10, 7, True), lam) == (0.1, 0.215, 0.464, 1.0, 2.15, 4.64, 10.0)
    assert values_of(Axis("lam", 1 / 3, 2 / 3, 3, False), lam) == (1 / 3, 0.5, 2 / 3)
    assert values_of(Axis("n_rounds", 1, 4, 9, False), rounds) == (1, 2, 3, 4)


@pytest.mark.parametrize(
    "axes, sentence",
    [
        ((), "Nothing varies yet. Pick at least one parameter"),
        ((Axis("lam", 0.1, 1e9, 3, True),), "Take a number from 1e-06 to 1,000,000"),
        ((Axis("lam", 5, 1, 3, True),), "the range of λ goes from 5 to 1. Give low < high."),
        ((Axis("lam", 2, 2, 3, True),), "Give low < high."),
        ((Axis("n_rounds", 0, 20, 3),), "rounds = 0"),
        ((Axis("step"),), "step has no values to sweep"),
        ((Axis("alpha", 0.1, 1, 3),), "α has an effect only where distance is LDD"),
        ((Axis("lam", 0.1, 9, 200), Axis("max_bins", 2, 400, 200)), "40,000 fits"),
    ],
)
def test_what_cannot_be_swept_is_a_sentence(axes, sentence):
    app = open_sweep(START, axes)
    assert sentence in html.unescape(text_of(app))
    assert app.button("start-sweep").disabled


def test_a_run_keeps_all_that_does_not_vary():
    start = recipe_of("MPBoost", {"ddf": "ldd", "alpha": 0.3, "n_rounds": 9, "random_state": 4})
    bare, seed = recipe_without(start, ("ddf",))
    assert dict(bare.params) == {"alpha": 0.3, "n_rounds": 9} and seed == 4


# Numbers ----------------------------------------------------------------------------------------------------


def test_the_empty_page_has_one_button_that_fills_it(data):
    app = open_app(LINK, page="sweep")
    assert "Which value is best" in text_of(app)
    app.button("sweep-example").click().run()
    finish(app)
    wanted = ltr.sweep(
        "MPBoost",
        {"lam": [0.1, 0.215, 0.464, 1.0, 2.15, 4.64, 10.0]},
        ltr.split(data),
        fixed={"n_rounds": 60},
        score_at="best",
    )
    shown = table_of(app)
    points = wanted.points.sort_values("rank")
    assert shown["λ"].tolist() == points["lam"].tolist()
    assert shown["value"].tolist() == points["value"].tolist()
    assert shown["test"].dropna().tolist() == [wanted.test_value]
    compared = wanted.against().loc[points.index[1:]]
    assert shown["Δ"][1:].tolist() == compared["difference"].tolist()
    assert shown["p"][1:].tolist() == compared["p_holm"].tolist()
    said = text_of(app)
    assert f"λ {wanted.best_params['lam']:.4g}: NDCG@10 {wanted.best_value:.4f} on validation" in said
    assert f"On test: {wanted.test_value:.4f}" in said


def test_points_open_in_compare_with_the_identical_numbers(monkeypatch):
    app = run(
        open_sweep(
            START,
            (Axis("ddf", choices=("ldd", "logdd")), Axis("n_rounds", 4, 20, 3)),
        )
    )
    shown = table_of(app)
    there = open_app(compare_link(app), page="compare")
    screen = there.session_state["_screen"]
    row = comparison.run_table(screen).iloc[-1]
    assert len(screen.runs) == 2 and row["rounds"] == shown["rounds"][0]
    assert row["best"] == shown["value"][0]
    assert row["test"] == shown["test"][0] and row["compared"] == row["at"]


def test_folds_and_seeds_and_a_measure_where_less_is_better(data):
    more = ("sweep_cuts.folds", "sweep_seeds.2", "measure.misorder")
    app = run(open_sweep(START, (LAM,), *more))
    wanted = ltr.sweep(
        "MPBoost",
        {"lam": [0.1, 1.0, 10.0]},
        ltr.folds(data, 5),
        seeds=2,
        measure="misorder",
        fixed={"n_rounds": 8},
        score_at="best",
    )
    shown = table_of(app)
    points = wanted.points.sort_values("rank")
    assert shown["value"].tolist() == points["value"].tolist() == sorted(points["value"])
    assert shown["±"].tolist() == points["deviation"].tolist()
    assert "the mean of 10 fits" in text_of(app)
    sweep = sweep_jobs.load(sweep_jobs.path_of(app.session_state["_sweeps"].last))
    assert len(sweep.table) == 30  # the CSV: one row for each fit
    best, worst = wanted.against().iloc[-1][["wins", "losses"]]
    assert f"{worst:.0f}, worse on {best:.0f} of" in shown["queries"].iloc[-1]


def test_another_point_to_compare_with():
    app = run(open_sweep())
    shown = table_of(app)
    other = app.selectbox("pick-sweep_against").options
    assert len(other) == 3 and other[0].endswith("(the best)")
    worst = app.session_state["_sweeps"].last
    sweep = sweep_jobs.load(sweep_jobs.path_of(worst))
    point = int(sweep.points["rank"].idxmax())
    app.selectbox("pick-sweep_against").select(point).run()
    assert table_of(app)["Δ"][0] == sweep.against(point).loc[sweep.chosen, "difference"]
    assert table_of(app)["Δ"][0] == -shown["Δ"].iloc[-1]


@pytest.mark.parametrize("sampler", ["random", "tpe"])
def test_a_search_over_three_parameters(sampler):
    axes = (LAM, Axis("n_rounds", 3, 9, 2), Axis("step", choices=("paper", "newton")))
    app = run(open_sweep(START, axes, f"sweep_sampler.{sampler}", "sweep_trials.6", "sweep_pruner.median"))
    assert len(table_of(app)) == 12
    assert "What matters" in text_of(app)


def test_a_point_that_fails_is_a_row_with_its_sentence():
    app = run(open_sweep(START, (Axis("ddf", choices=("logdd", "table")),)))
    shown = table_of(app)
    assert shown["status"].tolist() == ["done", "failed"]
    assert "ddf_table" in shown["error"].iloc[1] and "Beside them: 1 failed." in text_of(app)


# Pictures ---------------------------------------------------------------------------------------------------


def picture(app):
    (proto,) = [e.proto for e in app.get("plotly_chart") if "on validation by" in e.proto.alt]
    return json.loads(proto.spec)


def test_two_parameters_of_a_grid_are_a_map_with_its_best_cell_framed():
    axes = (Axis("lam", 0.5, 8.0, 3, True), Axis("n_rounds", 2, 10, 2))
    app = run(open_sweep(START, axes))
    figure, shown = picture(app), table_of(app)
    (cells,) = figure["data"]
    assert cells["type"] == "heatmap" and cells["x"] == ["0.5", "2", "8"] and cells["y"] == ["2", "10"]
    values = np.array(read_array(cells["z"]), dtype=float).reshape(2, 3)
    for row in shown.to_dict("records"):
        assert values[cells["y"].index(str(row["rounds"])), cells["x"].index(f"{row['λ']:g}")] == row["value"]
    (frame,) = figure["layout"]["shapes"]
    best = shown.iloc[0]
    assert frame["x0"] + 0.5 == cells["x"].index(f"{best['λ']:g}")
    assert frame["y0"] + 0.5 == cells["y"].index(str(best["rounds"]))


def read_array(value):
    if isinstance(value, dict):
        return np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
    return value


def test_one_is_a_line_many_are_parallel_lines_and_a_search_is_no_map():
    line = picture(run(open_sweep()))["data"][0]
    assert line["type"] == "scatter" and line["mode"] == "lines+markers"
    assert list(read_array(line["x"])) == [0.1, 1.0, 10.0]
    three = (LAM, Axis("n_rounds", 3, 9, 2), Axis("step", choices=("paper", "newton")))
    lines = picture(run(open_sweep(START, three)))["data"][0]
    assert lines["type"] == "parcoords"
    assert [axis["label"] for axis in lines["dimensions"]] == ["λ", "step", "rounds", "NDCG@10, best round"]
    two = (LAM, Axis("step", choices=("paper", "newton")))
    found = picture(run(open_sweep(START, two, "sweep_sampler.random", "sweep_trials.5")))["data"][0]
    assert found["type"] == "scatter" and len(read_array(found["marker"]["color"])) == 5


# How it runs ------------------------------------------------------------------------------------------------


def await_estimate(app):
    wait_for(lambda: "Measuring" not in text_of(app.run()))
    return app


def test_the_estimate_comes_first_and_counts_fits():
    app = await_estimate(open_sweep(START, (LAM, Axis("n_rounds", 4, 20, 5)), "sweep_seeds.2"))
    assert "15 points, 6 fits; one fit takes about" in text_of(app)
    assert f"on {n_cores()} core" in text_of(app)
    assert not sweeps_of(app)


def test_the_estimate_is_measured_where_the_sweep_will_run(fits, monkeypatch):
    """In a worker process, where there are any: not in a thread of the server."""
    crew = Crew(1)
    monkeypatch.setattr(services(), "crew", crew)
    try:
        app = await_estimate(open_sweep(START, (Axis("lam", 0.15, 6.0, 4, True),)))
    finally:
        crew.close()
    assert "4 points, 4 fits; one fit takes about" in text_of(app) and not fits


def test_an_estimate_says_that_other_work_slows_the_fits_and_looks_again_whether_it_does(monkeypatch):
    told, seen = [Estimate(4, 4, 9.0, 2, slowed=9.0), Estimate(4, 4, 1.0, 2, is_most=True)], threading.Event()

    def estimate(**_):
        if len(told) == 1:
            seen.wait(60)
        return told.pop(0)

    monkeypatch.setattr(sweep_jobs, "estimate_sweep", estimate)
    monkeypatch.setattr(sweep_jobs, "_AGAIN", 0.0)
    app = await_estimate(open_sweep(START, (Axis("lam", 0.12, 5.0, 4, True),)))
    busy = "one fit takes about 9.0 s while other work keeps this machine busy: about 26 s on 2 cores"
    assert busy in text_of(app)
    seen.set()
    wait_for(lambda: "busy" not in text_of(app.run()))
    # Two fits on each core, half a core for the picture that grows, and a second around them.
    assert "one fit takes about 1.0 s: at most about 4 s on 2 cores" in text_of(app)
    assert not told


def test_the_same_sweep_again_trains_nothing(fits):
    axes = (Axis("lam", 0.2, 5.0, 4, True),)
    first = table_of(run(await_estimate(open_sweep(START, axes))))
    done = len(fits)
    again = open_sweep(START, axes)
    assert "This sweep is finished" in text_of(again)
    assert table_of(again).equals(first) and len(fits) == done
    assert again.button("start-sweep").disabled and not sweeps_of(again)


def test_stop_keeps_what_is_finished_and_the_rest_is_done_later(monkeypatch):
    axes, gate, started = (Axis("lam", 0.3, 3.0, 6, True),), threading.Event(), itertools.count()
    app = await_estimate(open_sweep(START, axes))
    fit = ltr.MPBoost.fit

    def slow(self, *args, **kwargs):
        if next(started) >= 2:
            gate.wait(60)
        return fit(self, *args, **kwargs)

    monkeypatch.setattr(ltr.MPBoost, "fit", slow)
    try:
        app.button("start-sweep").click().run()
        (job,) = sweeps_of(app)
        wait_for(lambda: job.iteration >= 2)
        app.run()
        assert any("2 of 6 fits done" in str(bar.proto.text) for bar in app.get("progress"))
        app.button("stop-sweep").click().run()
        assert job.cancelled.is_set()
    finally:
        gate.set()
    finish(app)
    kept = table_of(app)
    assert job.status == Status.STOPPED and 2 <= len(kept) < 6
    assert app.button("start-sweep").label == "Continue"
    await_estimate(app)
    assert re.search(rf"6 fits, {len(kept)} of them finished; one fit .*: the rest takes about", text_of(app))
    app.button("start-sweep").click().run()
    finish(app)
    whole = table_of(app)
    assert len(whole) == 6 and whole["test"].notna().sum() == 1
    values = whole.set_index("λ")["value"]
    assert all(values[row["λ"]] == row["value"] for row in kept.to_dict("records"))


def test_a_scheduler_that_does_not_answer_is_a_sentence():
    app = open_sweep(START, (Axis("lam", 0.7, 1.1, 2),))
    app.text_input("sweep-scheduler").set_value("tcp://127.0.0.1:9").run()
    run(app)
    assert text_of(app).count("No scheduler answers at tcp://127.0.0.1:9") == 1
    assert not app.dataframe


def test_a_server_open_to_others_names_no_cluster(monkeypatch):
    monkeypatch.setattr(sweep_jobs.st, "get_option", lambda name: "0.0.0.0")
    app = open_sweep(START, (Axis("lam", 0.7, 1.2, 2),))
    app.text_input("sweep-scheduler").set_value("tcp://10.0.0.1:8786").run()
    assert "names no cluster" in text_of(app)
    app.button("start-sweep").click().run()
    assert not sweeps_of(app)


def test_sweeps_do_not_take_the_place_of_trainings():
    runner, gate, done = Runner(workers=1), threading.Event(), threading.Event()
    sweeps = [runner.submit(f"s{i}", "", 1, lambda job: gate.wait(60), "a", SWEEP) for i in range(4)]
    wait_for(lambda: [job.status for job in sweeps].count(Status.RUNNING) == 2)
    runner.submit("t", "", 1, lambda job: done.set(), "b")
    assert done.wait(60)
    waiting = [job for job in sweeps if job.status == Status.WAITING]
    assert [runner.place(job) for job in waiting] == [1, 2]
    gate.set()


# Files ------------------------------------------------------------------------------------------------------


def bring(app, name, content):
    app.file_uploader("sweep-upload").set_value((name, content, "application/x-ndjson")).run()
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def written(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("sweeps") / "mine.jsonl"
    ltr.sweep("MPBoost", {"lam": [0.5, 2.0], "n_rounds": [2, 4]}, ltr.split(data), seeds=2, store=path)
    return path


def test_a_file_of_the_library_is_shown_and_goes_to_compare(written):
    app = bring(open_app(LINK, page="sweep"), "mine.jsonl", written.read_bytes())
    wanted = ltr.load_sweep(written)
    assert "From mine.jsonl: MPBoost, 4 fits." in text_of(app)
    assert table_of(app)["value"].tolist() == wanted.points.sort_values("rank")["value"].tolist()
    there = open_app(compare_link(app), page="compare")
    row = comparison.run_table(there.session_state["_screen"]).iloc[-1]
    of_seed = wanted.table[(wanted.table["point"] == wanted.chosen) & (wanted.table["seed"] == 0)]
    assert row["last"] == of_seed["value"].item()
    app.number_input("ndcg-k").set_value(3).run()
    assert "made for NDCG@10; the sidebar has another measure" in text_of(app)
    app.number_input("cubic-n_docs").set_value(9).run()
    assert "made on other data" in text_of(app) and app.button("send-refused").disabled
    app.button("close-sweep").click().run()
    assert not app.exception and not app.dataframe


def test_half_a_file_is_shown_as_far_as_it_goes(written):
    lines = written.read_bytes().splitlines(keepends=True)
    half = b"".join(lines[:7]) + lines[7][:40]
    app = bring(open_app(LINK, page="sweep"), "half.jsonl", half)
    assert "From half.jsonl: MPBoost" in text_of(app)


def test_an_edited_file_says_so(written):
    edited = written.read_bytes().replace(b'"lam": 0.5', b'"lam": 0.6')
    app = bring(open_app(LINK, page="sweep"), "bad.jsonl", edited)
    assert "this line was edited after it was written" in html.unescape(text_of(app)) and not app.dataframe


@pytest.mark.parametrize(
    "spoil, sentence",
    [
        (lambda t: "hello\n", "bad.jsonl, line 1: not a line of a sweep"),
        (lambda t: "", "bad.jsonl: not a sweep: its first line is missing"),
        (lambda t: t.replace('"lam"', '"lamb"'), "not a usable sweep"),
        (lambda t: t.replace('"lam": 0.5', '"lam": -1'), "not a usable sweep"),
        (lambda t: t.replace('"ndcg@10"', '"<b>"'), "not a usable sweep"),
        (lambda t: t.replace('"MPBoost"', '"os.system"'), "not a usable sweep"),
        (lambda t: t + BOMB, "unpacks to more than 512 MB"),
    ],
)
def test_a_file_that_is_no_sweep_is_a_sentence(written, spoil, sentence):
    # as from before there were checksums: an edited file is refused by its checksum before anything else
    unsigned = re.sub(r'^\{"checksum": "\w+", ', "{", written.read_text(), flags=re.MULTILINE)
    app = bring(open_app(LINK, page="sweep"), "bad.jsonl", spoil(unsigned).encode())
    said = html.unescape(text_of(app))
    assert sentence in said and "Which value is best" not in said
    assert not app.dataframe


BOMB = json.dumps({"queries": {"2": base64.b64encode(zlib.compress(bytes(600 << 20))).decode()}}) + "\n"


# Settings ---------------------------------------------------------------------------------------------------


def test_the_form_is_made_from_the_registry_and_written_into_the_link():
    app = open_app(LINK, page="sweep")
    app.selectbox("pick-sweep-start").select("GBT").run()
    app.multiselect("pick-sweep-vary-GBT").set_value(["learning_rate", "target"]).run()
    app.number_input("axis-GBT-learning_rate-low").set_value(0.05).run()
    app.number_input("axis-GBT-learning_rate-n").set_value(3).run()
    app.multiselect("axis-GBT-target-choices").set_value(["gain"]).run()
    app.number_input("stay:GBT-n_trees").set_value(20).run()
    assert not app.exception
    axes = decode_axes(app.session_state["sweep_axes"], "GBT")
    assert axes == (Axis("learning_rate", 0.05, 1.0, 3, True), Axis("target", choices=("gain",)))
    assert app.session_state["sweep_start"] == "GBT.n_trees.20"
    assert "0.05 · 0.224 · 1" in text_of(app)
    for page in ("compare", "sweep"):  # nothing is lost on the way
        app.switch_page(f"pages/{page}.py").run()
    assert app.number_input("axis-GBT-learning_rate-low").value == 0.05
    app.selectbox("pick-sweep-start").select("run 0").run()
    assert app.session_state["sweep_start"] == "MPBoost.n_rounds.10" and app.session_state["sweep_axes"] == ""


@pytest.mark.parametrize(
    "text",
    ["{", "[1]", '{"lam":[1]}', '{"lam":{"in":[1]}}', '{"nothing":[1,2,3,0]}', '{"lam":["a","b",3,0]}'],
)
def test_garbage_in_the_link_varies_nothing(text):
    assert decode_axes(text, "MPBoost") == ()
    assert decode_axes(json.dumps({"lam": [1, 1e400, 3, 0]}), "MPBoost")[0].high == np.inf


def test_results_stay_while_the_next_sweep_is_set_up():
    app = run(open_sweep())
    app.number_input("axis-MPBoost-lam-n").set_value(4).run()
    assert not app.exception and "Below is the sweep before the last change" in text_of(app)
    assert len(table_of(app)) == 3 and app.button("start-sweep").label == "Start"
    app.number_input("ndcg-k").set_value(3).run()  # another measure: those are not its results
    assert not app.dataframe


def test_a_full_workspace_takes_no_point():
    runs = "..".join(f"r{i}.MPBoost.n_rounds.{i + 1}" for i in range(10))
    app = run(open_app(link_of().replace("r0.MPBoost.n_rounds.10", runs), page="sweep"))
    assert app.button("send-refused").disabled and "as many as there are colours" in text_of(app)


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("tcp://127.0.0.1:8786", True),
        ("127.0.0.1:8786", True),
        ("tls://[::1]:8786", True),
        ("tcp://localhost:8786", True),
        ("tcp://10.0.0.7:8786", False),
        ("tcp://localhost.evil.example:1", False),
        ("tcp://127.0.0.1@evil.example:1", False),
        ("ws://127.0.0.1:1", False),
        ("inproc://127.0.0.1/1/1", False),
        ("tcp://[::1", False),
    ],
)
def test_clusters_are_on_this_machine_or_named_at_the_start(monkeypatch, address, asked):
    monkeypatch.setattr(sweep_jobs.st, "get_option", lambda name: "localhost")
    assert (not sweep_jobs.refusal(address)) == asked
    monkeypatch.setenv(sweep_jobs.SCHEDULERS, f"tcp://other:1 {address}")
    assert not sweep_jobs.refusal(address), "it was named at the start"
    monkeypatch.setattr(sweep_jobs.st, "get_option", lambda name: "0.0.0.0")
    assert not sweep_jobs.refusal(address) and not sweep_jobs.refusal("")
    monkeypatch.delenv(sweep_jobs.SCHEDULERS)
    assert "open to others" in sweep_jobs.refusal(address)


def test_a_stranger_of_a_cluster_is_never_spoken_to(monkeypatch):
    started = []
    monkeypatch.setattr(sweep_jobs, "start", lambda *given: started.append(given))
    app = open_sweep(START, (Axis("lam", 0.7, 1.3, 2),))
    app.text_input("sweep-scheduler").set_value("tcp://203.0.113.9:8786").run()
    assert "speaks to clusters on this machine" in text_of(app)
    app.button("start-sweep").click().run()
    assert not app.exception and not started


def test_a_best_point_at_the_end_of_its_range_says_so_and_offers_more():
    app = run(open_sweep(START, (Axis("n_rounds", 2, 8, 3),)))
    sweep = sweep_jobs.load(sweep_jobs.path_of(app.session_state["_sweeps"].last))
    at = sweep.best_params["n_rounds"]
    said = "The best point has the"
    assert (said in text_of(app)) == (at in (2, 8)), at
    if at == 8:
        app.button("widen-n_rounds").click().run()
        assert '"n_rounds":[2.0,11.0,4,0]' in app.session_state["sweep_axes"] and not app.exception
    assert "at its best round" in text_of(app)


def test_a_range_is_widened_by_half_its_length():
    lam = params_of("MPBoost")["lam"]
    up = widened(Axis("lam", 0.1, 10.0, 7, True), lam, True)
    assert (up.low, up.high, up.n) == (0.1, 100.0, 10)
    down = widened(Axis("lam", 0.1, 10.0, 7, True), lam, False)
    assert (down.low, down.high) == (0.01, 10.0)
    rounds = params_of("MPBoost")["n_rounds"]
    assert (
        widened(Axis("n_rounds", 2, 100, 3), rounds, False).low == 1
    )  # not beyond the algorithm's own limit
