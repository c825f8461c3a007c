"""A model's file that somebody edited, or made: a sentence each, and never a model that breaks later."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from tests.algorithms.test_contracts import TRAIN, make
from tests.fuzz.targets import corpus


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "m.json"
    make("RankNet", 2).fit(TRAIN).save(path)
    return path


def edit(path, change):
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    return path


def test_an_edited_model_says_so_and_opens_on_trust(path):
    edit(path, lambda model: model["state"]["weights"][-1].__setitem__(0, 7.0))
    with pytest.raises(ltr.DataError, match="edited after it was saved.*--trust-edited.*trust_edited=True"):
        ltr.load_model(path)
    assert ltr.load_model(path, trust_edited=True).weights_[-1, 0] == 7.0


@pytest.mark.parametrize("said", ["0" * 16, "", 5, None, ["x"], "é\ud800"])
def test_a_checksum_that_is_none_is_an_edit(path, said):
    edit(path, lambda model: model.__setitem__("checksum", said))
    with pytest.raises(ltr.DataError, match="edited"):
        ltr.load_model(path)


def test_one_bit_is_an_edit_and_a_last_newline_is_none(path):
    raw = path.read_bytes()
    path.write_bytes(raw + b"\n")
    before = ltr.load_model(path).predict(TRAIN)
    at = raw.rindex(b"1")
    path.write_bytes(raw[:at] + b"2" + raw[at + 1 :])
    with pytest.raises(ltr.DataError, match="edited"):
        ltr.load_model(path)
    path.write_bytes(raw)
    assert np.array_equal(ltr.load_model(path).predict(TRAIN), before)


def test_a_file_from_before_there_were_checksums_still_opens(path):
    before = ltr.load_model(path).predict(TRAIN)
    edit(path, lambda model: model.pop("checksum"))
    assert np.array_equal(ltr.load_model(path).predict(TRAIN), before)


def in_state(name, value):
    return lambda model: model["state"].__setitem__(name, value)


def at_top(name, value):
    return lambda model: model.__setitem__(name, value)


WRONG = {
    "huge iterations": at_top("n_iter", 10**9),
    "iterations beyond all numbers": at_top("n_iter", 10**40),
    "half a character as a feature": at_top("feature_names", ["\ud800"] + ["x"] * 5),
    "a number as a feature": at_top("feature_names", [1.0] * 6),
    "half a character in the history": lambda model: model["history"]["split"].__setitem__(0, "\udcff"),
    "a list as a measure": lambda model: model["history"]["measure"].__setitem__(0, []),
    "half a character in why it stopped": at_top("stopped", "\ud800"),
    "Infinity": in_state("mean", [float("inf")] * 6),
    "NaN": in_state("scale", [float("nan")] * 6),
    "1e308": lambda model: model["state"]["weights"][-1].__setitem__(0, 1e308),
    "-1e308": lambda model: model["state"]["mean"].__setitem__(0, -1e308),
    "text in an array": lambda model: model["state"]["weights"][0].__setitem__(0, "1"),
    "null in an array": lambda model: model["state"]["weights"][0].__setitem__(0, None),
    "deep": lambda model: model.__setitem__("state", json.loads("[" * 400 + "]" * 400)),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_a_sentence_on_trust_too(path, case):
    edit(path, WRONG[case])
    with pytest.raises(ltr.DataError, match="not a usable model: .*[.] Save the model again") as told:
        ltr.load_model(path, trust_edited=True)
    str(told.value).encode()


@pytest.mark.parametrize("raw", [b"[" * 100_000, b'{"n": 1e999', b'{"n": ' + b"9" * 5000 + b"}", b"\xff\xfe"])
def test_what_is_no_json_is_a_sentence(path, raw):
    path.write_bytes(raw)
    with pytest.raises(ltr.DataError, match="not JSON"):
        ltr.load_model(path)


def test_files_that_were_once_taken_and_broke_later_are_a_sentence(tmp_path):
    assert len(corpus("model")) > 1
    for content in corpus("model"):
        path = tmp_path / "m.json"
        path.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(ltr.DataError, match="not a usable model"):
                ltr.load_model(path, trust_edited=True)


def test_a_loss_beyond_all_numbers_is_kept(tmp_path):
    """Pairs that training orders ever more clearly, and another part the other way round."""
    rows = np.array([[0.0], [1.0]] * 3)
    train, other = (ltr.RankingData(rows, y, [1, 1, 2, 2, 3, 3]) for y in ([0, 1] * 3, [1, 0] * 3))
    model = ltr.MPBoost(n_rounds=3000).fit(train, eval_set={"test": other})
    model.save(tmp_path / "m.json")
    kept = ltr.load_model(tmp_path / "m.json").history_
    assert np.isinf(kept["value"]).any()
    pd.testing.assert_frame_equal(kept, model.history_)
