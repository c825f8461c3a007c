"""`convention="letor"` on MQ2008: the definition of LETOR 4.0's evaluation script, a second time."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from tests import naive


def read_letor(path):
    """Grades, query ids and features, line by line."""
    y, qid, X = [], [], []
    for line in path.read_text().splitlines():
        grade, query, *features = line.split("#")[0].split()
        y.append(float(grade))
        qid.append(query.removeprefix("qid:"))
        X.append([float(f.partition(":")[2]) for f in features])
    return np.array(y), np.array(qid), np.array(X)


def script(y, qid, scores, depths=10):
    """Mean NDCG@1…10, P@1…10, MAP and MeanNDCG; equal scores in file order, short lists as there."""
    ndcg, precision, average, mean = [], [], [], []
    for query in dict.fromkeys(qid.tolist()):
        rows = np.flatnonzero(qid == query)
        ranked = [y[i] for i in sorted(rows, key=lambda i: (-scores[i], i))]
        gains, precisions, ap = naive.letor_lines(ranked)
        ndcg.append([gains[k] if k < len(gains) else 0.0 for k in range(depths)])
        hits = [
            precisions[k] * (k + 1) if k < len(gains) else precisions[-1] * len(gains) for k in range(depths)
        ]
        precision.append([hits[k] / (k + 1) for k in range(depths)])
        average.append(ap)
        mean.append(sum(gains) / len(gains))
    return np.mean(ndcg, axis=0), np.mean(precision, axis=0), np.mean(average), np.mean(mean)


@pytest.fixture(scope="module")
def fold(letor_dir):
    return read_letor(letor_dir / "MQ2008" / "Fold1" / "test.txt")


@pytest.mark.parametrize("feature", [24, 38, 0, 12])
def test_mq2008_agrees_with_the_script(fold, feature):
    y, qid, X = fold
    scores = X[:, feature]  # many equal values, so file order counts
    ndcg, precision, average, mean = script(y, qid, scores)
    for k in range(1, 11):
        assert ltr.ndcg(y, scores, qid, k=k, convention="letor") == pytest.approx(ndcg[k - 1], abs=1e-9)
        assert ltr.precision(y, scores, qid, k, convention="letor") == pytest.approx(
            precision[k - 1], abs=1e-9
        )
    assert ltr.average_precision(y, scores, qid, convention="letor") == pytest.approx(average, abs=1e-9)
    assert ltr.mean_ndcg(y, scores, qid, convention="letor") == pytest.approx(mean, abs=1e-9)


def test_ties_and_short_lists_make_a_difference_there(fold):
    y, qid, X = fold
    scores = X[:, 12]
    letor = ltr.ndcg(y, scores, qid, convention="letor")
    assert abs(ltr.ndcg(y, scores, qid, discount="letor", ties="file") - letor) > 0.05
    assert abs(ltr.ndcg(y, scores, qid, discount="letor", short="zero") - letor) > 1e-4
    assert abs(ltr.ndcg(y, scores, qid, ties="file", short="zero") - letor) > 1e-4


def test_evaluate_from_a_file_of_scores_in_one_call(fold, tmp_path):
    y, qid, X = fold
    path = tmp_path / "scores.txt"
    path.write_text("\n".join(map(repr, X[:, 24].tolist())) + "\n")
    table = ltr.evaluate(path, ltr.RankingData(X, y, qid), ["ndcg@5", "map", "mean_ndcg"], convention="letor")
    ndcg, _, average, mean = script(y, qid, X[:, 24])
    np.testing.assert_allclose(table.mean(), [ndcg[4], average, mean], atol=1e-9)
