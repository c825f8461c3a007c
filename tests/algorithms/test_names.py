"""Columns are known by their names: other ones, or the same in another order, are refused in a sentence."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from tests.algorithms.test_contracts import make, small
from tests.command import Command

NAMES = ["bm25", "pagerank", "length", "age", "clicks", "domain"]
DATA = small(0)
TABLE = pd.DataFrame(DATA.X, columns=NAMES)
SWAPPED = TABLE[["pagerank", "bm25", *NAMES[2:]]]
OTHER = TABLE.rename(columns={"age": "years"})
FEWER = TABLE.drop(columns="clicks")
WRONG = [
    (SWAPPED, "the features in another order than X: “pagerank” stands where “bm25” belongs"),
    (OTHER, "other features than X: “age” is missing, “years” is unknown"),
    (FEWER, "5 features, X 6: “clicks” is missing"),
]


@pytest.fixture(scope="module")
def model():
    return make("MPBoost").fit(TABLE, DATA.y, DATA.qid)


def as_data(table):
    return ltr.RankingData(table, DATA.y, DATA.qid)


def refused(words, than):
    return pytest.raises(ltr.DataError, match=re.escape(words.replace("X", than)))


def test_names_are_kept_as_in_scikit_learn(model, tmp_path):
    assert model.feature_names_in_.dtype == object and model.feature_names_in_.tolist() == NAMES
    model.save(tmp_path / "m.json")
    assert ltr.load_model(tmp_path / "m.json").feature_names_in_.tolist() == NAMES
    model = make("MPBoost").fit(TABLE, DATA.y, DATA.qid).fit(DATA.X, DATA.y, DATA.qid)
    assert not hasattr(model, "feature_names_in_") and model.feature_names_ == (
        "f1",
        "f2",
        "f3",
        "f4",
        "f5",
        "f6",
    )
    model.save(tmp_path / "plain.json")
    plain = ltr.load_model(tmp_path / "plain.json")
    assert not hasattr(plain, "feature_names_in_") and len(plain.predict(TABLE)) == len(TABLE)


@pytest.mark.parametrize(("table", "words"), WRONG)
def test_wherever_data_come_in(model, table, words, tmp_path):
    model.save(tmp_path / "m.json")
    than = "the model was trained on"
    for known in (model, ltr.load_model(tmp_path / "m.json")):
        for call in (known.predict, known.explain, lambda X, known=known: list(known.staged_predict(X))):
            for X in (table, as_data(table)):
                with refused(words, than):
                    call(X)
        with refused(words, than):
            known.predict(table, qid=DATA.qid)
        with refused(words, than):
            ltr.evaluate(known, as_data(table))
        with refused(words, than):
            ltr.compare({"a": known, "b": known}, as_data(table))
    with refused(words, "the training data"):
        make("GBT").fit(TABLE, DATA.y, DATA.qid, eval_set={"valid": (table, DATA.y, DATA.qid)})


def test_columns_without_names_are_taken_by_their_place(model):
    scores = model.predict(DATA.X)
    assert np.array_equal(scores, model.predict(TABLE)) and np.array_equal(scores, model.predict(DATA))
    assert len(ltr.evaluate(model, DATA)) == DATA.n_queries


def test_files_from_before(model, tmp_path):
    for table, named in ((TABLE, True), (DATA.X, False)):
        fresh = make("MPBoost").fit(table, DATA.y, DATA.qid)
        fresh.save(tmp_path / "m.json")
        content = json.loads((tmp_path / "m.json").read_text())
        del content["named"], content["iteration"], content["checksum"]
        (tmp_path / "m.json").write_text(json.dumps(content))
        old = ltr.load_model(tmp_path / "m.json")
        assert hasattr(old, "feature_names_in_") == named
        assert np.array_equal(old.predict(table), fresh.predict(table))


def test_a_model_of_somebody_else_gets_the_names(model):
    class Named:
        feature_names_in_ = np.array(NAMES, dtype=object)

        def predict(self, X):
            assert list(X.columns) == NAMES
            return X["bm25"].to_numpy() - X["pagerank"].to_numpy()

    assert ltr.evaluate(Named(), as_data(TABLE))["ndcg@10"].notna().all()


def test_a_wrong_value_is_in_a_column_with_a_name(model):
    bad = TABLE.copy()
    bad.loc[3, "age"] = np.nan
    for call in (model.predict, as_data):
        with pytest.raises(ltr.DataError, match="“age” of document 4 is NaN"):
            call(bad)
    with pytest.raises(ltr.DataError, match="“p” of document 1 is inf"):
        ltr.RankingData([[np.inf, 1.0]], [0], [1], feature_names=["p", "q"])


def test_the_command_line_goes_by_names(model, capsys, tmp_path):
    command, path = Command(capsys), tmp_path / "m.json"
    model.save(path)
    for name, table in (("own", TABLE), ("swapped", SWAPPED), ("other", OTHER)):
        ltr.save(as_data(table), tmp_path / f"{name}.csv")
    values = command.json("evaluate", path, "--data", tmp_path / "own.csv")["values"]
    assert command.json("evaluate", path, "--data", tmp_path / "swapped.csv")["values"] == values
    assert "“age” is missing, “years” is unknown" in command.refused(
        "evaluate", path, "--data", tmp_path / "other.csv"
    )
