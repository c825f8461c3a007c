"""Inspect: every kind of model shows what it has, and every number is the model's own."""

from __future__ import annotations

import ast

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core import ALGORITHMS
from ltr_core.data import by_content
from ltr_core.engines.binning.bins import bin_features
from ltr_core.engines.hidden_order import class_centers
from pages.ui.inspect import bins
from pages.ui.tables import model as inspect_tables
from tests.dashboard import ROOT, open_app, settle, text_of

LINK = "data.cubic..cubic-n_queries.40..cubic-n_docs.8..cubic-n_features.5"


@pytest.fixture(scope="module")
def splits():
    return ltr.split(ltr.datasets.make("cubic", n_queries=40, n_docs=8, n_features=5), (0.6, 0.2, 0.2))


def recipe(name):
    few = ALGORITHMS[name].rounds_param
    return f"{name}.{few}.3" if few else name


def opened(run, more=""):
    app = open_app(f"{LINK}..r0.{run}..score_at.last{more}", page="_inspect")
    assert not app.exception and not app.error
    return app


def inspected_in(app):
    screen = app.session_state["_screen"]
    return inspect_tables.look_into(screen, screen.finished[0])


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_whatever_is_in_the_registry_is_shown_with_all_it_has(name):
    app = open_app(f"{LINK}..r0.{recipe(name)}", page="_inspect")
    screen = app.session_state["_screen"]
    assert not app.exception
    if not screen.finished:
        pytest.skip("it cannot be trained on this set, or here")
    offered = list(inspect_tables.offered(inspected_in(app)))
    for view in offered:
        app.segmented_control("pick-look_view").set_value(view).run()
        assert not app.exception and app.segmented_control("pick-look_view").value == view
    assert offered or "nothing else to see" in text_of(app)


EXPECTED = {
    "MPBoost": ["shape", "rounds", "bins"],
    "FeatureRank": ["centers"],
    "AdaRank": ["weights", "rounds"],
    "RankSVM": ["weights"],
    "ListNet": ["weights"],
    "GBT": ["tree", "bins"],
    "McRank": ["tree", "classes", "bins"],
}


@pytest.mark.parametrize("name", list(EXPECTED))
def test_what_each_kind_has(name):
    inspected = inspected_in(opened(recipe(name)))
    assert list(inspect_tables.offered(inspected)) == EXPECTED[name]


def test_the_page_has_a_place_for_everything_that_a_model_can_offer():
    page = ast.parse((ROOT / "pages" / "_inspect.py").read_text(encoding="utf-8"))
    cases = [node.value.value for node in ast.walk(page) if isinstance(node, ast.MatchValue)]
    assert cases == list(inspect_tables.OFFERS)


def test_a_network_with_a_hidden_layer_has_no_weights_of_features():
    assert "weights" not in inspect_tables.offered(inspected_in(opened("RankNet.hidden.3.epochs.2")))


def test_the_model_is_the_one_at_the_round_compared(splits):
    app = open_app(f"{LINK}..r0.MPBoost.n_rounds.30", page="_inspect")
    train, valid, _ = splits
    model = ltr.MPBoost(n_rounds=30, size=1.0).fit(train)  # what a link without a size means
    measure = ltr.measure("ndcg@10")
    curve = [measure.mean(valid.y, s, valid.offsets) for s in model.staged_predict(valid)]
    inspected = inspected_in(app)
    assert inspected.iteration == int(np.argmax(curve))
    early = model.at(inspected.iteration)
    frame = inspect_tables.importances(inspected).set_index("feature")["importance"]
    assert dict(frame) == dict(zip(train.feature_names, early.feature_importances_, strict=True))
    pd.testing.assert_series_equal(inspect_tables.rounds(inspected)["value"], early.rounds_["value"])
    assert f"at round {inspected.iteration} of 30" in text_of(app)


def test_shape_functions_are_contributions(splits):
    inspected = inspected_in(opened("MPBoost.n_rounds.20"))
    train = splits[0]
    parts = ltr.MPBoost(n_rounds=20, size=1.0).fit(train).explain(train)
    for k, name in enumerate(train.feature_names):
        steps = inspect_tables.shape_steps(inspected, name)
        x, value = steps["x"].to_numpy(), steps["value"].to_numpy()
        assert (np.diff(x) >= 0).all() and x[0] <= train.X[:, k].min() and x[-1] >= train.X[:, k].max()
        for row in range(0, train.n_docs, 17):
            place = max(1, np.searchsorted(x, np.float64(train.X[row, k]), side="left"))
            assert value[place] == pytest.approx(parts[row, k], abs=1e-12)


@pytest.mark.parametrize("mode", ["classification", "ordinal"])
def test_trees_are_walked_as_drawn(splits, mode):
    train, _, test = splits
    inspected = inspected_in(opened(f"McRank.mode.{mode}.n_trees.4.n_leaves.6"))
    names = inspect_tables.outputs(inspected)
    grades = np.unique(train.y)
    assert len(names) == len(grades) - (mode == "ordinal")
    model = ltr.McRank(mode=mode, n_trees=4, n_leaves=6).fit(train)
    total = np.repeat(model.start_[:, None], test.n_docs, axis=1)
    for number in range(4):
        for output in range(len(names)):
            nodes = inspect_tables.tree(inspected, number, output)
            inner = nodes[nodes["feature"] != ""].set_index("node")
            below = {(r["parent"], r["answer"]): r["node"] for r in nodes.to_dict("records")}
            values = nodes.set_index("node")["value"]
            assert nodes["documents"].iloc[0] == train.n_docs
            assert nodes[nodes["feature"] == ""]["documents"].sum() == train.n_docs
            for i, row in enumerate(test.X):
                node = nodes["node"].iloc[0]
                while node in inner.index:
                    x = row[test.feature_names.index(inner.loc[node, "feature"])]
                    node = below[node, "yes" if x <= inner.loc[node, "threshold"] else "no"]
                total[output, i] += values[node]
    np.testing.assert_allclose(
        model.predict_proba(test),
        ltr.engines.boosting.grade_classes.class_probabilities(total, mode == "ordinal").T,
    )


def test_class_probabilities_are_the_models(splits):
    train, _, test = splits
    inspected = inspected_in(opened("McRank.n_trees.4"))
    query = str(test.query_ids[2])
    frame = inspect_tables.probabilities(inspected, query)
    model = ltr.McRank(n_trees=4).fit(train)
    own = test.select([2])
    order = np.argsort(-model.predict(own), kind="stable")
    np.testing.assert_array_equal(frame[[f"{g:g}" for g in model.grades_]], model.predict_proba(own)[order])
    assert list(frame["grade"]) == list(own.y[order]) and list(frame["rank"]) == list(
        range(1, own.n_docs + 1)
    )


def test_class_centers_are_figure_1(splits):
    inspected = inspected_in(opened("FeatureRank.n_intervals.4"))
    frame = inspect_tables.class_centers(inspected)
    for k, name in enumerate(splits[0].feature_names):
        wanted = class_centers(by_content(splits[0]), k, 4)
        np.testing.assert_array_equal(frame[frame["feature"] == name]["value"], wanted)


def test_weights_are_the_models(splits):
    inspected = inspected_in(opened("RankSVM"))
    np.testing.assert_array_equal(
        inspect_tables.weights(inspected)["weight"],
        ltr.algorithms.ALGORITHMS["RankSVM"]().fit(splits[0]).weights_,
    )
    linear = inspected_in(opened("ListNet.epochs.5"))
    model = ltr.ListNet(epochs=5).fit(splits[0])
    scale = model.explain(splits[0]) / (splits[0].X - model.mean_)
    np.testing.assert_allclose(
        inspect_tables.weights(linear)["weight"] * model.scale_, np.nanmedian(scale, axis=0), rtol=1e-6
    )


def test_bins_and_the_measure_by_their_number(splits, monkeypatch):
    monkeypatch.setattr(bins, "TRIED", (4, 16))
    app = opened("GBT.n_trees.5.max_bins.8", "..look_view.bins")
    inspected = inspected_in(app)
    cut = bins.bins_of(inspected).set_index("feature")["bins"]
    assert dict(cut) == dict(zip(inspected.names, bin_features(splits[0].X, 8).n_bins, strict=True))
    app.button("train-bins").click().run()
    settle(app)
    assert not app.exception
    screen = app.session_state["_screen"]
    frame = bins.by_bins(screen, bins.variants(inspected))
    assert list(frame["bins"]) == [4, 8, 16]
    for row in frame.itertuples():
        model = ltr.GBT(n_trees=5, max_bins=row.bins).fit(splits[0])
        test = splits[2]
        assert row.test == ltr.measure("ndcg@10").mean(test.y, model.predict(test), test.offsets)
    assert "train-bins" not in {b.key for b in app.button}


def test_the_link_holds_what_is_looked_at():
    app = opened("McRank.n_trees.3", "..look_view.tree..look_tree.2..look_output.3")
    assert app.slider("pick-look_tree").value == 2 and app.selectbox("pick-look_output").value == 3
    assert "Tree of round 2" in text_of(app)
    app.slider("pick-look_tree").set_value(3).run()
    assert app.session_state["look_tree"] == 3 and "Tree of round 3" in text_of(app)


@pytest.mark.slow
def test_without_runs_there_is_one_button():
    app = open_app("data.tiny..runs.none", page="_inspect")
    app.button("look-start").click().run()
    settle(app)
    assert not app.exception and "uses" in text_of(app)
