"""A colour has one home, `style/theme.py`: stylesheets, charts and Streamlit take it from there."""

from __future__ import annotations

import re
import tomllib

import pytest

from pages.ui.style import theme
from pages.ui.style.sheet import custom_properties, stylesheet
from tests.live import ROOT

HEX = re.compile(r"#[0-9a-fA-F]{8}\b|#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3,4}\b(?=[\s;,)'\"])")
HOME = "style/theme.py"
LOGO = ("app/icon.svg", "app/logo.svg")  # pictures by themselves: no stylesheet reaches them


def test_no_colour_is_written_elsewhere():
    offenders = []
    for path in sorted((ROOT / "pages").rglob("*.*")):
        if path.suffix not in (".py", ".css", ".js", ".html", ".svg"):
            continue
        name = path.relative_to(ROOT / "pages").as_posix().removeprefix("ui/")
        if name != HOME and name not in LOGO:
            offenders += [f"{name}: {colour}" for colour in HEX.findall(path.read_text(encoding="utf-8"))]
    assert not offenders


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK], ids=lambda p: p.name)
def test_streamlit_has_the_same_colours(colours):
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    told = config["theme"][colours.name]
    assert told == {
        "primaryColor": colours.primary,
        "backgroundColor": colours.surface,
        "secondaryBackgroundColor": colours.raised,
        "textColor": colours.text,
        "chartCategoricalColors": list(colours.slots),
    }


@pytest.mark.parametrize("name", LOGO)
def test_the_logo_has_the_colours_of_the_theme(name):
    text = (ROOT / "pages" / "ui" / name).read_text(encoding="utf-8")
    assert set(HEX.findall(text)) <= {theme.LIGHT.primary, theme.LIGHT.slots[0], "#fff"}


def test_every_colour_that_a_stylesheet_names_is_there():
    given = set(re.findall(r"--rs-[\w-]+(?=:)", custom_properties()))
    used = {}
    for path in (ROOT / "pages").rglob("*.*"):
        if path.suffix in (".py", ".css", ".html"):
            for name in re.findall(r"var\((--rs-[\w-]+)\)", path.read_text(encoding="utf-8")):
                used[name] = path.name
    assert used and not {name: place for name, place in used.items() if name not in given}


def test_the_stylesheet_is_nothing_but_style():
    """Else Streamlit gives it a place on the page."""
    sheet = stylesheet()
    assert sheet.startswith("<style>") and sheet.endswith("</style>") and sheet.count("<") == 2


def test_a_grade_beyond_the_hues_shares_them_out():
    assert [theme.grade_level(g, 4) for g in (0, 1, 2, 3, 4)] == [0, 1, 2, 3, 4]
    assert [theme.grade_level(g, 8) for g in (0, 4, 8)] == [0, 2, 4]
    assert [theme.grade_colour(i, 3) for i in range(3)] == list(theme.GRADE_COLOURS[:3])
    assert theme.grade_colour(9, 10) == theme.GRADE_COLOURS[-1]
