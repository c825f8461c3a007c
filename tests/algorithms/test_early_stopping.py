"""A model that was trained with early stopping predicts with its best round, and says so."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ltr_core as ltr
from tests.algorithms.test_contracts import NAMES, TRAIN, VALID, make
from tests.command import CUBIC, Command

ROUNDED = [name for name in NAMES if ltr.ALGORITHMS[name].rounds_param]


@pytest.mark.parametrize("name", ROUNDED)
def test_the_best_round_predicts(name, tmp_path):
    model = make(name, 12).fit(TRAIN, eval_set={"valid": VALID}, early_stopping=3)
    best = model.iteration_
    values = model.history_.query("split == 'valid' and measure == 'ndcg@10'").set_index("iteration")["value"]
    assert best == model.best_iteration_ == values.idxmax()
    model.save(tmp_path / "m.json")
    for known in (model, ltr.load_model(tmp_path / "m.json")):
        scores = known.predict(VALID)
        assert known.iteration_ == best
        assert np.array_equal(scores, known.predict(VALID, iteration="best"))
        assert np.array_equal(scores, list(known.staged_predict(VALID))[best])
        assert np.array_equal(known.predict(VALID, iteration="last"), list(known.staged_predict(VALID))[-1])
        assert ltr.evaluate(known, VALID).attrs["mean"]["ndcg@10"] == pytest.approx(values.max(), abs=1e-12)
        if known.peer:
            continue  # a library's model is one whole: it has no model of an earlier round
        if known.additive:
            np.testing.assert_allclose(known.explain(VALID).sum(axis=1), scores - known.base_, atol=1e-9)
            last = known.at("last")
            parts = last.explain(VALID).sum(axis=1) + last.base_
            np.testing.assert_allclose(parts, known.predict(VALID, iteration="last"), atol=1e-9)
        early = known.at("best")
        assert np.array_equal(early.predict(VALID), scores) and early.n_iter_ == best
        if hasattr(known, "feature_importances_"):
            assert np.array_equal(known.feature_importances_, early.feature_importances_)


def test_without_it_the_last_round_predicts():
    model = make("MPBoost", 12).fit(TRAIN, eval_set={"valid": VALID})
    assert model.iteration_ == model.n_iter_ and np.array_equal(
        model.predict(VALID), model.predict(VALID, iteration="last")
    )
    with pytest.raises(ltr.ParameterError, match='take a number from 0 to 12, "best" or "last"'):
        model.predict(VALID, iteration="first")


def test_a_file_from_before_that_stopped_early(tmp_path):
    model = make("MPBoost", 200).fit(TRAIN, eval_set={"valid": VALID}, early_stopping=2)
    assert model.stopped_ == "early stop"
    model.save(tmp_path / "m.json")
    content = json.loads((tmp_path / "m.json").read_text())
    del content["iteration"], content["checksum"]
    (tmp_path / "m.json").write_text(json.dumps(content))
    assert ltr.load_model(tmp_path / "m.json").iteration_ == model.best_iteration_


def test_the_command_line_says_which_round(capsys, tmp_path):
    command, out, one = Command(capsys), tmp_path / "m.json", ("--data", CUBIC, "--fold", 1)
    told = command("train", "MPBoost", *one, "--n-rounds", 300, "--early-stopping", 5, "--out", out)
    model = ltr.load_model(out)
    best, done = model.best_iteration_, model.n_iter_
    assert best < done and f"is {best}; the model predicts with the best one unless another is asked" in told
    text = command("evaluate", out, *one)
    assert f"(round {best} of {done}, the best on validation)" in text
    found = command.json("evaluate", out, *one, "--measure", "ndcg@10")
    last = command.json("evaluate", out, *one, "--measure", "ndcg@10", "--iteration", "last")
    assert (found["round"], last["round"]) == (best, done)
    test = ltr.load_folds(CUBIC, only=1)[0][2]
    assert found["values"]["ndcg@10"] == ltr.evaluate(model, test).attrs["mean"]["ndcg@10"]
    compared = command("compare", out, f"again={out}", *one)
    assert f"m: round {best} of {done}, the best on validation." in compared
    assert command.json("compare", out, f"b={out}", *one)["rounds"] == {"m": best, "b": best}
