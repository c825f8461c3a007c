"""Shapes in a real browser: a slider and its curve, an edited cell, the way into a run, a phone."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import expect

from tests.browser.visit import await_idle, await_still

LINK = "data.tiny..runs.none"

CURVE = """(name) => {
  const plot = document.querySelector(".st-key-ddf .js-plotly-plot");
  const trace = plot?._fullData?.find((t) => t.name === name);
  return trace ? [trace.x.at(-1), trace.y.at(-1)] : null;
}"""
HEAT = """() => [...document.querySelectorAll("table.heat tbody tr")].map(
  (row) => [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent.replace("−", "-"))))"""


def open_shapes(page, server, *words):
    page.goto(f"{server}/shapes?s=" + "..".join([LINK, *words]))
    settled(page)


def settled(page):
    page.wait_for_selector(".js-plotly-plot .main-svg")
    await_idle(page)


def test_a_slider_moves_curve_table_and_link(page, server, browser):
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    open_shapes(page, server, "shape_ddf.ldd")
    x, y = page.evaluate(CURVE, "LDD")
    assert y == pytest.approx(0.2 * x)
    slider = page.locator(".st-key-shape_alpha input[type=range]").last
    for wanted in ("0.21", "0.22", "0.23"):
        slider.press("ArrowRight")
        expect(slider).to_have_value(wanted)
    page.wait_for_function(f"Math.abs(({CURVE})('LDD')?.[1] / ({CURVE})('LDD')?.[0] - 0.23) < 1e-9")
    page.wait_for_function("location.search.includes('shape_alpha.0_23')")
    settled(page)
    heat = page.evaluate(HEAT)
    assert heat[4][0] == 0.92 and heat[0][4] == -0.92 and heat[2][1] == 0.23
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    other = context.new_page()
    other.goto(page.url)
    settled(other)
    assert other.evaluate(CURVE, "LDD") == page.evaluate(CURVE, "LDD") and other.evaluate(HEAT) == heat
    context.close()
    assert not wrong


def test_the_exact_value_goes_into_a_run_and_stays(page, server):
    open_shapes(page, server, "shape_ddf.logdd", "shape_lam.2_37")
    page.get_by_role("link", name="Use in a run").click()
    page.wait_for_selector(".st-key-add-run")
    holds = "[...document.querySelectorAll('.st-key-add-run input')].some((i) => i.value === '2.37')"
    page.wait_for_function(holds)
    page.wait_for_function("location.search.split('s=').length === 2")  # one link, not two
    page.get_by_role("button", name="Train", exact=True).click()
    page.wait_for_function("location.search.includes('r0.MPBoost.lam.2_37')")
    expect(page.locator("[data-testid=stSidebar] .chip")).to_have_count(1)
    page.go_back()
    expect(page.locator("[data-testid=stSidebar] .chip")).to_have_count(0)
    page.go_back()
    page.wait_for_url("**/shapes?*")
    settled(page)
    x, y = page.evaluate(CURVE, "LOGDD")
    assert y == pytest.approx(math.log(1 + 2.37 * x))


def test_an_edited_cell_changes_its_mirror_image(page, server):
    open_shapes(page, server, "shape_ddf.table")
    grid = page.locator("[data-testid=stDataFrame] canvas").first
    grid.wait_for()
    await_idle(page)
    await_still(page, "[data-testid=stDataFrame] canvas")
    box = grid.bounding_box()
    row, column = 3, 1  # the cell of grade 3 over grade 1; the head and the column of grades come first
    height, width = box["height"] / 6, box["width"] / 6
    page.mouse.dblclick(box["x"] + width * (column + 1.6), box["y"] + height * (row + 1.5))
    page.locator("#portal input").first.fill("2.75")
    page.keyboard.press("Enter")
    page.wait_for_function(f"({HEAT})().flat().filter((v) => Math.abs(v) === 2.75).length === 2")
    heat = page.evaluate(HEAT)
    assert heat[3][1] == 2.75 and heat[1][3] == -2.75
    page.wait_for_function("location.search.includes('shape_table.')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("part", ["distances", "losses", "gains"])
def test_a_phone_scrolls_down_only(browser, server, part, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    open_shapes(page, server, f"shape_part.{part}")
    wide = page.evaluate("""() => {
      const main = document.querySelector('[data-testid="stMain"]');
      return [document.documentElement.scrollWidth <= innerWidth, main.scrollWidth <= main.clientWidth];
    }""")
    assert wide == [True, True]
    context.close()
