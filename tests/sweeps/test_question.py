"""What a sweep asks is said before it runs; samplers and pruners are what their registries say they are."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.sweeps import PRUNERS, SAMPLERS, describe, load_sweep
from tests.sweeps.test_sweep import FOLDS

SPACE = {"ddf": ["binary", "logdd"], "lam": {"low": 0.5, "high": 2.0, "n": 3}, "n_rounds": [2, 4]}


@pytest.mark.parametrize("name", list(SAMPLERS))
def test_a_sampler_is_complete_and_proposes_the_same_again(name):
    sampler = SAMPLERS[name]
    assert sampler.label and sampler.help and not sampler.help.endswith(".")
    n_trials = 4 if sampler.draws else None
    question = describe("MPBoost", SPACE, name, n_trials, seed=3)
    proposals = [question.propose().ask(100) for _ in range(2)]
    assert proposals[0] == proposals[1] and len(proposals[0]) == (n_trials or 6)
    for point in proposals[0]:
        assert set(point) == {"ddf", "lam"} and 0.5 <= point["lam"] <= 2.0
    other = describe("MPBoost", SPACE, name, n_trials, seed=4).propose().ask(100)
    assert (other == proposals[0]) == (not sampler.draws)
    proposer = question.propose()
    asked = proposer.ask(3)
    proposer.tell([(0.5, True), (None, True), (0.4, False)][: len(asked)])
    assert proposer.ask(100)
    assert f"'{name}'" in str(ltr.sweep.__doc__)


@pytest.mark.parametrize("name", list(PRUNERS))
def test_a_pruner_is_complete(name):
    assert PRUNERS[name].label and PRUNERS[name].help
    assert describe("MPBoost", SPACE, pruner=name).looks_back
    assert f"'{name}'" in str(ltr.sweep.__doc__)


def test_points_and_fits_are_those_of_the_sweep():
    question = describe("MPBoost", SPACE, seeds=2)
    result = ltr.sweep("MPBoost", SPACE, FOLDS, seeds=2)
    assert question.n_points == len(result.points) == 12
    assert question.n_fits(len(FOLDS)) == result.n_trained == 4 * 3 * 2
    drawn = describe("MPBoost", SPACE, "random", 5)
    assert drawn.n_points == 10 and drawn.at_a_time > 100
    assert describe("MPBoost", SPACE, "tpe", 5, batch=3).at_a_time == 3


def test_what_varies_without_effect_is_said_with_what_it_needs():
    assert describe("MPBoost", {"alpha": [0.1, 0.2]}).space.idle() == {"alpha": ("ddf", ("ldd",))}
    assert describe("MPBoost", {"alpha": [0.1, 0.2]}, fixed={"ddf": "ldd"}).space.idle() == {}
    assert describe("MPBoost", {"alpha": [0.1, 0.2], "ddf": ["ldd", "logdd"]}).space.idle() == {}


def test_progress_has_the_tables_that_a_reader_of_the_file_has(tmp_path, monkeypatch):
    file, looked = tmp_path / "sweep.jsonl", []

    def look(progress):
        here, there = progress.so_far(), load_sweep(file)
        assert here.stopped == there.stopped == "unfinished"
        pd.testing.assert_frame_equal(here.table, there.table, check_exact=True)
        pd.testing.assert_frame_equal(here.points, there.points, check_exact=True)
        pd.testing.assert_frame_equal(here.curves, there.curves, check_exact=True)
        looked.append(here.n_trained)

    ltr.sweep("MPBoost", SPACE, FOLDS[0], fixed={}, n_workers=1, store=file, on_fit=look)
    assert looked == [1, 2, 3, 4]


ADDED = """
import ltr_core as ltr
from ltr_core.sweeps.search import samplers

class Twice(samplers.Grid):
    label, help, draws = "Twice", "every combination twice", False

    def ask(self, n):
        return [point for point in super().ask(n) for _ in range(2)]

samplers.SAMPLERS["twice"] = Twice

from tests.sweeps.test_sweep import FOLDS
assert len(ltr.sweep("MPBoost", {"lam": [1.0]}, FOLDS[0], "twice", fixed={"n_rounds": 1}).points) == 2

from ltr_core.cli import main
from pages.ui.app import controls  # the controls are collected
from pages.ui.session import state
from pages.ui.style.words import choice_label
param = state.CONTROLS["sweep_sampler"]
assert param.check("twice") == "twice" and "every combination twice" in param.help
assert choice_label(param, "twice") == "Twice"
try:
    main(["sweep", "mpboost", "--help"])
except SystemExit:
    pass
"""


@pytest.mark.slow
def test_a_sampler_more_is_one_class_and_one_line():
    """Form, link, checks, command line and the sweep itself know it without another edit."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", ADDED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "{grid,random,tpe,twice}" in said and "every combination twice (twice)" in said
