"""Charts in hand: the run under the pointer is lit everywhere, the toolbar is one stop."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.visit import SMALL, TWO, await_drawn, await_finished, await_idle, troubles, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# How a table of Streamlit paints a number and a name: the same picture as of these words, or not.
ALIKE = """([one, other]) => {
  const pictures = [one, other].map((text) => {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillText(text, 5, 20);
    return canvas.toDataURL();
  });
  return pictures[0] === pictures[1];
}"""
FADED = "group => group.style.filter.includes('opacity')"


def test_a_run_under_the_pointer_is_lit_in_every_chart_and_in_the_table(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    await_drawn(page)
    await_idle(page)
    charts = page.locator(".js-plotly-plot")
    expect(charts).to_have_count(3)
    row = page.locator("table.runs").first.locator("tbody tr").nth(1)
    row.locator("td").nth(2).hover()
    for number in range(3):
        faded = charts.nth(number).locator(".scatterlayer .trace").evaluate_all(f"all => all.map({FADED})")
        assert any(faded) and not all(faded), faded
    expect(page.locator(".chip.lit")).to_have_count(1)
    page.locator("p.headline").hover()
    expect(page.locator(".lit")).to_have_count(0)
    # And from a line in a chart: its middle, wherever that is.
    line = charts.nth(1).locator(".scatterlayer .trace path.js-line").last
    at = line.evaluate(
        """path => { const p = path.getPointAtLength(path.getTotalLength() / 2), m = path.getScreenCTM();
                     const at = new DOMPoint(p.x, p.y).matrixTransform(m); return [at.x, at.y]; }"""
    )
    page.mouse.move(*at)
    expect(page.locator("table.runs tr:has(.lit)")).to_have_count(1)
    expect(page.locator(".chip.lit")).to_have_count(1)
    # The toolbar of a chart is one stop of the Tab key, and the arrow keys go along it.
    buttons = charts.first.locator(".modebar-btn")
    assert buttons.count() > 1
    assert buttons.evaluate_all("all => all.filter(button => button.tabIndex === 0).length") == 1
    buttons.first.focus()
    page.keyboard.press("ArrowRight")
    expect(buttons.nth(1)).to_be_focused()
    assert buttons.evaluate_all("all => all.map(button => button.tabIndex)")[1] == 0
    # Numbers in tables have a typographic minus, names and dates stay as they are.
    assert page.evaluate(ALIKE, ["-0.25", "−0.25"]) and page.evaluate(ALIKE, ["-1.5e-7", "−1.5e−7"])
    assert not page.evaluate(ALIKE, ["-link", "−link"])
    assert troubles(page) == []
