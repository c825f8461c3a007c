"""A new algorithm is one file and one line: it is in forms, Compare and Inspect, and no page is touched."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from pages.ui.tables import model as inspect_tables
from tests.dashboard import SMALL, open_app, settle, text_of
from tests.project.test_contributing import NAME, one_feature  # noqa: F401

pytestmark = pytest.mark.usefixtures("one_feature")


@pytest.fixture
def app(restart, tmp_path):
    """Compare, with the new algorithm picked in the form and trained."""
    restart(tmp_path)
    app = open_app(SMALL, page="compare")
    app.selectbox("new").select(NAME).run()
    app.number_input(f"new:{NAME}-shrink").set_value(0.5).run()
    app.button("train").click().run()
    return settle(app)


def test_it_is_in_the_form_and_in_the_comparison(app):
    assert not app.exception
    screen = app.session_state["_screen"]
    line = screen.runs[-1]
    assert line.recipe.algorithm == NAME and line.status == "done" and line.name == "One feature"
    train, valid, test = (screen.splits[split] for split in ("train", "valid", "test"))
    model = ltr.ALGORITHMS[NAME](shrink=0.5).fit(train, eval_set={"valid": valid}, measures=(screen.measure,))
    assert np.array_equal(model.predict(test), line.trained.model.predict(test))
    value = screen.measure.mean(test.y, model.predict(test, iteration="best"), test.offsets)
    (table,) = [h.value for h in app.get("html") if "Δ to the baseline" in h.value]
    assert "One feature" in table and f"{value:.4f}" in table
    assert f"{NAME}.shrink.0_5" in app.text_input("s").value  # and in the link


def test_it_can_be_looked_into(app):
    app.segmented_control("score_at").set_value("last").run()
    app.switch_page("pages/_inspect.py").run()
    slot = app.session_state["_screen"].runs[-1].slot
    app.selectbox("pick-look_run").select(slot).run()
    assert not app.exception and "One feature" in text_of(app)
    screen = app.session_state["_screen"]
    inspected = inspect_tables.look_into(screen, screen.runs[-1])
    top = inspect_tables.importances(inspected).iloc[0]
    assert top["importance"] == 1.0 and top["feature"] in text_of(app)


def test_it_is_in_every_other_page_too(app):
    for page in ("rankings", "overview", "compare"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert "One feature" in text_of(app)
