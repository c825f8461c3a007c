"""Forms are made from parameters, and give back what was put in."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ltr_core import ALGORITHMS, Param
from pages.ui.kit.form import _narrowest
from pages.ui.runs.catalog import MISSING
from pages.ui.style import words
from pages.ui.style.lettering import width_of
from pages.ui.style.words import choice_label


def form():
    import streamlit as st

    from ltr_core import Param
    from pages.ui.kit.form import draw_params

    params = (
        Param("n_rounds", "int", 20, 1, 500, 1, log=True, help="How many."),
        Param("rate", "float", 0.05, 1e-6, 1.0, log=True),
        Param(
            "lam",
            "float",
            None,
            1e-6,
            1e6,
            log=True,
            optional=True,
            none_label="calibrated",
            when={"ddf": ("logdd",)},
        ),
        Param("ddf", "choice", "logdd", choices=("logdd", "ldd")),
        Param("on", "bool", False),
        Param("rows", "table", None, optional=True, when={"ddf": ("ldd",)}),
    )
    st.session_state["out"] = draw_params(params, lambda name: f"f-{name}")


@pytest.fixture
def app():
    return AppTest.from_function(form).run()


def test_defaults_are_shown_and_returned(app):
    assert not app.exception
    assert app.session_state["out"] == {
        "n_rounds": 20,
        "rate": 0.05,
        "lam": None,
        "ddf": "logdd",
        "on": False,
        "rows": None,
    }
    assert app.number_input("f-lam").placeholder == "calibrated"
    assert app.number_input("f-n_rounds").label == "rounds"
    assert "from 1 to 500" in app.number_input("f-n_rounds").help


def test_what_has_no_effect_is_not_asked_for(app):
    assert [w.key for w in app.number_input] == ["f-n_rounds", "f-rate", "f-lam"]
    app.selectbox("f-ddf").select("ldd").run()
    assert [w.key for w in app.number_input] == ["f-n_rounds", "f-rate"]
    assert [w.key for w in app.text_input] == ["f-rows"]


def test_numbers_come_back_exactly(app):
    app.number_input("f-rate").set_value(0.1 + 0.2 - 0.3 + 1e-3)
    app.number_input("f-lam").set_value(3.0).run()
    assert app.session_state["out"]["rate"] == 0.1 + 0.2 - 0.3 + 1e-3
    assert app.session_state["out"]["lam"] == 3.0
    app.number_input("f-lam").set_value(None).run()
    assert app.session_state["out"]["lam"] is None


@pytest.mark.parametrize(
    "text, rows",
    [
        ("[[0, -1], [1.5, 0]]", ((0.0, -1.0), (1.5, 0.0))),
        ("", None),
        ("[[0, 1", "[[0, 1"),
        ("hello", "hello"),
        ("5", "5"),
    ],
)
def test_tables_are_read(app, text, rows):
    app.selectbox("f-ddf").select("ldd").run()
    app.text_input("f-rows").set_value(text).run()
    assert not app.exception
    assert app.session_state["out"]["rows"] == rows


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_every_algorithm_has_a_form(name):
    def whole(name):
        import streamlit as st

        from ltr_core import ALGORITHMS
        from pages.ui.kit.form import draw_params
        from pages.ui.runs.specs import recipe_of

        values = draw_params(ALGORITHMS[name].all_params(), lambda p: f"{name}-{p}")
        st.session_state["recipe"] = recipe_of(name, values)

    app = AppTest.from_function(whole, kwargs={"name": name}).run()
    assert not app.exception
    assert app.session_state["recipe"].params == ()
    drawn = {w.key for kind in ("number_input", "selectbox", "toggle", "text_input") for w in app.get(kind)}
    values = {p.name: p.default for p in ALGORITHMS[name].all_params()}
    assert drawn == {f"{name}-{p.name}" for p in ALGORITHMS[name].all_params() if p.applies(values)}


def test_values_are_said_as_they_are():
    number = Param("x", "float", 0.0, optional=True, none_label="off")
    assert words.value_label(number, 0.5) == "0.5"
    assert words.value_label(number, 1 / 3) == repr(1 / 3)
    assert words.value_label(number, None) == "off"
    assert words.value_label(Param("ddf", "choice", "ldd", choices=("ldd",)), "ldd") == "LDD"
    assert words.value_label(Param("b", "bool", False), True) == "yes"
    assert words.number(-0.12345) == "−0.1235" and words.number(float("nan")) == "–"
    assert words.signed(0.02) == "▲ +0.0200" and words.signed(-0.02) == "▼ −0.0200"
    assert [words.ordinal(n) for n in (1, 2, 3, 4, 11, 21, 112)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "21st",
        "112th",
    ]
    assert (
        words.seconds(0.123) == "0.12 s" and words.seconds(75) == "75 s" and words.seconds(600) == "10.0 min"
    )


def test_the_longest_choice_is_read_in_its_field():
    """On the page Data a wide window left 108 pixels for “refuse the file”."""
    widest = max(width_of(choice_label(MISSING, choice)) for choice in MISSING.choices)
    assert _narrowest((MISSING,)) > widest + 60
    assert _narrowest(()) == 108
