"""LETOR's five folds through the exhibit equal the same through plain Python, to the last digit."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.papers import PAPERS, letor, letor_baselines

EXHIBIT = PAPERS["letor"].exhibits["mq2008"]


def test_without_the_folder_it_says_what_to_put_where(monkeypatch, tmp_path):
    monkeypatch.setattr(letor, "DATA_FOLDER", tmp_path)
    with pytest.raises(ltr.DataError, match="there is no folder MQ2008 in data/. Put it there"):
        EXHIBIT.run()


@pytest.mark.letor
@pytest.mark.slow
def test_the_five_folds_of_mq2008(monkeypatch, letor_dir):
    monkeypatch.setattr(letor, "DATA_FOLDER", letor_dir)
    result = EXHIBIT.run(n_rounds=20)
    table = result.charts[0].frame
    at = int(np.flatnonzero(table["system"] == "RankBoost")[0])
    published, here, error = (table.iloc[at + i] for i in range(3))
    watch, means, each = ltr.measure("ndcg@5", convention="letor"), [], []
    for train, valid, test in ltr.load_folds(letor_dir / "MQ2008"):
        model = ltr.RankBoost(n_rounds=20).fit(train, eval_set={"valid": valid}, measures=[watch])
        own = watch.per_query(test.y, model.predict(test, iteration="best"), test.offsets)
        means.append(own.mean())
        each.append(own)
    assert here["NDCG@5"] == np.mean(means)
    assert error["NDCG@5"] == np.concatenate(each).std(ddof=1) / np.sqrt(784)
    assert published["NDCG@5"] == letor_baselines("mq2008").loc["RankBoost", "NDCG@5"]
    assert {v.n_queries for v in result.verdicts} == {784}
