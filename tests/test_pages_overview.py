"""Overview: the comparison is there, reads itself, and leads on."""

from __future__ import annotations

import pytest

import ltr_core as ltr
from pages.ui.presets import offered
from tests.dashboard import SMALL, open_app, settle, text_of


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path_factory.getbasetemp() / "runs"))


def test_the_sentence_is_the_cores():
    app = open_app()
    now = app.session_state["_view"]
    test = now.splits.test
    models = {}
    for line in now.lines:
        model = ltr.ALGORITHMS[line.recipe.algorithm](**dict(line.recipe.params))
        model.fit(now.splits.train, eval_set={"valid": now.splits.valid}, measures=("ndcg@5",))
        models[line.name] = model.predict(test, iteration="best")
    compared = ltr.compare(models, test, "ndcg@5", baseline="BINARY")
    assert compared.loc[compared["mean"].idxmax(), "sentence"] in text_of(app)


def test_there_is_a_card_for_each_preset_and_it_opens_its_comparison():
    app = open_app(SMALL)
    for preset in offered():
        assert preset.title in text_of(app)
    app.button("preset-mpboost").click().run()
    settle(app)
    assert not app.exception
    assert "What differs" in text_of(app)  # it is Compare that has opened
    assert [line.name for line in app.session_state["_view"].lines] == ["BINARY", "LDD", "LOGDD", "LOGITDD"]


def test_one_run_alone_asks_for_a_second():
    app = open_app("data.tiny..r0.MPBoost.n_rounds.3")
    assert not app.exception and "Add a second run" in text_of(app)
