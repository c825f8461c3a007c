"""Run specs: what makes two runs the same, and the workspace's slots."""

from __future__ import annotations

import pytest

from ltr_core import ALGORITHMS, Param, ParameterError
from pages.ui.runs.presets import START, offered
from pages.ui.runs.specs import MAX_RUNS, DataSpec, RunSpec, Workspace, recipe_of, settings, workspace_of
from pages.ui.style.words import run_names


def key(**values):
    return RunSpec(DataSpec("tiny"), recipe_of("MPBoost", values)).key


def test_the_key_depends_on_what_the_training_depends_on():
    base = RunSpec(DataSpec("cubic"), recipe_of("MPBoost", {}))
    others = [
        RunSpec(DataSpec("tiny"), base.recipe),
        RunSpec(DataSpec("cubic", (("n_docs", 7),)), base.recipe),
        RunSpec(DataSpec("cubic", seed=1), base.recipe),
        RunSpec(DataSpec("cubic", fold="1"), base.recipe),
        RunSpec(DataSpec("cubic", shuffle=1), base.recipe),
        RunSpec(DataSpec("cubic", stamp="x"), base.recipe),
        RunSpec(base.data, recipe_of("MPBoost", {"n_rounds": 7})),
        RunSpec(base.data, recipe_of("GBT", {})),
        RunSpec(base.data, base.recipe, "measure('ndcg@5')"),
    ]
    keys = {spec.key for spec in [base, *others]}
    assert len(keys) == len(others) + 1


def test_keys_are_the_same_on_every_machine():
    assert RunSpec(DataSpec("tiny"), recipe_of("MPBoost", {"lam": 0.5})).key == "c450b60aecb95b209a18"


def test_what_has_no_effect_makes_no_other_run():
    assert key(ddf="ldd", lam=2.0) == key(ddf="ldd") != key(ddf="ldd", alpha=2.0)
    assert key(n_rounds=200) == key() == key(n_rounds=200.0)


def test_a_table_is_told_apart_by_its_cells():
    table = [[0, -1], [1, 0]]
    assert key(ddf="table", ddf_table=table) == key(ddf="table", ddf_table=((0, -1), (1, 0)))
    assert key(ddf="table", ddf_table=table) != key(ddf="table", ddf_table=[[0, -2], [2, 0]])


def test_settings_are_checked():
    params = (Param("n", "int", 3, 0, 9),)
    assert settings(params, {"n": 4}) == (("n", 4),)
    with pytest.raises(ParameterError, match="from 0 to 9"):
        settings(params, {"n": 10})
    with pytest.raises(ParameterError, match="no parameter 'm'"):
        settings(params, {"m": 1}, "X")
    with pytest.raises(ParameterError, match="There is no algorithm"):
        recipe_of("Nothing", {})


def test_slots_stay_when_others_go():
    recipes = [recipe_of("MPBoost", {"n_rounds": n + 1}) for n in range(4)]
    space = workspace_of(*recipes[:3]).with_baseline(2).remove(1)
    assert space.slots == ((0, recipes[0]), (2, recipes[2])) and space.baseline == 2
    space = space.add(recipes[3])
    assert space.slot_of(recipes[3]) == 1
    assert space.remove(2).baseline == 0
    assert space.remove(0).remove(1).remove(2).baseline is None


def test_the_same_recipe_is_added_once_and_ten_are_the_most():
    space = Workspace()
    for n in range(MAX_RUNS + 3):
        space = space.add(recipe_of("MPBoost", {"n_rounds": n + 1}))
        space = space.add(recipe_of("MPBoost", {"n_rounds": n + 1}))
    assert space.is_full and len(space.slots) == MAX_RUNS


def test_names_are_short_and_tell_runs_apart():
    ddfs = [recipe_of("MPBoost", {"ddf": ddf}) for ddf in ("binary", "ldd", "logdd")]
    assert run_names(ddfs) == ["BINARY", "LDD", "LOGDD"]
    label = ALGORITHMS["GBT"].label
    assert run_names([*ddfs[:2], recipe_of("GBT", {})]) == ["MPBoost BINARY", "MPBoost LDD", label]
    assert run_names([recipe_of("MPBoost", {"n_rounds": 50, "lam": 2.5})]) == ["MPBoost λ 2.5 · 50 rounds"]
    assert run_names([recipe_of("MPBoost", {})]) == ["MPBoost"]
    drawn = [recipe_of("MPBoost", {"lam": lam}) for lam in (0.4273819284716, 0.42738192847161, 2.71828)]
    assert run_names(drawn) == ["λ 0.42738 (1)", "λ 0.42738 (2)", "λ 2.71828"]
    everything = [recipe_of(name, {}) for name in ALGORITHMS]
    assert len(set(run_names(everything))) == len(everything)


def test_the_start_and_all_presets_can_be_opened():
    assert START.is_here and START in offered()
    assert [r.values()["ddf"] for _, r in START.workspace().slots] == [
        *("binary", "ldd", "logdd", "logitdd"),
        "binary",
    ]
    magnitudes = [r.values() for _, r in START.workspace().slots[1:3]]
    assert all(v["size"] == START.workspace().slots[-1][1].values()["scale"] for v in magnitudes)
    for preset in offered():
        space = preset.workspace()
        assert len(space.slots) >= 2 and space.baseline == space.slots[0][0]
