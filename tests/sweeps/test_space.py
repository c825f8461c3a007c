"""The space of a sweep, and every way to ask for one that cannot be."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.sweeps.running.parts import as_folds
from ltr_core.sweeps.search.space import Range, Values, as_space


def graded() -> ltr.RankingData:
    rng = np.random.default_rng(0)
    return ltr.RankingData(rng.normal(size=(60, 3)), rng.integers(0, 3, 60), np.repeat(np.arange(12), 5))


DATA = graded()


def test_lists_ranges_and_their_forms():
    given = {"low": 0.1, "high": 10.0, "n": 3}
    space = as_space(
        "MPBoost", {"lam": given, "ddf": ["ldd", "ldd", "logdd"], "alpha": (1.0, 2.0)}, drawn=True
    )
    assert space.axes["ddf"] == Values(("ldd", "logdd"))
    assert space.axes["lam"] == Range(0.1, 10.0, 3, True, False)
    assert space.axes["lam"].points(3) == pytest.approx((0.1, 1.0, 10.0))
    assert space.axes["alpha"].low == 1.0 and space.axes["alpha"].n is None
    assert all(0.1 <= v <= 10.0 for v in space.axes["lam"].points(977))
    even = as_space("MPBoost", {"lam": {**given, "log": False}}).axes["lam"]
    assert even.points(3) == pytest.approx((0.1, 5.05, 10.0))
    whole = as_space("GBT", {"n_leaves": {"low": 2, "high": 5}}).axes["n_leaves"]
    assert whole.points(10) == (2, 3, 4, 5)
    assert list(as_space("GBT", {"n_leaves": np.array([4, 8])}).grid()) == [{"n_leaves": 4}, {"n_leaves": 8}]


def test_for_a_grid_a_pair_is_two_values():
    assert as_space("GBT", {"n_leaves": (4, 8)}).axes["n_leaves"] == Values((4, 8))
    assert as_space("GBT", {"n_leaves": (4, 8, 16)}, drawn=True).axes["n_leaves"] == Values((4, 8, 16))


def test_one_value_is_a_list_of_one():
    assert as_space("GBT", {"n_leaves": 7}).axes["n_leaves"] == Values((7,))


def test_rounds_are_taken_out_and_sorted():
    space = as_space("GBT", {"n_trees": [30, 10, 20], "n_leaves": [4, 8]})
    assert (
        space.rounds == (10, 20, 30) and space.rounds_name == "n_trees" and list(space.axes) == ["n_leaves"]
    )
    assert space.config({"n_leaves": 4}) == {"n_leaves": 4, "n_trees": 30}
    drawn = as_space("GBT", {"n_trees": (1, 500)}, drawn=True).rounds
    assert drawn[0] == 1 and drawn[-1] == 500 and 10 < len(drawn) <= 20


def test_without_effect_a_parameter_goes_to_its_default():
    space = as_space("MPBoost", {"ddf": ["binary", "logdd"], "lam": [0.5, 2.0]}, {"n_rounds": 7})
    assert space.config({"ddf": "binary", "lam": 2.0}) == space.config({"ddf": "binary", "lam": 0.5})
    assert space.config({"ddf": "logdd", "lam": 2.0}) != space.config({"ddf": "logdd", "lam": 0.5})


WRONG = {
    "empty": ({}, {}, "The space is empty"),
    "not a mapping": ([1, 2], {}, "The space is empty"),
    "no values": ({"lam": []}, {}, "no values to sweep"),
    "unknown parameter": ({"lamda": [1.0]}, {}, "no parameter 'lamda'. It has"),
    "value out of range": ({"n_rounds": [10, 10**9]}, {}, "n_rounds = 1000000000 cannot be used"),
    "range out of range": ({"lam": {"low": -1.0, "high": 2.0}}, {}, "lam = -1.0 cannot be used"),
    "upside down": ({"lam": {"low": 2.0, "high": 1.0}}, {}, "Give low < high"),
    "a word for a number": ({"lam": ["much"]}, {}, "lam = 'much' cannot be used"),
    "no such choice": ({"ddf": ["logdd", "lodgd"]}, {}, "'lodgd' cannot be used. Take one of"),
    "a range of choices": ({"ddf": {"low": 1, "high": 2}}, {}, "no range of ddf"),
    "a range without an end": ({"lam": {"low": 1}}, {}, "no range of lam"),
    "one point of a range": ({"lam": {"low": 1.0, "high": 2.0, "n": 1}}, {}, "n = 1 values"),
    "grid of a range": ({"lam": {"low": 1.0, "high": 2.0}}, {}, "A grid needs to know which values of lam"),
    "seed as parameter": ({"random_state": [1, 2]}, {}, "give seeds="),
    "swept and fixed": ({"lam": [1.0]}, {"fixed": {"lam": 2.0}}, "both swept and fixed"),
    "fixed out of range": ({"lam": [1.0]}, {"fixed": {"n_rounds": 0}}, "n_rounds = 0 cannot be used"),
    "sampler": ({"lam": [1.0]}, {"sampler": "guess"}, "no sampler 'guess'"),
    "pruner": ({"lam": [1.0]}, {"pruner": "axe"}, "no pruner 'axe'"),
    "how many": ({"lam": (1.0, 2.0)}, {"sampler": "random"}, "say how many points"),
    "none at all": ({"lam": (1.0, 2.0)}, {"sampler": "tpe", "n_trials": 0}, "say how many points"),
    "count of a grid": ({"lam": [1.0]}, {"n_trials": 5}, "leave n_trials out"),
    "only rounds drawn": ({"n_rounds": (1, 9)}, {"sampler": "tpe", "n_trials": 5}, "Take sampler='grid'"),
    "seeds": ({"lam": [1.0]}, {"seeds": 0}, "seeds = 0 cannot be used"),
    "negative seeds": ({"lam": [1.0]}, {"seeds": [-1]}, "seeds = "),
    "batch": ({"lam": [1.0]}, {"batch": 0}, "at least one trial"),
    "executor": ({"lam": [1.0]}, {"executor": 4}, "runs nothing"),
    "measure": ({"lam": [1.0]}, {"measure": "ndgc@10"}, "ndgc"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_is_a_sentence(case):
    space, kwargs, words = WRONG[case]
    with pytest.raises(ltr.ParameterError) as found:
        ltr.sweep("MPBoost", space, DATA, **kwargs)
    assert words in str(found.value) and str(found.value).endswith(".")


def test_an_algorithm_without_rounds_has_nothing_to_prune():
    with pytest.raises(ltr.ParameterError, match="no algorithm 'MPBost'"):
        ltr.sweep("MPBost", {"lam": [1.0]}, DATA)
    names = [name for name, cls in ltr.ALGORITHMS.items() if cls.rounds_param is None and cls.params]
    for name in names:
        param = ltr.ALGORITHMS[name].params[0]
        with pytest.raises(ltr.ParameterError, match="nothing to prune"):
            ltr.sweep(name, {param.name: [param.default]}, DATA, pruner="median")


def test_data_that_are_no_folds_are_refused():
    train, valid, test = ltr.split(DATA)
    assert len(as_folds([(train, valid, test), (valid, train)], None, 0)) == 2
    other = ltr.RankingData(np.ones((4, 2)), [0, 1, 0, 1], [1, 1, 2, 2])
    for data, folds in (
        ([], None),
        (3, None),
        ((train,), None),
        ((train, valid.X), None),
        ((train, valid), 5),
    ):
        with pytest.raises(ltr.ParameterError):
            as_folds(data, folds, 0)
    with pytest.raises(ltr.DataError, match="2 and 3 features"):
        as_folds((train, other), None, 0)
