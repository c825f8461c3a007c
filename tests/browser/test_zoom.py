"""What charts outlive: a zoom another theme, but no other picture; a narrow window both, and back."""

from __future__ import annotations

import pytest

from tests.browser.visit import SMALL, TWO, await_drawn, await_finished, await_idle, names, troubles, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CHART = ".st-key-compare-curve .js-plotly-plot"
RANGE = f"""() => {{
  const axis = document.querySelector("{CHART}")?._fullLayout?.xaxis;
  return axis && axis.range.map((end) => Math.round(end * 1000) / 1000);
}}"""
ANEW = f"""() => {{
  const plot = document.querySelector("{CHART}");
  return plot?._fullData && !plot.dataset.before && plot.querySelector(".modebar-btn");
}}"""


def drawn_anew(page, do):
    """Do something that draws the chart anew, and wait until it has."""
    page.evaluate(f"""() => {{ document.querySelector("{CHART}").dataset.before = "yes"; }}""")
    do()
    page.wait_for_function(ANEW)
    await_idle(page)


def zoom(page):
    """Drag over the middle half of the chart; returns the range then."""
    whole = page.evaluate(RANGE)
    page.locator(CHART).scroll_into_view_if_needed()
    box = page.locator(f"{CHART} .nsewdrag").first.bounding_box()
    x, y, width, height = (box[side] for side in ("x", "y", "width", "height"))
    page.mouse.move(x + width / 4, y + height / 4)
    page.mouse.down()
    page.mouse.move(x + width * 3 / 4, y + height * 3 / 4, steps=8)
    page.mouse.up()
    page.wait_for_function(f"(whole) => JSON.stringify(({RANGE})()) !== JSON.stringify(whole)", arg=whole)
    zoomed = page.evaluate(RANGE)
    assert whole[0] < zoomed[0] < zoomed[1] < whole[1]
    return whole, zoomed


@pytest.fixture
def compared(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    await_drawn(page)
    await_idle(page)
    yield page
    assert troubles(page) == []


def test_another_theme_keeps_a_zoom(compared):
    page = compared
    whole, zoomed = zoom(page)
    for scheme in ("dark", "light"):
        drawn_anew(page, lambda scheme=scheme: page.emulate_media(color_scheme=scheme))
        page.wait_for_function(f"(zoomed) => ({RANGE})()[0] === zoomed[0]", arg=zoomed)
        assert page.evaluate(RANGE) == zoomed
    page.locator(f"{CHART} .nsewdrag").first.dblclick()  # and the whole is still known
    page.wait_for_function(f"(whole) => ({RANGE})()[0] === whole[0]", arg=whole)
    drawn_anew(page, lambda: page.emulate_media(color_scheme="dark"))
    assert page.evaluate(RANGE) == whole


def test_another_theme_keeps_what_the_legend_hides(page, server):
    runs = "..".join(f"r{slot}.MPBoost.n_rounds.{5 + slot}" for slot in range(7))  # too many for labels
    visit(page, server, "/compare", f"{SMALL}..{runs}")
    await_finished(page)
    await_drawn(page)
    await_idle(page)
    hidden = f"""() => document.querySelector("{CHART}").data
      .filter((trace) => trace.visible === "legendonly").length"""
    page.locator(f"{CHART} .legendtoggle").nth(2).click()
    page.wait_for_function(f"() => ({hidden})() === 1")
    drawn_anew(page, lambda: page.emulate_media(color_scheme="dark"))
    page.wait_for_function(f"() => ({hidden})() === 1")
    assert troubles(page) == []


def test_a_zoom_does_not_come_back_in_another_picture(compared):
    page = compared
    whole, zoomed = zoom(page)
    drawn_anew(page, lambda: page.emulate_media(color_scheme="dark"))
    page.wait_for_function(f"(zoomed) => ({RANGE})()[0] === zoomed[0]", arg=zoomed)
    # Another part of the data, another picture under the same key; and then the first one again.
    split = page.locator(".st-key-curve_split")
    drawn_anew(page, lambda: split.get_by_role("radio", name="train").click())
    assert page.evaluate(RANGE) == whole
    drawn_anew(page, lambda: split.get_by_role("radio", name="test").click())
    assert page.evaluate(RANGE) == whole
    # And where the data change while another theme is on its way.
    zoom(page)
    drawn_anew(page, lambda: page.emulate_media(color_scheme="light"))
    page.wait_for_function(f"(whole) => ({RANGE})()[0] !== whole[0]", arg=whole)


# How much of a chart's width its axes have, which names stand at its lines' ends, and which in its legend.
LAID_OUT = f"""() => {{
  const plot = document.querySelector("{CHART}"), axes = plot?.querySelector(".nsewdrag");
  return axes && [
    axes.getBoundingClientRect().width / plot.getBoundingClientRect().width,
    ...[".annotation", ".legendtext"].map((kind) =>
      [...plot.querySelectorAll(kind)].map((name) => name.textContent)),
  ];
}}"""


def test_in_a_narrow_window_names_stand_below_the_lines(compared):
    page = compared
    called = names(page)
    share, ends, legend = page.evaluate(LAID_OUT)
    assert len(ends) == 2 and legend == []
    whole, zoomed = zoom(page)
    # The name of an end beyond the axes waits at their edge.
    page.wait_for_function(f"() => ({LAID_OUT})()?.[1].length === 2")
    assert page.evaluate(LAID_OUT)[1] == ends

    def await_legend(where):
        page.wait_for_function(f"() => ({LAID_OUT})()?.[2].length === 2")
        await_idle(page)
        found, nowhere, said = page.evaluate(LAID_OUT)
        assert said == called and nowhere == [] and found > 0.75 > share, where

    page.set_viewport_size({"width": 390, "height": 844})
    await_legend("turned to narrow")
    assert page.evaluate(RANGE) == zoomed
    drawn_anew(page, lambda: page.emulate_media(color_scheme="dark"))
    page.wait_for_function(f"(zoomed) => ({RANGE})()[0] === zoomed[0]", arg=zoomed)
    await_legend("in another theme")
    page.set_viewport_size({"width": 1366, "height": 900})
    page.wait_for_function(f"() => ({LAID_OUT})()?.[1].length === 2")
    await_idle(page)
    assert page.evaluate(LAID_OUT) == [pytest.approx(share, abs=0.01), ends, []]
    assert page.evaluate(RANGE) == zoomed
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    await_legend("drawn narrow")
    assert page.evaluate(RANGE) == whole


# Each time that plotly lays a chart of the run's curves out, it sets the width of its pictures.
LAID = f"""() => {{
  const set = Element.prototype.setAttribute;
  window.laid = [];
  Element.prototype.setAttribute = function (name, value) {{
    if (name === "width" && this.matches("{CHART} .main-svg:first-child")) laid.push(Number(value));
    return set.call(this, name, value);
  }};
}}"""


def test_a_chart_with_other_data_is_drawn_once_and_as_wide_as_before(compared):
    page = compared
    width = page.evaluate(f"""() => document.querySelector("{CHART}").layout.width""")
    colour = f"""() => getComputedStyle(document.querySelector("{CHART} .xtick text")).fill"""
    light = page.evaluate(colour)
    page.evaluate(LAID)
    drawn_anew(page, lambda: page.locator(".st-key-base-1 button").locator("visible=true").first.click())
    assert page.evaluate("() => laid") == [width] * 2  # and once more for its margins
    for scheme in ("dark", "light", "dark", "light"):  # and each theme is another picture
        drawn_anew(page, lambda scheme=scheme: page.emulate_media(color_scheme=scheme))
        assert (page.evaluate(colour) == light) == (scheme == "light")
    page.set_viewport_size({"width": 1200, "height": 900})
    page.wait_for_function(
        f"""(width) => document.querySelector("{CHART}").layout.width < width""", arg=width
    )
