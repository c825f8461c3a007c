"""Scores come out, and go in, in the order in which the rows were given, wherever rows of a query stand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.evaluation import scores_of
from tests.algorithms.test_contracts import NAMES, TRAIN, make, small
from tests.command import Command

TEST = small(2)
MEASURES = ["ndcg@5", "map", "misorder"]
orders = st.permutations(range(TEST.n_docs))
few = settings(max_examples=5, deadline=None)


@pytest.fixture(scope="module", params=NAMES)
def model(request):
    return make(request.param).fit(TRAIN)


def shuffled(order) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return features, grades and query ids in another order."""
    rows = np.array(order)
    return TEST.X[rows], TEST.y[rows], TEST.qid[rows]


@given(order=orders)
@few
def test_scores_come_out_in_the_order_given(model, order):
    X, y, qid = shuffled(order)
    data = ltr.RankingData(X, y, qid)
    together = ltr.RankingData(data.X, data.y, data.qid)  # the same rows, given as they are grouped
    assert together.order.tolist() == list(range(len(y)))
    rows, wanted = data.order, model.predict(together)
    for scores in (model.predict(data), model.predict(X, qid=qid), model.predict(pd.DataFrame(X), qid=qid)):
        assert np.array_equal(scores[rows], wanted)
    for iteration in (0, "best", "last"):
        scores = model.predict(data, iteration=iteration)
        assert np.array_equal(scores[rows], model.predict(together, iteration=iteration))
    for staged in (model.staged_predict(data), model.staged_predict(X, qid=qid)):
        for scores, reference in zip(staged, model.staged_predict(together), strict=True):
            assert np.array_equal(scores[rows], reference)
    if model.additive:
        assert np.array_equal(model.explain(data)[rows], model.explain(together))
        np.testing.assert_allclose(
            model.explain(data).sum(axis=1), model.predict(data) - model.base_, atol=1e-9
        )
    if hasattr(model, "predict_proba"):
        for p in (model.predict_proba(data), model.predict_proba(X, qid=qid)):
            assert np.array_equal(p[rows], model.predict_proba(together))


@given(order=orders)
@few
def test_scores_go_in_in_the_order_given(model, order, tmp_path_factory):
    X, y, qid = shuffled(order)
    data = ltr.RankingData(X, y, qid)
    scores, path = model.predict(data), tmp_path_factory.mktemp("scores") / "s.txt"
    path.write_text("".join(f"{score!r}\n" for score in scores.tolist()))
    wanted = ltr.evaluate(model, data, MEASURES)
    for name, per_query in zip(MEASURES[:2], (ltr.ndcg, ltr.average_precision), strict=False):
        options = {"k": 5} if name == "ndcg@5" else {}
        assert np.array_equal(wanted[name], per_query(y, scores, qid, per_query=True, **options))
    for system in (scores, pd.Series(scores), path):
        assert ltr.evaluate(system, data, MEASURES).equals(wanted)
    differences = ltr.compare({"model": model, "array": scores, "file": path}, data)
    assert (differences["ties"] == data.n_queries).all()
    part = data.select([2, 0, 1])
    own = scores_of(model, part)
    assert np.array_equal(own, scores[part.order]) or model.needs_qid  # a place in a list depends on ties
    assert ltr.evaluate(own, part, MEASURES).equals(ltr.evaluate(model, part, MEASURES))
    assert np.array_equal(ltr.ndcg(part.y, own, part.qid), ltr.evaluate(model, part).attrs["mean"]["ndcg@10"])


@pytest.fixture(scope="module")
def apart(tmp_path_factory):
    """A folder whose files have the rows of all queries mixed, and a model of its training data."""
    folder = tmp_path_factory.mktemp("apart")
    for name, seed in (("train", 0), ("vali", 1), ("test", 2)):
        data, rows = small(seed), np.random.default_rng(seed).permutation(small(seed).n_docs)
        table = pd.DataFrame(data.X[rows], columns=data.feature_names)
        table.insert(0, "grade", data.y[rows])
        table.insert(1, "qid", data.qid[rows])
        table.to_csv(folder / f"{name}.csv", index=False)
        cells = [" ".join(f"{k}:{v}" for k, v in enumerate(x, 1)) for x in data.X[rows]]
        heads = zip(data.y[rows], data.qid[rows], cells, strict=True)
        lines = [f"{y:g} qid:{q} {features}" for y, q, features in heads]
        (folder / f"{name}.letor").write_text("\n".join(lines) + "\n")
    make("MPBoost").fit(small(0)).save(folder / "model.json")
    return folder


@pytest.mark.parametrize("suffix", ["csv", "letor"])
def test_files_and_saved_scores(apart, suffix, capsys, tmp_path):
    command, model = Command(capsys), ltr.load_model(apart / "model.json")
    table, file = pd.read_csv(apart / "test.csv"), apart / f"test.{suffix}"
    y, qid, X = table["grade"], table["qid"], table.drop(columns=["grade", "qid"])
    scores = model.predict(X)
    assert np.array_equal(model.predict(ltr.load(file)), scores)
    out = tmp_path / "s.txt"
    words = ("--data", file, "--measure", "ndcg@10")
    told = command.json("evaluate", apart / "model.json", *words, "--scores", out)
    assert np.array_equal(np.loadtxt(out), scores)
    assert told["values"]["ndcg@10"] == ltr.ndcg(y, scores, qid, k=10)
    assert command.json("evaluate", out, *words)["values"] == told["values"]
    run = tmp_path / "run.txt"
    command("evaluate", out, *words, "--run", run)
    for line in run.read_text().splitlines():
        query, _, doc, _, score, _ = line.split()
        row = int(doc.removeprefix("row")) - 1
        assert qid[row] == int(query) and np.isclose(scores[row], float(score), rtol=1e-6)


def test_scores_of_a_part_are_read_back_as_they_were_written(apart, capsys, tmp_path):
    command, out = Command(capsys), tmp_path / "s.txt"
    words = ("--data", apart / "test.csv", "--split", "--seed", 3)
    told = command.json("evaluate", apart / "model.json", *words, "--scores", out)
    assert command.json("evaluate", out, *words)["values"] == told["values"]


def test_a_sweep_does_not_depend_on_where_rows_stand(apart, tmp_path):
    import shutil

    for suffix in ("csv", "letor"):
        (tmp_path / suffix).mkdir()
        for role in ("train", "vali", "test"):
            shutil.copy(apart / f"{role}.{suffix}", tmp_path / suffix)
    cut = ltr.load_folds(tmp_path / "csv")[0]
    assert all((part.order[:-1] > part.order[1:]).any() for part in cut)
    given = ltr.sweep("MPBoost", {"n_rounds": [2, 5]}, cut)
    grouped = tuple(ltr.RankingData(part.X, part.y, part.qid) for part in cut)
    same = ltr.sweep("MPBoost", {"n_rounds": [2, 5]}, grouped)
    assert given.test.equals(same.test) and given.table.equals(same.table)
    assert given.against().equals(same.against())
