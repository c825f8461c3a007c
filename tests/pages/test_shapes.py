"""Shapes: curves, tables and verdicts are the core's, and what is in hand goes into a run exactly."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import ltr_core as ltr
from pages.ui.session import link, state
from pages.ui.tables import distances as tables
from pages.ui.tables import losses
from pages.ui.tables.distances import DistanceParams
from tests.dashboard import open_app, text_of

LINK = "data.tiny..runs.none"
VALUES = DistanceParams(0.2, 3.0, 0.5, ())


@pytest.fixture(scope="module")
def train():
    return ltr.split(ltr.datasets.make("tiny"), (0.6, 0.2, 0.2))[0]


def figure_of(app, key):
    """The traces of a plotly chart by name."""
    (chart,) = [c for c in app.get("plotly_chart") if c.proto.id.endswith(f"-{key}")]
    return json.loads(chart.proto.spec)


def heat_of(app):
    (table,) = re.findall(r'<table class="heat">.*?</table>', text_of(app))
    rows = re.findall(r"<tr>(.*?)</tr>", table.partition("<tbody>")[2])
    return [[float(c.replace("−", "-")) for c in re.findall(r"<td[^>]*>([^<]*)</td>", row)] for row in rows]


def values_of(array):
    """A plotly array: a list, or bytes in base 64."""
    import base64

    if isinstance(array, dict):
        return np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"]).astype(float)
    return np.array([np.nan if v is None else v for v in array], dtype=float)


def test_curves_are_figure_2_of_the_paper():
    frame = tables.distance_curves(VALUES, 4.0)
    formulas = {
        "binary": lambda t: np.sign(t),
        "ldd": lambda t: 0.2 * t,
        "logdd": lambda t: np.sign(t) * np.log(1 + 3 * np.abs(t)),
        "logitdd": lambda t: np.sign(t) / (1 + np.exp(-0.5 * np.abs(t))),
    }
    assert set(frame["name"]) == set(formulas)
    for name, rows in frame.groupby("name"):
        kept = rows.dropna()
        assert kept["t"].min() == -4.0 and kept["t"].max() == 4.0 and len(rows) == len(kept) + 1
        np.testing.assert_allclose(kept["value"], formulas[name](kept["t"]), rtol=1e-12)


def test_a_slider_moves_its_curve_its_table_and_its_verdict(train):
    app = open_app(LINK, page="shapes")
    assert not app.exception
    before = {t["name"]: values_of(t["y"]) for t in figure_of(app, "ddf")["data"] if "name" in t}
    app.slider(key="shape_lam").set_value(7.31).run()
    assert not app.exception
    after = {t["name"]: values_of(t["y"]) for t in figure_of(app, "ddf")["data"] if "name" in t}
    assert (before["LDD"] == after["LDD"])[~np.isnan(before["LDD"])].all()
    assert np.nanmax(after["LOGDD"]) == pytest.approx(np.log(1 + 7.31 * 1.04 * 4), rel=1e-9)
    grades = np.arange(5.0)
    expected = np.sign(grades[:, None] - grades) * np.log(1 + 7.31 * np.abs(grades[:, None] - grades))
    np.testing.assert_allclose(heat_of(app), np.round(expected, 2), atol=0.0051)
    found = ltr.check_distance("logdd", train, lam=7.31)
    assert f"mean {found.mean:.3f}" in text_of(app) and found.mean > 2 and "overshoots" in text_of(app)


@pytest.mark.parametrize("ddf", ["binary", "ldd", "logdd", "logitdd"])
def test_the_verdict_names_the_pair_that_breaks_a_requirement(train, ddf):
    app = open_app(f"{LINK}..shape_ddf.{ddf}", page="shapes")
    text = text_of(app)
    given = {"ldd": {"alpha": 0.2}, "logdd": {"lam": 3.0}, "logitdd": {"beta": 0.5}}.get(ddf, {})
    report = ltr.check_distance(ddf, train, **given)
    assert f"mean {report.mean:.3f}, from {report.low:.3g} to {report.high:.3g}" in text
    assert ("✗ (4)" in text) == (ddf == "binary") and "✓ (3)" in text
    for sentence in report.violations:
        assert sentence.partition(": ")[2] in text
    if ddf == "binary":
        assert "has the distance 1, no more than" in text


def test_an_own_table_stays_antisymmetric_and_is_refused_when_a_sign_is_wrong(train):
    app = open_app(f"{LINK}..shape_ddf.table", page="shapes")
    start = np.array(tables.filled_table("logdd", VALUES, np.arange(5.0)))
    np.testing.assert_array_equal(heat_of(app), np.round(start, 2))
    table = tables.with_cell(tuple(map(tuple, start)), 3, 1, -0.5)
    cells = np.array(table)
    assert cells[3, 1] == -0.5 and cells[1, 3] == 0.5 and (cells == -cells.T).all()
    word = link.encode_value(state.CONTROLS["shape_table"], table)
    app = open_app(f"{LINK}..shape_ddf.table..shape_table.{word}", page="shapes")
    text = text_of(app)
    assert "✗ (3)" in text and "grade 3 over grade 1 has the distance -0.5" in text
    assert "cannot be trained with" in text
    np.testing.assert_array_equal(heat_of(app), np.round(cells, 2))


def test_an_edit_of_a_cell_changes_its_mirror_image_too():
    app = open_app(f"{LINK}..shape_ddf.table", page="shapes")
    app.button(key="fill-binary").click().run()
    np.testing.assert_array_equal(heat_of(app), np.sign(np.subtract.outer(np.arange(5), np.arange(5))))
    assert app.session_state["shape_table"][4][0] == 1.0


@pytest.mark.parametrize("junk", ["_5B_5D", "_5B1_2C2_5D", "_22x_22", "_5B_5B0_2C1_5D_2C_5B1_2C0_5D_5D"])
def test_a_table_from_a_link_that_is_none_is_left_out(junk):
    app = open_app(f"{LINK}..shape_ddf.table..shape_table.{junk}", page="shapes")
    assert not app.exception
    start = tables.filled_table("logdd", VALUES, np.arange(5.0))
    np.testing.assert_array_equal(heat_of(app), np.array(start))


def test_calibrate_sets_the_nearest_value_of_the_slider(train):
    app = open_app(LINK, page="shapes")
    for name, ddf in (("alpha", "ldd"), ("lam", "logdd"), ("beta", "logitdd")):
        app.button(key=f"calibrate-{name}").click().run()
        exact = ltr.check_distance(ddf, train).value
        assert app.slider(key=f"shape_{name}").value == round(exact, 2)


@pytest.mark.parametrize(
    "ddf, given",
    [
        ("ldd", {"alpha": 0.37}),
        ("logdd", {"lam": 1.23}),
        ("logitdd", {"beta": 4.56}),
        ("binary", {}),
        ("table", {}),
    ],
)
def test_use_in_a_run_carries_the_exact_value_into_the_form(ddf, given):
    words = "".join(f"..shape_{name}.{str(value).replace('.', '_')}" for name, value in given.items())
    app = open_app(f"{LINK}..shape_ddf.{ddf}{words}", page="shapes")
    sent = [p.proto.query_string for p in app.get("page_link") if "form" in p.proto.query_string]
    assert len(sent) == 1
    from urllib.parse import parse_qs

    form = open_app(parse_qs(sent[0])["s"][0], page="compare")
    assert not form.exception and form.session_state["new"] == "MPBoost"
    assert form.selectbox(key="new:MPBoost-ddf").value == ddf
    for name, value in given.items():
        assert form.number_input(key=f"new:MPBoost-{name}").value == value
    if ddf == "table":
        held = json.loads(form.text_input(key="new:MPBoost-ddf_table").value)
        assert held == [list(row) for row in tables.filled_table("logdd", VALUES, np.arange(5.0))]


def test_continuous_grades_get_a_table_of_some_of_them():
    app = open_app(
        "data.mq2008-list-like..mq2008-list-like-n_queries.6..mq2008-list-like-n_docs.40..runs.none",
        page="shapes",
    )
    assert not app.exception
    assert np.array(heat_of(app)).shape == (tables.MOST_GRADES, tables.MOST_GRADES)
    assert "some of the grades at hand" in text_of(app)


# Losses and gains -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["all", "ddf", "frank"])
def test_plotted_slopes_and_curvatures_are_the_differences_of_the_plotted_loss(kind):
    app = open_app(f"{LINK}..shape_part.losses..shape_losses.{kind}", page="shapes")
    assert not app.exception
    by_name = {}
    for trace in figure_of(app, "loss-panels")["data"]:
        by_name.setdefault(trace["name"], []).append((values_of(trace["x"]), values_of(trace["y"])))
    assert len(by_name) == {"all": 7, "ddf": 4, "frank": 6}[kind]
    for name, ((x, loss), (_, slope), (_, curvature)) in by_name.items():
        h = x[1] - x[0]
        kinks = {"Hinge": 1.0, "Squared hinge": 1.0, "Misorder": 0.0}
        smooth = np.abs(x[1:-1] - kinks.get(name, 99.0)) > 1.5 * h
        size = np.abs(loss[1:-1]) + 1.0
        first = (loss[2:] - loss[:-2]) / (2 * h)
        assert (np.abs(first - slope[1:-1])[smooth] <= 3e-3 * size[smooth]).all(), name
        second = (slope[2:] - slope[:-2]) / (2 * h)
        assert (np.abs(second - curvature[1:-1])[smooth] <= 1e-2 * size[smooth] * 4).all(), name


def test_figure_1_of_frank():
    frame = losses.loss_curves("frank", VALUES, 1.0, False)
    at = frame[frame["margin"] == 0.0].set_index(["loss", "p_star"])["value"]
    assert at["fidelity", 0.5] == pytest.approx(0.0, abs=1e-12)
    assert at["fidelity", 1.0] == at["fidelity", 0.0] == pytest.approx(1 - np.sqrt(0.5))
    assert at["cross_entropy", 1.0] == pytest.approx(np.log(2))
    best = frame[(frame["loss"] == "fidelity") & (frame["p_star"] == 0.5)]
    assert best.loc[best["value"].idxmin(), "margin"] == 0.0


def test_the_exponential_loss_takes_each_distance_of_the_gap():
    app = open_app(f"{LINK}..shape_part.losses..shape_losses.ddf", page="shapes")
    app.slider(key="shape_gap").set_value(3.0).run()
    frame = losses.loss_curves("ddf", VALUES, 3.0, False)
    for name, d in (
        ("BINARY", 1.0),
        ("LDD", 0.6),
        ("LOGDD", np.log(10)),
        ("LOGITDD", 1 / (1 + np.exp(-1.5))),
    ):
        label = f"{name}, d = {d:.4g}"
        rows = frame[frame["name"] == label]
        np.testing.assert_allclose(rows["value"], np.exp(-d * rows["margin"]), rtol=1e-12)
        assert label in {t["name"] for t in figure_of(app, "loss-panels")["data"]}


def test_gains_and_discounts_are_those_in_use():
    app = open_app(f"{LINK}..shape_part.gains..ndcg-discount.letor", page="shapes")
    assert not app.exception
    lines = {t["name"]: values_of(t["y"]) for t in figure_of(app, "discount")["data"]}
    np.testing.assert_allclose(lines["LETOR ★"][:4], [1, 1, 1 / np.log2(3), 0.5])
    np.testing.assert_allclose(lines["1/log₂(1+j)"][:3], [1, 1 / np.log2(3), 0.5])
    gains = {t["name"]: values_of(t["y"]) for t in figure_of(app, "gain")["data"]}
    np.testing.assert_array_equal(gains["2ʳ − 1 ★"], [0, 1, 3, 7, 15])
    cells = heat_of(app)
    assert cells[0][:3] == [15.0, 15.0, 9.46] and cells[-1] == [0.0] * 10


def test_a_worth_is_what_a_single_document_adds_to_dcg():
    from ltr_core.measures.parts import curves

    cells = curves.worths([0, 2, 4], 4, "exp2", "standard")
    for row, grade in enumerate((0, 2, 4)):
        for rank in range(4):
            y = np.zeros(4)
            y[rank] = grade
            assert cells[row, rank] == pytest.approx(ltr.dcg(y, -np.arange(4.0), np.zeros(4), k=4))
    with pytest.raises(ltr.ParameterError, match="not negative"):
        curves.gains([-1.0])
