"""The pages beside Compare start from what is in hand: data set, runs, the run that the headline names."""

from __future__ import annotations

import pytest

from pages.ui.tables import comparison
from tests.dashboard import open_app, text_of

THREE = "..".join(
    [
        "data.cubic..cubic-n_queries.60..cubic-n_docs.8..cubic-n_features.5",
        "r0.MPBoost.ddf.ldd.alpha.0_7.n_rounds.5",
        "r1.RankNet.epochs.3",
        "r2.MPBoost.n_rounds.25",
    ]
)


def test_rankings_and_inspect_open_on_the_run_that_the_headline_names():
    app = open_app(THREE, page="rankings")
    named = comparison.headlined(app.session_state["_screen"])
    assert named in (1, 2) and app.selectbox("pick-rank_run").value == named
    other = 3 - named
    app.switch_page("pages/_inspect.py").run()
    assert app.selectbox("pick-look_run").value == named and "look_run" not in app.session_state["s"]
    app.selectbox("pick-look_run").select(other).run()
    assert app.selectbox("pick-look_run").value == other


@pytest.mark.parametrize("part", ["distances", "losses", "gains"])
def test_shapes_says_whose_data_and_takes_a_runs_distance(part):
    app = open_app(f"{THREE}..shape_part.{part}", page="shapes")
    assert "training data" in text_of(app) and not app.exception and not app.error
    if part == "distances":
        app.button("shape-of-0").click().run()
        assert app.session_state["shape_ddf"] == "ldd" and app.session_state["shape_alpha"] == 0.7
        app.button("shape-of-2").click().run()
        assert app.session_state["shape_ddf"] == "logdd" and not app.exception and not app.error


def test_shapes_offers_a_distance_once_however_many_runs_have_it():
    runs = "..".join(
        f"r{n}.MPBoost.ddf.{ddf}.n_rounds.{4 + n}" for n, ddf in enumerate(("ldd", "ldd", "logdd"))
    )
    app = open_app(f"data.tiny..{runs}", page="shapes")
    offered = [button.key for button in app.button if (button.key or "").startswith("shape-of-")]
    assert offered == ["shape-of-0", "shape-of-2"]


@pytest.mark.slow
def test_step_through_says_whose_data_and_takes_a_runs_method():
    app = open_app(THREE, page="step_through")
    assert "Data: the set Tiny" in text_of(app)
    app.button("step-as-0").click().run()
    assert app.session_state["step-MPBoost-ddf"] == "ldd" and app.session_state["step-MPBoost-alpha"] == 0.7
    assert app.session_state["step_rounds"] == 5 and not app.exception and not app.error
