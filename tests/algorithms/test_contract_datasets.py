"""Every algorithm on every kind of data: it trains and ranks, or refuses with a sentence that says why."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from tests.algorithms.test_contracts import NAMES, make
from tests.datasets.test_datasets import SMALL

# Who may refuse what: these grades are continuous, or there are as many as documents in a list.
CLASSES = {"McRank", "MHR", "LightGBM", "XGBoost"}
MAY_REFUSE = {"web1-like": CLASSES, "mq2008-list-like": CLASSES}
TOO_FEW = {"tiny": {"LightGBM"}}  # its leaves want 20 documents


@pytest.fixture(scope="module")
def sets():
    return {name: ltr.datasets.make(name, **size) for name, size in SMALL.items()}


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("name", NAMES)
def test_trains_on_a_kind_of_data_or_says_why_not(name, kind, sets):
    data = sets[kind]
    train, test = (data.select(range(part, data.n_queries, 2)) for part in (0, 1))
    try:
        model = make(name, 2).fit(train, eval_set={"test": test}, measures=("ndcg@10",))
    except (ltr.DataError, ltr.ParameterError) as error:
        installed = "pip install" not in str(error)
        assert not installed or name in MAY_REFUSE.get(kind, set()), error
        assert len(str(error)) > 20 and str(error).endswith(".")
        return
    scores = model.predict(test)
    assert np.isfinite(scores).all()
    assert len(np.unique(scores)) > 1 or name in TOO_FEW.get(kind, set())
    assert np.isfinite(model.history_["value"]).all()
