"""The peers behind our protocol: the library's own model, round by round; a sentence where it is absent."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.algorithms.peers.base import _checksum
from ltr_core.data import by_content

PEERS = [name for name, algorithm in ltr.ALGORITHMS.items() if algorithm.peer]
INSTALLED = [name for name in PEERS if ltr.ALGORITHMS[name].available()]
peers = pytest.mark.parametrize("name", INSTALLED)


def graded(seed=0, n_queries=30) -> ltr.RankingData:
    rng = np.random.default_rng(seed)
    n = 12 * n_queries
    X = rng.normal(size=(n, 5)).astype(np.float32)
    y = np.clip(np.round(X[:, 0] - X[:, 1] + rng.normal(0, 0.5, n) + 1), 0, 3)
    return ltr.RankingData(X, y, np.repeat(np.arange(n_queries), 12))


DATA, VALID = by_content(graded(0)).as_part(), graded(1)  # in the order in which peers are given rows


def library_scores(name: str, values: dict) -> np.ndarray:
    """Train the library itself, in the way of its own manual."""
    sizes = np.diff(DATA.offsets)
    if name == "LightGBM":
        import lightgbm

        model = lightgbm.LGBMRanker(
            n_estimators=values["n_trees"],
            deterministic=True,
            force_col_wise=True,
            verbosity=-1,
            min_child_samples=20,
            random_state=0,
        )
        return model.fit(DATA.X, DATA.y, group=sizes).predict(VALID.X)
    if name == "XGBoost":
        import xgboost

        model = xgboost.XGBRanker(n_estimators=values["n_trees"], base_score=0.0, n_jobs=2, random_state=0)
        return model.fit(DATA.X, DATA.y, qid=DATA.qid).predict(VALID.X)
    import catboost

    model = catboost.CatBoostRanker(
        loss_function="YetiRank",
        iterations=values["n_trees"],
        learning_rate=0.1,
        random_seed=0,
        allow_writing_files=False,
        logging_level="Silent",
    )
    return model.fit(catboost.Pool(DATA.X, DATA.y, group_id=DATA.qid)).predict(VALID.X)


def test_all_three_are_in_the_registry():
    assert set(PEERS) == {"LightGBM", "XGBoost", "CatBoost"}
    for name in PEERS:
        assert ltr.ALGORITHMS[name].install == "pip install -r requirements-peers.txt"
    assert not ltr.MPBoost.peer and ltr.MPBoost.available()


@pytest.mark.parametrize("name", PEERS)
def test_absent_it_says_how_to_get_it(name, monkeypatch):
    algorithm = ltr.ALGORITHMS[name]
    monkeypatch.setitem(sys.modules, algorithm.package, None)
    assert not algorithm.available()
    with pytest.raises(ltr.ParameterError, match="requirements-peers.txt") as found:
        algorithm().fit(DATA)
    assert str(found.value).startswith(f"{name} is not installed")


@peers
def test_a_saved_model_says_how_to_get_its_library(name, tmp_path, monkeypatch):
    algorithm = ltr.ALGORITHMS[name]
    algorithm(n_trees=2).fit(DATA, measures=()).save(tmp_path / "m.json")
    monkeypatch.setitem(sys.modules, algorithm.package, None)
    with pytest.raises((ltr.ParameterError, ltr.DataError), match="requirements-peers.txt"):
        ltr.load_model(tmp_path / "m.json")


def test_no_library_is_imported_unasked():
    unasked = "lightgbm", "xgboost", "catboost", "sklearn", "scipy.stats", "optuna", "distributed"
    code = f"import ltr_core, sys; print([m for m in {unasked} if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


@peers
def test_is_the_model_that_the_library_trains(name):
    model = ltr.ALGORITHMS[name](n_trees=25).fit(DATA, eval_set={"valid": VALID})
    np.testing.assert_allclose(model.predict(VALID), library_scores(name, {"n_trees": 25}), atol=1e-6)
    assert np.ptp(model.predict(VALID)) > 0.1


@peers
def test_every_objective_trains(name):
    algorithm = ltr.ALGORITHMS[name]
    objectives = next(p for p in algorithm.params if p.name == "objective").choices
    found = {}
    for objective in objectives:
        model = algorithm(objective=objective, n_trees=20).fit(DATA, eval_set={"valid": VALID})
        found[objective] = model.predict(VALID)
        loss = model.history_.query("measure == 'loss' and split == 'train'")["value"].to_numpy()
        assert loss[-1] < loss[0]
        assert ltr.ndcg(VALID.y, found[objective], VALID.qid) > 0.8
    assert len({scores.tobytes() for scores in found.values()}) == len(objectives)


def test_regressions_loss_is_the_squared_error():
    pytest.importorskip("lightgbm")
    model = ltr.LightGBM(objective="regression", n_trees=5).fit(DATA)
    loss = model.history_.query("measure == 'loss'")["value"].to_numpy()
    expected = [np.mean((DATA.y - scores) ** 2) for scores in model.staged_predict(DATA)]
    np.testing.assert_allclose(loss, expected, rtol=1e-12)


@pytest.mark.parametrize("name", [n for n in INSTALLED if n != "CatBoost"])
@pytest.mark.parametrize("grade", [0.5, 40])
def test_grades_that_its_gain_cannot_take_are_refused(name, grade):
    y = DATA.y.copy()
    y[3] = grade
    with pytest.raises(ltr.ParameterError, match=f"grade of {grade:g}. Take objective"):
        ltr.ALGORITHMS[name]().fit(DATA.X, y, DATA.qid)


@peers
def test_several_evaluation_sets_are_followed_each_on_its_own(name):
    third = graded(2, 7)
    model = ltr.ALGORITHMS[name](n_trees=6).fit(DATA, eval_set={"valid": VALID, "third": third})
    history = model.history_.query("measure == 'ndcg@10'").set_index(["split", "iteration"])["value"]
    for split, data in (("train", DATA), ("valid", VALID), ("third", third)):
        for iteration, scores in enumerate(model.staged_predict(data)):
            assert history[split, iteration] == pytest.approx(ltr.ndcg(data.y, scores, data.qid), abs=1e-12)


@peers
def test_a_pair_is_needed(name):
    with pytest.raises(ltr.DataError, match="different grades"):
        ltr.ALGORITHMS[name]().fit(DATA.X, np.ones(DATA.n_docs), DATA.qid)


@peers
def test_a_changed_text_is_refused_before_the_library_reads_it(name, tmp_path, monkeypatch):
    file = tmp_path / "m.json"
    algorithm = ltr.ALGORITHMS[name]
    algorithm(n_trees=3).fit(DATA, measures=()).save(file)
    content = json.loads(file.read_text())
    with monkeypatch.context() as patch:
        patch.setattr(algorithm, "_rebuild", lambda self, text: pytest.fail("the library was asked"))
        content["state"]["text"] = content["state"]["text"][:-40]
        file.write_text(json.dumps(content))
        with pytest.raises(ltr.DataError, match="changed"):
            ltr.load_model(file)
    content["state"]["checksum"] = _checksum(content["state"]["text"])
    content["state"]["text"] = content["state"]["text"][:20]
    content["state"]["checksum"] = _checksum(content["state"]["text"])
    file.write_text(json.dumps(content))
    with pytest.raises(ltr.DataError, match="cannot read it|rounds instead of"):
        ltr.load_model(file)


@peers
def test_two_at_a_time_do_not_mix(name):
    alone = [ltr.ALGORITHMS[name](n_trees=15, random_state=s).fit(DATA, measures=()) for s in (1, 2)]
    together = [ltr.ALGORITHMS[name](n_trees=15, random_state=s) for s in (1, 2)]
    workers = [threading.Thread(target=m.fit, args=(DATA,), kwargs={"measures": ()}) for m in together]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.predict(VALID), other.predict(VALID))


def catboost_threads() -> int:
    return sum("_train" in thread.name for thread in threading.enumerate())


def test_catboosts_thread_ends_with_the_training():
    pytest.importorskip("catboost")
    before = catboost_threads()
    ltr.CatBoost(n_trees=50).fit(DATA, on_round=lambda info: info.iteration < 3)
    assert catboost_threads() == before

    def fail(info):
        raise RuntimeError("the caller's own mistake")

    with pytest.raises(RuntimeError):
        ltr.CatBoost(n_trees=50).fit(DATA, on_round=fail)
    deadline = time.monotonic() + 300
    while catboost_threads() > before and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0.05)
    assert catboost_threads() == before


EXTRA = {
    "LightGBM": ({"bagging_fraction": 0.5, "bagging_freq": 1, "lambda_l2": 5.0}, "num_leaves"),
    "XGBoost": ({"lambda": 50.0}, "max_depth"),
    "CatBoost": ({"l2_leaf_reg": 50.0}, "depth"),
}


@peers
def test_a_library_takes_its_own_parameters(name, tmp_path):
    cls, (own, taken) = ltr.ALGORITHMS[name], EXTRA[name]
    model = cls(n_trees=5, params=own).fit(DATA)
    assert model.get_params()["extra"] == own
    assert not np.allclose(model.predict(VALID), cls(n_trees=5).fit(DATA).predict(VALID))
    model.save(tmp_path / "m.json")
    again = ltr.load_model(tmp_path / "m.json")
    assert again.extra == own and (again.predict(VALID) == model.predict(VALID)).all()
    with pytest.raises(ltr.ParameterError, match=f"{taken} is set already"):
        cls(params={taken: 3}).fit(DATA)
    with pytest.raises(ltr.ParameterError, match="no table of parameters"):
        cls(params="subsample=0.8").fit(DATA)


@pytest.mark.parametrize("name", PEERS)
def test_no_form_link_or_option_hands_a_library_its_own_parameters(name):
    """Some of them write files."""
    assert "extra" not in {p.name for p in ltr.ALGORITHMS[name].all_params()}
    assert ltr.ALGORITHMS[name](params={"a": 1}).extra == {"a": 1}
