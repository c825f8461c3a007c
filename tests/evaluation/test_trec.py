"""A TREC run reproduces the table, query by query, in the programs that read it."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.evaluation import trec_grades, trec_run

OURS = {"ndcg@5": "ndcg_cut_5", "ndcg@all": "ndcg", "map": "map", "p@10": "P_10", "mrr": "recip_rank"}
AS_TREC = {"gain": "grade", "ties": "file"}


def some(kind, seed=0):
    """Queries in pieces with ties, near ties, huge or tiny scores."""
    rng = np.random.default_rng(seed)
    qid = rng.integers(0, 12, 200)
    scores = {
        "plain": rng.normal(size=200),
        "tied": rng.integers(0, 3, 200).astype(float),
        "all equal": np.zeros(200),
        "near": 1.0 + rng.integers(0, 3, 200) * 1e-12,
        "huge": rng.integers(0, 3, 200) * 1e300,
        "low": -rng.integers(1, 4, 200) * 1e300,
        "tiny": rng.integers(-2, 3, 200) * 1e-310,
    }[kind]
    return ltr.RankingData(rng.normal(size=(200, 2)), rng.integers(0, 4, 200), qid), scores


@pytest.mark.parametrize("kind", ["plain", "tied", "all equal", "near", "huge", "low", "tiny"])
def test_pytrec_eval_and_ir_measures_give_the_table(kind):
    pytrec_eval, ir_measures = pytest.importorskip("pytrec_eval"), pytest.importorskip("ir_measures")
    data, scores = some(kind)
    run = pytrec_eval.parse_run(trec_run(data, scores, "x").splitlines())
    grades = pytrec_eval.parse_qrel(trec_grades(data).splitlines())
    table = ltr.evaluate(scores, data, [*OURS], **AS_TREC)
    for name, found in (
        pytrec_eval.RelevanceEvaluator(grades, {"ndcg", *OURS.values(), "ndcg_cut", "P"})
        .evaluate(run)
        .items()
    ):
        for ours, theirs in OURS.items():
            assert table.loc[int(name), ours] == pytest.approx(found[theirs], rel=1e-12), (name, ours)
    for found in ir_measures.iter_calc([ir_measures.nDCG @ 5, ir_measures.AP], grades, run):
        ours = {"nDCG@5": "ndcg@5", "AP": "map"}[str(found.measure)]
        assert table.loc[int(found.query_id), ours] == pytest.approx(found.value, rel=1e-12)


def test_scores_are_exact_where_they_decrease_by_themselves():
    data, scores = some("plain")
    told = {line.split()[2]: float(line.split()[4]) for line in trec_run(data, scores, "x").splitlines()}
    assert told == {f"row{i + 1}": score for i, score in enumerate(scores.tolist())}


def test_names_are_single_words():
    data = ltr.RankingData([[1.0], [2.0]], [1, 0], ["a b", "a b"], doc_ids=["doc a", ""])
    assert trec_run(data, np.array([0.5, 1.0]), "my run") == (
        "a_b Q0 _ 1 1.0 my_run\na_b Q0 doc_a 2 0.5 my_run\n"
    )
    assert trec_grades(data) == "a_b 0 doc_a 1\na_b 0 _ 0\n"
