"""`MEASURES` and `measure`: names, options that survive a link, bound measures, sentences."""

from __future__ import annotations

import importlib
import inspect
import json
import pickle
import pkgutil

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import measures
from ltr_core.measures import CONVENTIONS, FUNCTIONS, Measure
from ltr_core.params import Param

OFFSETS = np.array([0, 3, 4, 8])
Y = np.array([0, 2, 1, 0, 3, 3, 0, 1.0])
SCORES = np.array([1, 1, 2, 0, 5, 1, 1, 1.0])


@pytest.mark.parametrize("name", ltr.MEASURES)
def test_entries_have_what_forms_and_tables_need(name):
    entry = ltr.MEASURES[name]
    assert entry.name == name and entry.label and isinstance(entry.higher_is_better, bool)
    assert entry.summary.endswith(".") and entry.summary.count(". ") == 0
    for param in entry.params:
        assert isinstance(param, Param) and param.help.endswith(".")
        assert param.check(param.default) == param.default
    assert entry.__doc__
    own = {param.name for param in entry.params}
    assert own >= {*entry.called, *entry.required} and not own & {*entry.called.values(), "per_query"}
    for alias in entry.aliases:
        assert alias not in ltr.MEASURES and type(ltr.measure(alias)) is entry


def test_every_measure_is_registered_and_has_a_file_and_a_function_of_its_own():
    names = [info.name for info in pkgutil.iter_modules(measures.__path__) if not info.ispkg]
    modules = [importlib.import_module(f"ltr_core.measures.{name}") for name in names]
    classes = [v for m in modules for v in vars(m).values() if inspect.isclass(v) and issubclass(v, Measure)]
    own = {c for c in classes if c is not Measure and c.__module__.startswith("ltr_core.measures.")}
    assert own == set(ltr.MEASURES.values()) and len(FUNCTIONS) == len(ltr.MEASURES)
    assert {c.__module__.rpartition(".")[2] for c in own} == set(names)


LAST = "ties='average', empty='zero'"
SIGNATURES = {
    "ndcg": f"k=10, gain='exp2', discount='standard', {LAST}, short='pad', convention=None",
    "dcg": f"k=10, gain='exp2', discount='standard', {LAST}, convention=None",
    "precision": f"n=10, relevant=1.0, {LAST}, convention=None",
    "recall": f"k=10, relevant=1.0, {LAST}, convention=None",
    "r_precision": f"relevant=1.0, {LAST}, convention=None",
    "average_precision": f"relevant=1.0, {LAST}, convention=None",
    "mean_ndcg": f"gain='exp2', discount='standard', {LAST}, convention=None",
    "mrr": f"k=None, relevant=1.0, {LAST}, convention=None",
    "err": f"k=None, max_grade=None, {LAST}, convention=None",
    "kendall_tau": "ties='average', convention=None",
    "tau_distance": "ties='average', convention=None",
    "misorder": "",
    "precision_at_percent": "percent",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_as_if_written_by_hand(name):
    function = getattr(ltr, name)
    assert function is getattr(measures, name) is pickle.loads(pickle.dumps(function))
    assert name in ltr.__all__ and name in dir(ltr) and function.__name__ == name
    signature = inspect.signature(function)
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    wanted = ", ".join(filter(None, ["y, scores, qid", SIGNATURES[name], "per_query=False"]))
    tail = ", *, k=None" if name == "precision" else ""
    assert str(inspect.Signature(bare)) == f"({wanted}{tail})"
    for parameter in list(signature.parameters)[3:]:
        assert f"\n{parameter} : " in function.__doc__
    with pytest.raises(TypeError, match=rf"^{name}\(\): missing a required argument: 'scores'"):
        function(Y)
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        function(Y, SCORES, np.zeros(8), *([10.0] if name == "precision_at_percent" else []), depth=3)


@pytest.mark.parametrize("name", ltr.MEASURES)
def test_measures_are_found_by_their_own_name_and_options(name):
    for options in ({}, {"convention": "letor"}):
        measure = ltr.measure(name, **options)
        assert type(measure) is ltr.MEASURES[name]
        assert json.loads(json.dumps(measure.options)) == measure.options
        assert ltr.measure(measure.name, **measure.options) == measure
        assert ltr.measure(measure) is measure
        again = pickle.loads(pickle.dumps(measure))
        assert again == measure and hash(again) == hash(measure) and again.name == measure.name
        assert eval(repr(measure), {"measure": ltr.measure}) == measure
        assert measure.describe().endswith(".") and measure.describe().count(". ") == 0


@pytest.mark.parametrize("name", ltr.MEASURES)
def test_bound_and_loose_forms_agree(name):
    measure = ltr.measure(name)
    bound = measure.bind(Y, OFFSETS)
    for scores in (SCORES, -SCORES, SCORES * 0):
        values = bound.per_query(scores)
        assert values.dtype == np.float64 and values.shape == (3,)
        np.testing.assert_array_equal(values, measure.per_query(Y, scores, OFFSETS))
        np.testing.assert_array_equal(bound.mean(scores), measure.mean(Y, scores, OFFSETS))
        values[:] = -7  # a caller may write to what it got
        np.testing.assert_array_equal(bound.per_query(scores), measure.per_query(Y, scores, OFFSETS))


@pytest.mark.parametrize("name", ltr.MEASURES)
def test_arrays_may_be_read_only_or_of_other_types(name):
    measure = ltr.measure(name)
    ref = measure.per_query(Y, SCORES, OFFSETS)
    y, scores, offsets = Y.copy(), SCORES.copy(), OFFSETS.copy()
    for array in (y, scores, offsets):
        array.flags.writeable = False
    np.testing.assert_array_equal(measure.per_query(y, scores, offsets), ref)
    np.testing.assert_array_equal(
        measure.per_query(Y.astype(int), SCORES.astype(np.float32), OFFSETS.astype(np.int32)), ref
    )
    np.testing.assert_array_equal(measure.per_query(Y.tolist(), SCORES.tolist(), OFFSETS.tolist()), ref)
    np.testing.assert_array_equal(measure.bind(np.repeat(Y, 2)[::2], OFFSETS).per_query(SCORES), ref)


@pytest.mark.parametrize(
    "text, name, label",
    [
        ("ndcg@10", "ndcg@10", "NDCG@10"),
        ("NDCG@5", "ndcg@5", "NDCG@5"),
        (" Ndcg ", "ndcg@10", "NDCG@10"),
        ("ndcg@all", "ndcg@all", "NDCG@all"),
        ("dcg@5", "dcg@5", "DCG@5"),
        ("map", "map", "MAP"),
        ("MAP", "map", "MAP"),
        ("ap", "map", "MAP"),
        ("average precision", "map", "MAP"),
        ("p@5", "p@5", "P@5"),
        ("Precision@10", "p@10", "P@10"),
        ("precision@10%", "precision@10%", "Precision@10%"),
        ("P@2.5%", "precision@2.5%", "Precision@2.5%"),
        ("MeanNDCG", "mean_ndcg", "MeanNDCG"),
        ("mean-ndcg", "mean_ndcg", "MeanNDCG"),
        ("mrr", "mrr", "MRR"),
        ("MRR@10", "mrr@10", "MRR@10"),
        ("err", "err", "ERR (top grade: the scale’s or the largest)"),
        ("err@20", "err@20", "ERR@20 (top grade: the scale’s or the largest)"),
        ("kendall_tau", "tau", "Kendall τ"),
        ("tau_distance", "tau_distance", "τ distance"),
        ("misorder", "misorder", "Misorder"),
    ],
)
def test_names_as_people_write_them(text, name, label):
    measure = ltr.measure(text)
    assert (measure.name, measure.label) == (name, label)


def test_options_by_name():
    assert ltr.measure("ndcg", k=5).name == "ndcg@5"
    assert ltr.measure("ndcg", k=None).name == "ndcg@all"
    assert ltr.measure("precision_percent", percent=20).name == "precision@20%"
    measure = ltr.measure("ndcg@5", convention="letor")
    assert measure.options == {"k": 5, "gain": "exp2", **CONVENTIONS["letor"]}
    assert ltr.measure(measure, ties="average", gain="grade").options["gain"] == "grade"
    assert ltr.measure("ndcg", gain=(0, 1, 3)).options["gain"] == [0.0, 1.0, 3.0]
    assert ltr.measure("ndcg", gain={2: 7, 0.5: 1, 0: 0}).options["gain"] == {"0": 0.0, "0.5": 1.0, "2": 7.0}
    assert ltr.measure("dcg@3", convention="letor").options["discount"] == "letor"


@pytest.mark.parametrize(
    "name, options, sentence",
    [
        ("ndgc@10", {}, "There is no measure 'ndgc@10'. Take one of ndcg@k, dcg@k, p@k, map, "),
        ("", {}, "There is no measure ''"),
        ("map@10", {}, "There is no measure 'map@10'"),
        ("ndcg@", {}, "There is no measure 'ndcg@'"),
        ("ndcg@x", {}, "There is no measure 'ndcg@x'"),
        ("ndcg@10%", {}, "There is no measure 'ndcg@10%'"),
        ("precision@x%", {}, "There is no measure 'precision@x%'"),
        ("ndcg@0", {}, "NDCG: k = 0 cannot be used"),
        ("p@2.5", {}, "P: k = 2.5 cannot be used"),
        ("precision@200%", {}, "percent = 200 cannot be used. Take a number from 0.01 to 100"),
        ("ndcg@10", {"k": 5}, "'ndcg@10' is given k = 5 as well"),
        ("map", {"gain": "exp2"}, "MAP has no option 'gain'. It takes relevant, ties, empty."),
        ("misorder", {"ties": "file"}, "Misorder has no option 'ties'. It takes no option."),
        (
            "ndcg@10",
            {"convention": "trec"},
            "convention = 'trec' is not known. Take one of 'letor', or None.",
        ),
    ],
)
def test_unknown_names_and_options_are_sentences(name, options, sentence):
    with pytest.raises(ltr.ParameterError) as caught:
        ltr.measure(name, **options)
    assert sentence in str(caught.value)


def test_descriptions_name_what_was_chosen():
    words = ltr.measure("ndcg@5", convention="letor").describe()
    for part in ("first 5", "2ʳ − 1 for grade r", "1/log2(rank)", "fewer than 5", "file order", "scores 0"):
        assert part in words
    assert "a table by grade" in ltr.measure("dcg", gain=[0, 1]).describe()
    assert "grade 2 and above" in ltr.measure("map", relevant=2).describe()
    assert "left out" in ltr.measure("err", empty="skip").describe()


@pytest.mark.parametrize(
    "offsets, sentence",
    [
        ([0, 4], "the offsets do not divide 8 documents into queries"),
        ([1, 8], "the offsets do not divide"),
        ([8], "the offsets do not divide"),
        ([0, 3, 3, 8], "a query has no document"),
    ],
)
def test_wrong_offsets_are_sentences(offsets, sentence):
    with pytest.raises(ltr.DataError, match=sentence):
        ltr.measure("ndcg@10").bind(Y, offsets)
