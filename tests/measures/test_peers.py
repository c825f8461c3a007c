"""Measures against scikit-learn, ranx, ir_measures and pytrec_eval, wherever these define the same thing."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

import ltr_core as ltr

N_QUERIES, N_DOCS = 60, 15


def sets(ties=False, seed=0):
    """Grades and scores as matrices, one row per query; distinct scores unless `ties`."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 5, (N_QUERIES, N_DOCS)) * (rng.random((N_QUERIES, 1)) < 0.9)
    scores = (
        rng.integers(0, 5, y.shape).astype(float)
        if ties
        else rng.permuted(np.tile(np.arange(15.0), (60, 1)), axis=1)
    )
    return y, scores


def values(function, y, scores, **options):
    qid = np.repeat(np.arange(len(y)), y.shape[1])
    return function(y.ravel(), scores.ravel(), qid, per_query=True, **options)


@pytest.mark.parametrize("k", [1, 5, 10, None])
@pytest.mark.parametrize("ties", [False, True])
def test_dcg_and_ndcg_of_scikit_learn(k, ties):
    """scikit-learn averages over ties and takes the grade as gain; an irrelevant query scores 0."""
    y, scores = sets(ties)
    dcg = [dcg_score([a], [b], k=k) for a, b in zip(y, scores, strict=True)]
    np.testing.assert_allclose(values(ltr.dcg, y, scores, k=k, gain="grade"), dcg, rtol=1e-12)
    dcg = [dcg_score([2.0**a - 1], [b], k=k) for a, b in zip(y, scores, strict=True)]
    np.testing.assert_allclose(values(ltr.dcg, y, scores, k=k), dcg, rtol=1e-12)
    ndcg = [ndcg_score([a], [b], k=k) for a, b in zip(y, scores, strict=True)]
    np.testing.assert_allclose(values(ltr.ndcg, y, scores, k=k, gain="grade"), ndcg, rtol=1e-12)


def test_average_precision_of_scikit_learn():
    y, scores = sets()
    kept = (y > 0).any(axis=1)
    ref = [average_precision_score(a > 0, b) for a, b in zip(y[kept], scores[kept], strict=True)]
    np.testing.assert_allclose(values(ltr.average_precision, y[kept], scores[kept]), ref, rtol=1e-12)


def as_runs(y, scores):
    """Relevances and runs as dictionaries by query and document."""
    qrels = {f"q{q:03}": {f"d{i:02}": int(r) for i, r in enumerate(row)} for q, row in enumerate(y)}
    run = {f"q{q:03}": {f"d{i:02}": float(s) for i, s in enumerate(row)} for q, row in enumerate(scores)}
    return qrels, run


OURS = {
    "ndcg@5": lambda y, s: values(ltr.ndcg, y, s, k=5, gain="grade"),
    "ndcg_burges@5": lambda y, s: values(ltr.ndcg, y, s, k=5),
    "precision@5": lambda y, s: values(ltr.precision, y, s, n=5),
    "precision@20": lambda y, s: values(ltr.precision, y, s, n=20),
    "map": lambda y, s: values(ltr.average_precision, y, s),
    "mrr": lambda y, s: values(ltr.mrr, y, s),
    "mrr@3": lambda y, s: values(ltr.mrr, y, s, k=3),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_ranx(name):
    ranx = pytest.importorskip("ranx")
    y, scores = sets()
    qrels, run = as_runs(y, scores)
    ref = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), name, return_mean=False)
    np.testing.assert_allclose(OURS[name](y, scores), ref, rtol=1e-12, atol=1e-15)


def test_ir_measures():
    pytest.importorskip("pytrec_eval")
    ir_measures = pytest.importorskip("ir_measures")
    from ir_measures import AP, RR, P, R, Rprec, nDCG

    y, scores = sets(seed=1)
    qrels, run = as_runs(y, scores)
    pairs = [
        (nDCG @ 5, values(ltr.ndcg, y, scores, k=5, gain="grade")),
        (nDCG, values(ltr.ndcg, y, scores, k=None, gain="grade")),
        (P @ 10, values(ltr.precision, y, scores, n=10)),
        (P(rel=3) @ 5, values(ltr.precision, y, scores, n=5, relevant=3)),
        (R @ 10, values(ltr.recall, y, scores, k=10)),
        (R(rel=2) @ 3, values(ltr.recall, y, scores, k=3, relevant=2)),
        (Rprec, values(ltr.r_precision, y, scores)),
        (Rprec(rel=3), values(ltr.r_precision, y, scores, relevant=3)),
        (AP, values(ltr.average_precision, y, scores)),
        (AP(rel=2), values(ltr.average_precision, y, scores, relevant=2)),
        (RR, values(ltr.mrr, y, scores)),
    ]
    for measure, ours in pairs:
        ref = {m.query_id: m.value for m in ir_measures.iter_calc([measure], qrels, run)}
        np.testing.assert_allclose(ours, [ref[q] for q in qrels], rtol=1e-12, err_msg=str(measure))


def test_lightgbm():
    """LightGBM's NDCG takes 2^r − 1, and 1 for a query without a relevant document."""
    lightgbm = pytest.importorskip("lightgbm")
    y, scores = sets(seed=2)
    noise = np.random.default_rng(0).normal(size=(y.size, 1))
    data = lightgbm.Dataset(noise, y.ravel(), group=[N_DOCS] * N_QUERIES, init_score=scores.ravel())
    found = {}
    lightgbm.train(
        {"objective": "lambdarank", "learning_rate": 1e-300, "eval_at": [1, 5, 10], "verbose": -1},
        data,
        1,
        valid_sets=[data],
        callbacks=[lightgbm.record_evaluation(found)],
    )
    for k in (1, 5, 10):
        (ref,) = next(iter(found.values()))[f"ndcg@{k}"]
        assert values(ltr.ndcg, y, scores, k=k, empty="one").mean() == pytest.approx(ref, rel=1e-9)
