"""What every algorithm of the registry promises, whatever it computes."""

from __future__ import annotations

import copy
import inspect
import json
import math
import threading

import numba
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

import ltr_core as ltr
from ltr_core import threads
from ltr_core.data import by_content
from tests import naive

ROUNDS = 5
NAMES = [name for name, algorithm in ltr.ALGORITHMS.items() if algorithm.available()]
algorithms = pytest.mark.parametrize("name", NAMES)


def make(name: str, n_rounds: int = ROUNDS, **values):
    """Return an untrained model with few rounds."""
    algorithm = ltr.ALGORITHMS[name]
    if algorithm.rounds_param:
        values = {algorithm.rounds_param: n_rounds, **values}
    return algorithm(**values)


def small(seed: int = 0, n_queries: int = 14, n_features: int = 6) -> ltr.RankingData:
    """Queries of 1 to 9 documents with ties, a feature that is constant, queries without pairs among them."""
    rng = np.random.default_rng(seed)
    sizes = np.r_[1, rng.integers(2, 10, n_queries - 1)]
    qid = np.repeat(np.arange(n_queries), sizes)
    X = rng.integers(0, 7, (len(qid), n_features)).astype(np.float32)
    X[:, -1] = 3.0
    y = np.clip(np.round(X[:, 0] - X[:, 1] + rng.normal(0, 1.5, len(qid))), 0, 3)
    y[qid == 1] = 2.0
    return ltr.RankingData(X, y, qid)


TRAIN, VALID = small(0), small(1)


@pytest.fixture(scope="module")
def fitted():
    """Models trained once on the same data, by name; tests must not change them."""
    models = {}

    def get(name):
        if name not in models:
            models[name] = make(name).fit(TRAIN, eval_set={"valid": VALID}, measures=("ndcg@5", "map"))
        return models[name]

    return get


def same_model(a, b) -> bool:
    """Whether two models are the same to the last bit: scores after each round, history, why they ended."""
    stages = zip(a.staged_predict(VALID), b.staged_predict(VALID), strict=True)
    return (
        all(np.array_equal(one, other) for one, other in stages)
        and a.stopped_ == b.stopped_
        and a.history_.equals(b.history_)
    )


def refuses_or_is_finite(model, data) -> bool:
    """Fit; return False if the data were refused with a sentence."""
    try:
        model.fit(data)
    except (ltr.DataError, ltr.ParameterError) as error:
        assert len(str(error)) > 20 and str(error).endswith(".")
        return False
    assert np.isfinite(model.predict(data)).all()
    assert np.isfinite(model.history_["value"]).all()
    return True


# The entry --------------------------------------------------------------------------------------------------


def test_the_registry_is_not_empty():
    assert "MPBoost" in NAMES


@algorithms
def test_entry_is_complete(name):
    entry = ltr.ALGORITHMS[name]
    for attribute in ("label", "family", "paper", "section", "summary"):
        assert getattr(entry, attribute).strip(), f"{name}.{attribute} is empty"
    assert not entry.paper.isdigit(), "a paper is called by its name"
    assert entry.__name__ == name and getattr(ltr, name) is entry
    assert entry.summary.endswith(".") and len(entry.summary) <= 200


@algorithms
def test_constructor_takes_exactly_the_parameters(name):
    entry = ltr.ALGORITHMS[name]
    given = {p.name: p.default for p in inspect.signature(entry).parameters.values()}
    assert given == {p.name: p.default for p in (*entry.all_params(), *entry.in_python)}
    assert not {p.name for p in entry.all_params()} & {p.name for p in entry.in_python}
    assert [p.name for p in entry.all_params()][-2:] == ["early_stopping", "random_state"]


@algorithms
def test_constructor_keeps_what_it_is_given_and_refuses_the_rest(name):
    entry = ltr.ALGORITHMS[name]
    names = list(inspect.signature(entry).parameters)
    assert {p: getattr(entry(*names), p) for p in names} == dict(zip(names, names, strict=True))
    assert set(vars(entry())) == set(names)
    for wrong in (lambda: entry(nonsense=1), lambda: entry(*names, 1), lambda: entry(1, **{names[0]: 1})):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            wrong()


def test_calls_by_place_keep_their_meaning():
    """Parameters that came later stand behind those that callers may give by place."""
    assert ltr.LambdaMART(5, 7).n_trees == 7 and not ltr.LambdaMART(5, 7).normalise
    assert ltr.QBRank(0.5, "grade", "all", True, 0.3, 9).learning_rate == 0.3
    last = list(inspect.signature(ltr.QBRank).parameters)[-4:]
    assert last == ["start", "early_stopping", "random_state", "monotone"]


def test_an_algorithm_may_write_its_own_constructor():
    class Mine(ltr.MPBoost):
        params = ltr.MPBoost.params[:1]

        def __init__(self, ddf="binary", early_stopping=None, random_state=0):
            self.ddf, self.early_stopping, self.random_state = ddf, early_stopping, random_state

    assert Mine().ddf == "binary" and clone(Mine("ldd")).get_params()["ddf"] == "ldd"


@algorithms
def test_parameters_are_described(name):
    for param in ltr.ALGORITHMS[name].all_params():
        assert param.help.endswith("."), f"{name}.{param.name}: help is a sentence"
        assert param.check(param.default, name) == param.default
        if param.kind in ("int", "float"):
            assert param.low is not None and param.high is not None, f"{name}.{param.name} has no range"
            assert param.low < param.high and (param.step or 1) > 0
            assert not param.log or param.low > 0
        if param.kind == "choice":
            assert len(set(param.choices)) > 1 and param.default in param.choices
        known = {p.name for p in ltr.ALGORITHMS[name].params}
        assert set(param.when) <= known - {param.name}


@algorithms
def test_values_out_of_range_are_refused_by_name(name):
    for param in ltr.ALGORITHMS[name].all_params():
        wrong = {"int": 0.5, "float": math.nan, "choice": "nonsense", "bool": "perhaps"}.get(param.kind)
        outside = [wrong] if wrong is not None else []
        if param.kind in ("int", "float"):
            outside += [param.low - 1, param.high * 2 + 1, "many"]
        for value in outside:
            model = ltr.ALGORITHMS[name]().set_params(**{param.name: value})
            with pytest.raises(ltr.ParameterError, match=param.name):
                model.fit(TRAIN, eval_set={"valid": VALID})


@algorithms
def test_is_a_scikit_learn_estimator(name, fitted):
    model = make(name, random_state=7)
    assert clone(model).get_params() == model.get_params()
    assert model.set_params(random_state=3) is model and model.random_state == 3
    assert repr(model).startswith(name)
    with pytest.raises(NotFittedError):
        make(name).predict(TRAIN)
    with pytest.raises(ValueError, match="no parameter 'nonsense'"):
        model.set_params(nonsense=1)
    piped = make_pipeline(model).set_params(**{f"{name.lower()}__random_state": 5})
    assert model.random_state == 5 and repr(model) in repr(piped) and get_tags(model) is not None
    trained = fitted(name)
    before = trained.get_params()
    assert not hasattr(clone(trained), "n_iter_") and trained.get_params() == before


# The order of rows ------------------------------------------------------------------------------------------


def shuffled(data, seed=0):
    """Return the data with the rows of each query in another order, and which row is where."""
    rng, ends = np.random.default_rng(seed), zip(data.offsets[:-1], data.offsets[1:], strict=True)
    rows = np.concatenate([rng.permutation(np.arange(*both)) for both in ends])
    return ltr.RankingData(data.X[rows], data.y[rows], data.qid[rows]), rows


@algorithms
def test_the_order_of_rows_in_a_query_changes_nothing(name):
    coarse = ltr.RankingData(np.round(TRAIN.X), TRAIN.y, TRAIN.qid)  # equal values, and equal rows among them
    other, rows = shuffled(coarse)
    one, two = (
        make(name).fit(coarse, eval_set={"valid": VALID}),
        make(name).fit(other, eval_set={"valid": VALID}),
    )
    np.testing.assert_allclose(one.predict(coarse)[rows], two.predict(other), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(one.history_["value"], two.history_["value"], rtol=1e-6, atol=1e-7)
    assert one.n_iter_ == two.n_iter_ and one.best_iteration_ == two.best_iteration_


@algorithms
def test_equal_scores_keep_the_order_given_in_the_history_too(name):
    """LETOR's convention; whatever order a training takes the rows in."""
    coarse, valid = (ltr.RankingData(np.round(d.X), d.y, d.qid) for d in (TRAIN, VALID))
    as_given = ltr.measures.measure("ndcg@5", ties="file")
    model = make(name).fit(coarse, eval_set={"valid": valid}, measures=(as_given,))
    last = model.history_.query("iteration == @model.n_iter_ and measure == 'ndcg@5'").set_index("split")[
        "value"
    ]
    for split, data in (("train", coarse), ("valid", valid)):
        found = ltr.evaluate(model.predict(data, iteration="last"), data, (as_given,))
        assert last[split] == pytest.approx(found["ndcg@5"].mean(), abs=1e-9), split


def test_rows_are_put_in_the_order_of_their_content():
    rng = np.random.default_rng(3)
    data = ltr.RankingData(
        rng.integers(0, 3, (60, 3)), rng.integers(0, 3, 60), np.repeat([5, 2, 9], [1, 30, 29])
    )
    found = by_content(data)
    assert list(found.order) == naive.rows_by_content(data.X, data.y, data.qid)
    assert np.array_equal(found.X, data.X[found.order]) and np.array_equal(found.y, data.y[found.order])
    assert by_content(found) is found


# Training ---------------------------------------------------------------------------------------------------


@algorithms
def test_history_is_tidy(name, fitted):
    model = fitted(name)
    history = model.history_
    assert list(history.columns) == ["iteration", "split", "measure", "value"]
    assert not history.duplicated(["iteration", "split", "measure"]).any()
    assert sorted(history["iteration"].unique()) == list(range(model.n_iter_ + 1))
    for split in ("train", "valid"):
        for measure in ("loss", "ndcg@5", "map"):
            rows = history.query("split == @split and measure == @measure")
            assert len(rows) == model.n_iter_ + 1, f"{split} {measure}"
            assert np.isfinite(rows["value"]).all()
    assert model.stopped_ in ("rounds", "no gain")


@algorithms
def test_history_measures_the_scores_that_predict_gives(name, fitted):
    model = fitted(name)
    history = model.history_.set_index(["split", "measure", "iteration"])["value"]
    for split, data in (("train", TRAIN), ("valid", VALID)):
        for iteration, scores in enumerate(model.staged_predict(data)):
            value = ltr.ndcg(data.y, scores, data.qid, k=5)
            assert history[split, "ndcg@5", iteration] == pytest.approx(value, abs=1e-12)


@algorithms
def test_what_is_not_taken_at_each_iteration_changes_nothing_else(name, fitted):
    """A sweep's fits: the measures on validation, and the rest where it is asked for and at the end."""
    model = fitted(name)
    heard = []
    some = make(name).fit(
        TRAIN, eval_set={"valid": VALID}, measures=("ndcg@5", "map"), on_round=heard.append, in_full={2}
    )
    wanted = model.history_
    own = (wanted["split"] == "valid") & wanted["measure"].isin(["ndcg@5", "map"])
    wanted = wanted[own | wanted["iteration"].isin([2, model.n_iter_])]
    keys = ["iteration", "split", "measure"]
    both = some.history_.merge(wanted, on=keys, how="outer", indicator=True, suffixes=("", "_wanted"))
    assert (both["_merge"] == "both").all() and len(both) == len(wanted)
    np.testing.assert_allclose(both["value"], both["value_wanted"], rtol=1e-12, atol=1e-14)
    exact = both[both["measure"].isin(["ndcg@5", "map"])]
    assert exact["value"].equals(exact["value_wanted"])
    assert np.array_equal(some.predict(VALID), model.predict(VALID))
    assert some.best_iteration_ == model.best_iteration_
    if model.n_iter_ > 1:
        assert set(heard[0].values) == {("valid", "ndcg@5"), ("valid", "map")}


@algorithms
def test_training_lowers_the_loss(name):
    """In the end: LambdaRank's loss weighs pairs by the current order and may rise at first."""
    loss = make(name, 25).fit(TRAIN).history_.query("split == 'train' and measure == 'loss'")["value"]
    assert loss.iloc[-1] < loss.iloc[0]


@algorithms
def test_is_deterministic(name, fitted):
    again = make(name).fit(TRAIN, eval_set={"valid": VALID}, measures=("ndcg@5", "map"))
    assert same_model(fitted(name), again)


@algorithms
def test_takes_features_grades_and_queries_like_ranking_data(name, fitted):
    """Rows may be interleaved and arrays writable: the scores are the same, the arrays left as they are."""
    order = np.argsort(TRAIN.order, kind="stable")[np.argsort(np.arange(TRAIN.n_docs) % 3, kind="stable")]
    X, y, qid = TRAIN.X[order].astype(np.float64), TRAIN.y[order].copy(), TRAIN.qid[order]
    before = X.copy(), y.copy(), qid.copy()
    model = make(name).fit(X, y, qid=qid, eval_set={"valid": (VALID.X, VALID.y, VALID.qid)})
    assert all(np.array_equal(*pair) for pair in zip(before, (X, y, qid), strict=True))
    data = ltr.RankingData(X, y, qid)
    assert np.array_equal(model.predict(X, qid=qid), model.predict(data))
    assert np.array_equal(list(model.staged_predict(X, qid=qid)), list(model.staged_predict(data)))
    if not model.needs_qid:
        assert np.array_equal(model.predict(X), model.predict(X, qid=qid))


@algorithms
def test_same_bits_on_one_and_two_threads(name):
    data = small(2, n_queries=60)
    models = []
    before = numba.get_num_threads()
    for n in (1, 2):
        numba.set_num_threads(n)
        try:
            with threads.parallel_always():
                models.append(make(name).fit(data, eval_set={"valid": VALID}))
        finally:
            numba.set_num_threads(before)
    with threads.serial_only():
        models.append(make(name).fit(data, eval_set={"valid": VALID}))
    assert same_model(models[0], models[1]) and same_model(models[0], models[2])


@algorithms
def test_two_trainings_at_the_same_moment(name, fitted):
    results: list = [None, None]
    start = threading.Barrier(2)

    def train(slot):
        start.wait()
        with threads.parallel_always():
            results[slot] = make(name).fit(TRAIN, eval_set={"valid": VALID}, measures=("ndcg@5", "map"))

    workers = [threading.Thread(target=train, args=(slot,)) for slot in (0, 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert same_model(results[0], fitted(name)) and same_model(results[1], fitted(name))


@algorithms
def test_more_rounds_never_change_earlier_ones(name, fitted):
    if not ltr.ALGORITHMS[name].rounds_param:
        pytest.skip(f"{name} has no rounds")
    short = make(name, 2).fit(TRAIN, eval_set={"valid": VALID}, measures=("ndcg@5", "map"))
    long = fitted(name)
    assert short.n_iter_ == 2 < long.n_iter_
    for one, other in zip(short.staged_predict(VALID), long.staged_predict(VALID), strict=False):
        assert np.array_equal(one, other)
    kept = long.history_[long.history_["iteration"] <= 2].reset_index(drop=True)
    assert short.history_.equals(kept)


@algorithms
def test_on_round_hears_every_round_and_cancels_within_one(name, fitted):
    heard = []

    def on_round(info):
        heard.append(info)
        return None if info.iteration < 2 else False

    model = make(name).fit(TRAIN, eval_set={"valid": VALID}, measures=("ndcg@5", "map"), on_round=on_round)
    if not model.rounds_param:
        assert [info.iteration for info in heard] == [1]
        return
    assert (model.stopped_, model.n_iter_) == ("cancelled", 2)
    assert [info.iteration for info in heard] == [1, 2]
    assert {info.n_rounds for info in heard} == {ROUNDS}
    history = model.history_.set_index(["iteration", "split", "measure"])["value"]
    for info in heard:
        for (split, measure), value in info.values.items():
            assert history[info.iteration, split, measure] == value
    stages = zip(model.staged_predict(VALID), fitted(name).staged_predict(VALID), strict=False)
    assert all(np.array_equal(one, other) for one, other in stages)


@algorithms
def test_early_stopping_watches_the_first_evaluation_set(name):
    if not ltr.ALGORITHMS[name].rounds_param:
        pytest.skip(f"{name} has no rounds")
    model = make(name, 200, early_stopping=2).fit(TRAIN, eval_set={"valid": VALID}, measures=("ndcg@5",))
    curve = model.history_.query("split == 'valid' and measure == 'ndcg@5'")["value"].to_numpy()
    assert model.best_iteration_ == int(np.argmax(curve))
    if model.rounds_param == "n_features":  # there are only as many rounds as features
        assert model.n_iter_ == min(model.best_iteration_ + 2, TRAIN.n_features)
    else:
        assert model.stopped_ == "early stop" and model.n_iter_ == model.best_iteration_ + 2
    best = list(model.staged_predict(VALID))[model.best_iteration_]
    assert np.array_equal(model.predict(VALID, iteration="best"), best)
    with pytest.raises(ltr.ParameterError, match="early_stopping"):
        make(name, early_stopping=2).fit(TRAIN)


# Odd data ---------------------------------------------------------------------------------------------------


def odd(X, y, qid):
    """Return RankingData from plain lists."""
    return ltr.RankingData(np.array(X, dtype=float), y, qid)


ODD = {
    "one query": small(3).select([5]),
    "one-document queries beside one": odd([[0], [1], [2], [1], [5]], [0, 1, 1, 0, 3], [1, 1, 2, 3, 4]),
    "equal grades but in one query": odd([[0, 1], [1, 0], [2, 2], [3, 1]], [1, 1, 0, 1], [1, 1, 2, 2]),
    "one feature": odd([[3], [1], [2], [0], [5], [4]], [2, 0, 1, 0, 1, 2], [1, 1, 1, 2, 2, 2]),
    "two documents": odd([[0, 1], [1, 0]], [0, 1], [1, 1]),
    "large values": odd([[3e38], [-3e38], [1e-38], [0]], [0, 1, 2, 1], [1, 1, 1, 1]),
    "continuous grades": odd([[3], [1], [2], [0], [5]], [0.25, 1.5, 3.75, 0.1, 2.2], [1, 1, 1, 2, 2]),
    "large grades": odd([[0], [1], [2], [3]], [0, 100, 1000, 1000], [1, 1, 1, 1]),
}


@algorithms
@pytest.mark.parametrize("kind", ODD)
def test_odd_data_train_or_are_refused_with_a_sentence(name, kind):
    trained = refuses_or_is_finite(make(name), ODD[kind])
    assert trained or kind in ("continuous grades", "large grades")


@algorithms
def test_constant_features_leave_equal_scores(name):
    data = odd(np.full((6, 3), 2.0), [0, 1, 2, 0, 1, 2], [1, 1, 1, 2, 2, 2])
    model = make(name)
    if refuses_or_is_finite(model, data):
        assert len(set(np.round(model.predict(data), 9))) == 1
        assert model.n_iter_ == 0 or model.stopped_ == "rounds"


@algorithms
def test_equal_grades_everywhere_train_or_are_refused_with_a_sentence(name):
    rng = np.random.default_rng(0)
    refuses_or_is_finite(make(name), odd(rng.normal(size=(8, 2)), np.ones(8), [1] * 4 + [2] * 4))


@algorithms
def test_other_features_are_refused(name, fitted):
    with pytest.raises(ltr.DataError, match="features"):
        fitted(name).predict(np.zeros((3, TRAIN.n_features + 1)), qid=[1, 1, 1])
    with pytest.raises(ltr.DataError):
        fitted(name).predict(np.full((3, TRAIN.n_features), np.nan), qid=[1, 1, 1])


# The model --------------------------------------------------------------------------------------------------


@algorithms
def test_stages_end_with_the_prediction(name, fitted):
    model = fitted(name)
    stages = list(model.staged_predict(VALID))
    assert len(stages) == model.n_iter_ + 1
    assert np.array_equal(stages[-1], model.predict(VALID))
    assert {s.dtype for s in stages} == {np.dtype(np.float64)} and {len(s) for s in stages} == {VALID.n_docs}
    for iteration, scores in enumerate(stages):
        assert np.array_equal(model.predict(VALID, iteration=iteration), scores)
    with pytest.raises(ltr.ParameterError, match="iteration"):
        model.predict(VALID, iteration=model.n_iter_ + 1)


@algorithms
def test_a_document_is_scored_by_its_features_alone(name, fitted):
    model = fitted(name)
    if model.needs_qid:
        with pytest.raises(ltr.ParameterError, match="qid"):
            model.predict(VALID.X)
        return
    whole = model.predict(VALID)
    assert np.array_equal(np.concatenate([model.predict(row[None]) for row in VALID.X]), whole)


@algorithms
def test_explain_adds_up(name, fitted):
    model = fitted(name)
    if not model.additive:
        with pytest.raises(ltr.ParameterError):
            model.explain(VALID)
        return
    parts = model.explain(VALID)
    assert parts.shape == VALID.X.shape
    np.testing.assert_allclose(parts.sum(axis=1) + model.base_, model.predict(VALID), rtol=1e-9, atol=1e-9)
    assert (parts[:, -1] == parts[0, -1]).all(), "a constant feature says the same of every document"


@algorithms
def test_the_model_of_an_earlier_iteration(name, fitted):
    """`at` is the model as it was: its scores, and contributions that add up to them."""
    model = fitted(name)
    if model.peer:
        with pytest.raises(ltr.ParameterError, match="earlier iterations"):
            model.at(0)
        return
    if not model.additive:
        return
    last, importances = model.predict(VALID), model.feature_importances_.copy()
    for t in {0, 1, model.n_iter_ // 2, model.n_iter_}:
        early = model.at(t)
        assert early.n_iter_ == t and early.history_["iteration"].max() == t
        assert np.array_equal(early.predict(VALID), model.predict(VALID, iteration=t))
        total = early.explain(VALID).sum(axis=1) + early.base_
        np.testing.assert_allclose(total, early.predict(VALID), rtol=1e-9, atol=1e-9)
    assert np.array_equal(model.predict(VALID), last)
    assert np.array_equal(model.feature_importances_, importances)


@algorithms
def test_importances(name, fitted):
    importances = np.asarray(fitted(name).feature_importances_)
    assert importances.shape == (TRAIN.n_features,)
    assert (importances >= 0).all() and importances.sum() == pytest.approx(1)
    assert importances[-1] == pytest.approx(0, abs=1e-12), "a constant feature has no importance"


@algorithms
def test_saves_and_loads_the_same_bits(name, fitted, tmp_path):
    model = fitted(name)
    model.save(tmp_path / "m.json")
    loaded = ltr.load_model(tmp_path / "m.json")
    assert type(loaded) is type(model) and loaded.get_params() == model.get_params()
    assert same_model(model, loaded) and loaded.n_iter_ == model.n_iter_
    assert loaded.best_iteration_ == model.best_iteration_
    assert loaded.feature_names_ == model.feature_names_
    pd.testing.assert_frame_equal(loaded.history_, model.history_)
    assert np.array_equal(loaded.feature_importances_, model.feature_importances_)
    if model.additive:
        assert np.array_equal(loaded.explain(VALID), model.explain(VALID))
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def leaves(value, path=()):
    """Yield the path of everything inside a JSON value; of a list only its first and last item."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if not isinstance(value, list) or key in (0, len(value) - 1):
            yield from leaves(item, (*path, key))


@pytest.mark.slow
@algorithms
def test_a_malformed_model_gives_a_sentence(name, fitted, tmp_path):
    """Whatever is taken out of the file or put in: a sentence, or a model that still works."""
    file = tmp_path / "m.json"
    fitted(name).save(file)
    content = json.loads(file.read_text())
    refused = 0
    for path in leaves(content):
        for wrong in ("missing", "x", None, -1, 10**9, 0.5, math.nan, [], {}):
            damaged = copy.deepcopy(content)
            inner = damaged
            for key in path[:-1]:
                inner = inner[key]
            if wrong == "missing":
                del inner[path[-1]]
            else:
                inner[path[-1]] = wrong
            file.write_text(json.dumps(damaged))
            try:
                model = ltr.load_model(file)
                for scores in model.staged_predict(VALID):
                    assert scores.shape == (VALID.n_docs,)
                _ = model.feature_importances_
            except (ltr.DataError, ltr.ParameterError) as error:
                assert str(error).endswith(".")
                refused += 1
    assert refused > 20
    for text in ("", "{", "[]", "null", '{"format": "other"}', "\x00\x01"):
        file.write_text(text)
        with pytest.raises(ltr.DataError, match="m.json"):
            ltr.load_model(file)
    with pytest.raises(ltr.DataError, match="absent.json"):
        ltr.load_model(tmp_path / "absent.json")
