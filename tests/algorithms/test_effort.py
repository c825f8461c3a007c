"""What this machine cannot do is refused in a sentence before it starts."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.rankers import effort
from tests.algorithms.test_contracts import TRAIN, algorithms, make


def one_query(n: int, n_grades: int = 5) -> ltr.RankingData:
    """One query of so many documents: half a million million pairs for a million."""
    places = np.arange(n)
    return ltr.RankingData((places % 97)[:, None].astype(np.float32), places % n_grades, np.zeros(n, int))


@pytest.mark.parametrize("name", ["RankNet", "LambdaRank", "FRank"])
def test_a_query_of_a_million_documents_is_refused_where_pairs_are_gone_through(name):
    with pytest.raises(
        ltr.DataError, match="one by one, some .*minutes a round. Give queries of fewer documents"
    ):
        make(name, 1).fit(one_query(1_000_000))


def test_more_grades_than_are_tabulated_are_pairs_one_by_one():
    many = one_query(400_000, 17)
    with pytest.raises(ltr.DataError, match="MPBoost goes through pairs"):
        ltr.MPBoost().refuse_beyond_machine(many)
    ltr.MPBoost().refuse_beyond_machine(one_query(400_000, 16))


@pytest.mark.parametrize("name", ["RankNet", "LambdaRank", "FRank"])
def test_two_hundred_queries_of_ten_thousand_are_not(name):
    n = 2_000_000
    data = ltr.RankingData(np.zeros((n, 1), np.float32), np.arange(n) % 5, np.arange(n) // 10_000)
    make(name, 1).refuse_beyond_machine(data)


def test_the_weights_of_all_epochs_need_memory(monkeypatch):
    monkeypatch.setattr(effort, "free_bytes", lambda: 1 << 20)
    ltr.ListNet(epochs=2).fit(TRAIN)
    with pytest.raises(
        ltr.DataError, match="ListNet would need .* GB of memory for this, and 0.0 GB are free"
    ):
        ltr.ListNet(epochs=9_000, hidden=200).fit(TRAIN)


@algorithms
def test_small_data_are_never_refused(name):
    make(name).refuse_beyond_machine(TRAIN)


def test_free_memory_is_known_here():
    assert 0 < effort.free_bytes() < 1 << 50
