"""Overview: the comparison is there, reads itself, and leads on."""

from __future__ import annotations

import html

import pytest

import ltr_core as ltr
from pages.ui.runs.presets import offered
from pages.ui.session import link, mirror, state
from tests.dashboard import SMALL, open_app, text_of


@pytest.mark.slow
def test_the_sentence_is_the_cores():
    app = open_app()
    now = app.session_state["_screen"]
    test = now.splits.test
    models = {}
    for line in now.runs:
        model = ltr.ALGORITHMS[line.recipe.algorithm](**dict(line.recipe.params))
        model.fit(now.splits.train, eval_set={"valid": now.splits.valid}, measures=("ndcg@5",))
        models[line.name] = model.predict(test, iteration="best")
    compared = ltr.compare(models, test, "ndcg@5", baseline=now.baseline.name)
    assert compared.loc[compared["mean"].idxmax(), "sentence"] in text_of(app)


@pytest.mark.parametrize("preset", offered(), ids=lambda preset: preset.name)
def test_the_link_of_a_preset_opens_its_comparison(preset):
    sent = mirror.link_to({"data": preset.data, **preset.controls}, preset.workspace(), in_full=True)
    controls, runs, notes = link.decode(sent, state.CONTROLS)
    assert not notes and controls == {"data": preset.data, **preset.controls}
    assert runs == preset.workspace()


def test_there_is_a_card_for_each_preset():
    text = html.unescape(text_of(open_app(SMALL)))
    assert all(preset.title in text and preset.text in text for preset in offered())


def test_one_run_alone_asks_for_a_second():
    app = open_app("data.tiny..r0.MPBoost.n_rounds.3")
    assert not app.exception and "Add a second run" in text_of(app)
