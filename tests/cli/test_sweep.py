"""``python -m ltr_core sweep``: the sweep of `ltr.sweep`, kept in a file that all can open."""

from __future__ import annotations

import logging
import signal
import threading

import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.cli.progress import Meter
from ltr_core.cli.values import read_space
from ltr_core.sweeps.running.probe import Probe
from tests.command import CUBIC, Command

FOLDS = ltr.load_folds(CUBIC)
ONE = ("--data", CUBIC, "--fold", 1)


@pytest.fixture
def command(capsys):
    return Command(capsys)


@pytest.fixture
def fits(monkeypatch):
    """Count the trainings of MPBoost that are not an estimate's."""
    counted = []
    fit, run, measured = ltr.MPBoost.fit, Probe.run, threading.local()

    def counting(self, *args, **kwargs):
        if not getattr(measured, "now", False):
            counted.append(self.lam)
        return fit(self, *args, **kwargs)

    def measuring(self, *args):
        measured.now = True
        try:
            return run(self, *args)
        finally:
            measured.now = False

    monkeypatch.setattr(ltr.MPBoost, "fit", counting)
    monkeypatch.setattr(Probe, "run", measuring)
    return counted


def same(a: ltr.Sweep, b: ltr.Sweep) -> bool:
    pd.testing.assert_frame_equal(a.table, b.table, check_exact=True)
    pd.testing.assert_frame_equal(a.points, b.points, check_exact=True)
    pd.testing.assert_frame_equal(a.curves, b.curves, check_exact=True)
    pd.testing.assert_frame_equal(a.test, b.test, check_exact=True)
    return a.chosen == b.chosen and a.header == b.header and a.stopped == b.stopped


def test_the_file_holds_the_sweep_of_python(command, tmp_path):
    store, python = tmp_path / "lam.jsonl", tmp_path / "python.jsonl"
    words = ("--vary", "lam=0.2,0.5,1", "n_rounds=4,8", "--fixed", "ddf=logdd", "--measure", "ndcg@5,map")
    found = command.json("sweep", "mpboost", "--data", CUBIC, *words, "--store", store)
    space = {"lam": [0.2, 0.5, 1.0], "n_rounds": [4, 8]}
    options = {"fixed": {"ddf": "logdd"}, "measure": "ndcg@5", "measures": ["map"]}
    wanted = ltr.sweep("MPBoost", space, FOLDS, **options, store=python)
    assert same(ltr.load_sweep(store), ltr.load_sweep(python))
    pd.testing.assert_frame_equal(ltr.load_sweep(store).table, wanted.table, check_exact=True)
    assert found["chosen"]["point"] == wanted.chosen and found["chosen"]["params"] == wanted.best_params
    assert found["chosen"]["value"] == wanted.best_value
    assert found["chosen"]["test_value"] == wanted.test_value
    assert [fit["value"] for fit in found["fits"]] == wanted.table["value"].tolist()
    against = wanted.against()
    for point in found["points"]:
        if point["point"] != wanted.chosen:
            row = against.loc[point["point"]]
            assert (point["difference"], point["p_holm"]) == (row["difference"], row["p_holm"])
            assert (point["wins"], point["losses"]) == (row["wins"], row["losses"])
    # And the reverse: what Python wrote, the command line goes on with.
    text = command("sweep", "MPBoost", "--data", CUBIC, *words, "--store", python)
    assert "30 fits are in" not in command.err and f"15 fits are in {python} already." in command.err
    assert f"{wanted.best_value:.6f}" in text and f"{wanted.test_value:.6f}" in text
    assert f"Chosen: point {wanted.chosen} (" in text


def test_a_file_is_shown_without_its_data(command, tmp_path):
    store, csv = tmp_path / "python.jsonl", tmp_path / "fits.csv"
    space = {"lam": {"low": 0.2, "high": 1.0, "n": 3}}
    wanted = ltr.sweep("MPBoost", space, FOLDS, fixed={"n_rounds": 4}, seeds=(3, 4), store=store)
    found = command.json("sweep", store, "--baseline", 0, "--csv", csv)
    assert pd.read_csv(csv)["value"].tolist() == wanted.table["value"].tolist()
    assert [p["value"] for p in found["points"]] == wanted.points["value"].tolist()
    assert [p["p"] for p in found["points"]][1:] == wanted.against(0)["p"].tolist()
    assert found["stopped"] == "done" and found["chosen"]["test_value"] == wanted.test_value
    assert f"Chosen: point {wanted.chosen} (" in command("sweep", store)
    lines = store.read_text().splitlines(keepends=True)
    store.write_text("".join(lines[:2]))
    assert command.json("sweep", store)["chosen"] is None
    assert command.err == "No point is finished yet.\n"
    store.write_text(lines[0][:-9])
    assert "python.jsonl" in command.refused("sweep", store)
    assert "cannot be read" in command.refused("sweep", "none.jsonl")
    assert "sweep has no option --vary" in command.refused("sweep", store, "--vary", "lam")


@pytest.mark.parametrize(
    "words, kwargs",
    [
        (["--folds", "3", "--seed", "5"], {"folds": 3, "seed": 5}),
        (["--seeds", "2"], {"seeds": 2}),
        (["--seeds", "4,7", "--workers", "1"], {"seeds": (4, 7), "n_workers": 1}),
        (["--sampler", "random", "--trials", "4"], {"sampler": "random", "n_trials": 4}),
        (
            ["--sampler", "tpe", "--trials", "6", "--pruner", "median", "--seed", "1"],
            {"sampler": "tpe", "n_trials": 6, "pruner": "median", "seed": 1},
        ),
        (["--pruner", "none", "--gain", "grade"], {"measure": ltr.measure("ndcg@10", gain="grade")}),
    ],
)
def test_the_arguments_are_those_of_python(command, tmp_path, words, kwargs):
    csv, curves, data = tmp_path / "fits.csv", tmp_path / "curves.csv", tmp_path / "data.txt"
    whole = ltr.datasets.make("cubic", seed=2, n_queries=20, n_docs=8)
    ltr.save(whole, data)
    command(
        "sweep",
        "ranknet",
        "--data",
        data,
        "--vary",
        "step-size=0.01:0.1:3",
        "--fixed",
        "epochs=3",
        *words,
        "--csv",
        csv,
        "--curves",
        curves,
    )
    axis = {"low": 0.01, "high": 0.1, "n": 3}
    wanted = ltr.sweep("RankNet", {"step_size": axis}, ltr.load(data), fixed={"epochs": 3}, **kwargs)
    read = pd.read_csv(csv)
    for column in ("value", "step_size", "fold", "seed", "status", "valid_loss", "best_iteration"):
        assert read[column].tolist() == wanted.table[column].tolist()
    pd.testing.assert_frame_equal(pd.read_csv(curves), wanted.curves, check_exact=True, check_dtype=False)


def test_what_varies():
    params = [p for p in ltr.QBRank.all_params() if p.name != "random_state"]

    def space(*words, grid=True):
        return read_space(words, params, "QBRank", grid)

    assert space("n_trees=5,10", "line_search", "margin") == {
        "n_trees": [5, 10],
        "line_search": [False, True],
        "margin": ["grade", 1.0],
    }
    assert space("learning-rate=0.1:0.5") == {"learning_rate": {"low": 0.1, "high": 0.5, "n": 5}}
    assert space("learning_rate=0.1:0.5:3:linear") == {
        "learning_rate": {"low": 0.1, "high": 0.5, "n": 3, "log": False}
    }
    assert space("learning_rate=0.1:0.5:log", grid=False) == {
        "learning_rate": {"low": 0.1, "high": 0.5, "log": True}
    }
    assert space("n_leaves") == {"n_leaves": {"low": 2, "high": 1024, "n": 5}}
    lam = [p for p in ltr.MPBoost.all_params() if p.name == "lam"]
    assert read_space(["lam=none,0.5"], lam, "MPBoost", True) == {"lam": [None, 0.5]}


def test_a_calibrated_point_is_called_so(command):
    text = command("sweep", "mpboost", *ONE, "--vary", "lam=none,0.5", "--fixed", "n_rounds=3")
    assert {line.split()[1] for line in text.splitlines()[1:3]} == {"calibrated", "0.5"}


def test_the_same_command_goes_on(command, fits, monkeypatch, tmp_path):
    store = tmp_path / "lam.jsonl"
    words = (
        "sweep",
        "mpboost",
        "--data",
        CUBIC,
        "--vary",
        "lam=0.2,0.5,1",
        "--fixed",
        "n_rounds=5",
        "--workers",
        1,
    )
    ends = [4]

    def update(self, done, total, text="", left=None):
        if done in ends:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Meter, "update", update)
        found = command.json(*words, "--store", store, code=130)
    assert found["stopped"] == "cancelled" and 4 <= len(found["fits"]) < 15
    assert f"the same command goes on from {store}" in command.err
    assert len(ltr.load_sweep(store).table) == len(found["fits"])
    before = len(fits)
    text = command(*words, "--store", store)
    # The chosen point's five are trained again if their models are gone.
    missing = 15 - len(found["fits"])
    assert len(fits) - before in (missing, missing + 5)
    assert f"{len(found['fits'])} fits are in {store} already." in command.err
    wanted = ltr.sweep("MPBoost", {"lam": [0.2, 0.5, 1.0]}, FOLDS, fixed={"n_rounds": 5})
    pd.testing.assert_frame_equal(ltr.load_sweep(store).table, wanted.table, check_exact=True)
    pd.testing.assert_frame_equal(ltr.load_sweep(store).test, wanted.test, check_exact=True)
    assert f"{wanted.test_value:.6f}" in text
    command(*words[:-4], "n_rounds=6", "--store", store, code=2)
    assert "holds another sweep" in command.err.splitlines()[-1]


def test_an_estimate_alone(command, fits, tmp_path):
    store = tmp_path / "lam.jsonl"
    words = ("--vary", "lam=0.2,0.5,1", "n-rounds=2,3", "--workers", 2, "--seeds", 2, "--store", store)
    found = command.json("sweep", "mpboost", "--data", CUBIC, *words, "--estimate")
    assert (found["n_points"], found["n_fits"], found["n_workers"]) == (6, 30, 2)
    assert found["seconds"] == found["seconds_before"] + found["seconds_per_fit"] * 15
    assert "6 points, 30 fits of about" in command("sweep", "mpboost", "--data", CUBIC, *words, "--estimate")
    assert not store.exists() and not fits


def test_a_baseline(command):
    words = ("--vary", "lam=0.2,0.5,1", "--fixed", "n_rounds=5")
    found = command.json("sweep", "mpboost", *ONE, *words, "--baseline", 2)
    wanted = ltr.sweep("MPBoost", {"lam": [0.2, 0.5, 1.0]}, FOLDS[:1], fixed={"n_rounds": 5}).against(2)
    assert [p["difference"] for p in found["points"]] == [*wanted["difference"], None]
    command("sweep", "mpboost", *ONE, *words, "--baseline", 3, code=2)
    assert "there is no such point" in command.err.splitlines()[-1]


def test_points_that_fail_have_their_sentence(command):
    words = ("--vary", "ddf=logdd,table", "--fixed", "n_rounds=2")
    text = command("sweep", "mpboost", *ONE, *words)  # the estimate's point is the one that fails
    assert "Point 1 failed: " in text and "Chosen: point 0" in text
    found = command.json("sweep", "mpboost", *ONE, *words, "--baseline", 1)
    assert "Point 1 has no values to compare with" in command.err and found["chosen"]["point"] == 0
    assert [point["status"] for point in found["points"]] == ["done", "failed"]
    command("sweep", "mpboost", *ONE, "--vary", "ddf=table", code=2)
    assert "needs a table" in command.out and "No point could be trained" in command.err
    assert "needs a table" in command.refused("sweep", "mpboost", *ONE, "--vary", "ddf=table", "--estimate")


@pytest.fixture
def start_cluster():
    """Start a scheduler with some workers, all in this process."""
    distributed = pytest.importorskip("distributed")
    running = []

    def start(n_workers):
        running.append(
            distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                processes=False,
                protocol="tcp://",
                dashboard_address=":0",
            )
        )
        return running[-1].scheduler_address

    yield start
    for cluster in running:
        cluster.close()


def test_on_a_cluster(command, start_cluster, tmp_path):
    csv, here = tmp_path / "cluster.csv", tmp_path / "here.csv"
    words = ("sweep", "mpboost", "--data", CUBIC, "--vary", "lam=0.2,0.5", "--fixed", "n_rounds=4")
    command(*words, "--scheduler", start_cluster(2), "--csv", csv)
    assert "10 fits of about" in command.err and "on 2 workers" in command.err
    command(*words, "--csv", here)
    assert csv.read_text() == here.read_text()


def test_on_a_cluster_its_packages_log_no_tracebacks(command, start_cluster):
    loud = [logging.getLogger(name) for name in ("distributed.client", "tornado.application")]
    before = [logger.level for logger in loud]
    try:
        words = ("sweep", "mpboost", *ONE, "--vary", "lam=0.2", "--fixed", "n_rounds=2", "--quiet")
        command(*words, "--scheduler", start_cluster(1))
        assert not any(logger.isEnabledFor(logging.ERROR) for logger in loud)
    finally:
        for logger, level in zip(loud, before, strict=True):
            logger.setLevel(level)


def test_a_cluster_that_cannot_be_used(command, start_cluster, monkeypatch):
    words = ("sweep", "mpboost", *ONE, "--vary", "lam=0.2", "--quiet", "--scheduler")
    assert "has no workers. Start some with `python -m dask worker" in command.refused(
        *words, start_cluster(0)
    )

    def refuse(self, plugin, name):
        raise Exception("No module named 'ltr_core'")

    monkeypatch.setattr("distributed.Client.register_plugin", refuse)
    said = command.refused(*words, start_cluster(1))
    assert "The workers cannot take the data (No module named 'ltr_core')" in said


@pytest.mark.parametrize(
    "words, said",
    [
        ([*ONE], "--vary"),
        ([*ONE, "--vary", "lamb=1"], "no parameter 'lamb'. Did you mean lam?"),
        ([*ONE, "--vary", "lam="], "lam has no values to sweep"),
        ([*ONE, "--vary", "lam=0:1"], "lam = 0 cannot be used"),
        ([*ONE, "--vary", "lam=2:1"], "goes from 2 to 1"),
        ([*ONE, "--vary", "lam=1:2:often"], "'often' is not understood"),
        ([*ONE, "--vary", "lam=1", "lam=2"], "twice"),
        ([*ONE, "--vary", "ddf_table"], "no range of its own"),
        ([*ONE, "--vary", "random_state=1"], "no parameter 'random_state'"),
        ([*ONE, "--vary", "lam=1", "--fixed", "lam=2"], "both swept and fixed"),
        ([*ONE, "--vary", "lam=1", "--fixed", "lam"], "NAME=VALUE"),
        ([*ONE, "--vary", "lam=1", "--trials", "3"], "leave --trials out"),
        ([*ONE, "--vary", "lam=1:2", "--sampler", "tpe"], "say how many with --trials"),
        ([*ONE, "--vary", "lam=1", "--seeds", "a"], "--seeds a"),
        ([*ONE, "--vary", "lam=1", "--seeds", "0"], "--seeds 0: give how many"),
        ([*ONE, "--vary", "lam=1", "--folds", "3"], "cut already"),
        ([*ONE, "--vary", "lam=1", "--workers", "0"], "--workers 0"),
        ([*ONE, "--vary", "lam=1", "--store", "no/such/x.jsonl"], "no such folder"),
        ([*ONE, "--vary", "lam=1", "--store", CUBIC + "/Fold1/test.txt"], "not a line of a sweep"),
        (["--data", "tiny", "--vary", "lam=1", "--folds", "2"], "2 folds cannot be made"),
        ([*ONE, "--vary", "lam=1", "--scheduler", "tcp://127.0.0.1:1"], "No scheduler answers at"),
        ([*ONE, "--vary", "lam=1", "--scheduler", "nowhere"], "No scheduler answers at"),
    ],
    ids=lambda value: " ".join(map(str, value)).replace(CUBIC, "…")[:60] if isinstance(value, list) else "",
)
def test_a_sentence_for_what_cannot_be_used(command, words, said):
    assert said in command.refused("sweep", "mpboost", "--quiet", *words)
