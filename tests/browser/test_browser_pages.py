"""Overview and Compare as a visitor finds them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from pages.ui.app.site import APART, PAGES
from tests import live
from tests.browser.visit import (
    SMALL,
    TWO,
    await_drawn,
    await_finished,
    await_idle,
    button,
    go_to,
    names,
    private_window,
    table,
    troubles,
    visit,
    wait_until,
)

pytestmark = pytest.mark.browser


def test_a_fresh_visitor_finds_a_drawn_comparison(page, server):
    visit(page, server)
    await_finished(page)
    await_drawn(page)
    assert names(page) == ["BINARY · scale 1", "LDD", "LOGDD", "LOGITDD", "BINARY · scale 0.6"]
    expect(page.locator("p.headline")).to_contain_text("over BINARY · scale 1, better on")
    assert page.get_by_test_id("stAlert").filter(has_text="error").count() == 0
    assert troubles(page) == []
    assert page.url.rstrip("/") == server  # the start has the shortest link of all


def test_all_that_is_on_screen_answers(page, server):
    """Open a preset, train a second algorithm, read which is better: at most five clicks."""
    visit(page, server)
    await_finished(page)
    page.locator(".st-key-card-mcrank").get_by_role("link", name="Open this comparison").click()  # 1
    expect(page.get_by_text("What differs")).to_be_visible()
    page.locator(".st-key-new").get_by_role("combobox").click()  # 2
    page.get_by_role("option", name="MPBoost", exact=True).click()  # 3
    expect(page.locator(".st-key-add-run")).to_contain_text("distance")
    page.get_by_role("button", name="Train", exact=True).click()  # 4
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_count(5)
    await_finished(page)
    rows = table(page)
    assert rows[-1][0].startswith("MPBoost") and rows[-1][2][0] in "▲▼=" and "p" in rows[-1][3]
    assert troubles(page) == []


def test_the_first_visitor_of_a_server_may_come_by_a_link(browser, tmp_path):
    """Streamlit runs a page without app.py then: the page has to find its frame."""
    with live.serve(tmp_path) as fresh, private_window(browser) as page:
        visit(page, fresh.url, "/compare", f"{SMALL}..{TWO}")
        await_finished(page)
        expect(page.get_by_text("What differs")).to_be_visible()
        assert len(names(page)) == len(table(page)) == 2
        assert troubles(page) == []


def test_light_and_dark_show_the_same(browser, server):
    texts = {}
    for scheme in ("light", "dark"):
        with private_window(browser, color_scheme=scheme) as page:
            visit(page, server, "/compare", f"{SMALL}..{TWO}")
            await_finished(page)
            await_drawn(page)
            back = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
            ink = page.evaluate("getComputedStyle(document.querySelector('p.headline')).color")
            texts[scheme] = table(page), page.locator("p.headline").inner_text()
            assert _contrast(back, ink) > 7
            labels = page.locator(".js-plotly-plot .annotation-text").all_inner_texts()
            assert len(labels) == 6  # two runs in three pictures
    assert texts["light"] == texts["dark"]


def _contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        channels = [int(c) / 255 for c in colour[colour.index("(") + 1 : -1].split(",")[:3]]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


# Whether a page scrolls down only, and the words that are not whole: cut by the window or what they stand in,
# where neither a scrollbar nor a title on hover shows the rest.
CUT = """() => {
  const main = document.querySelector("[data-testid=stMain]"), edge = main.getBoundingClientRect();
  const wide = [document.scrollingElement, main].map((e) => e.scrollWidth - e.clientWidth);
  const whole = (words, box) => {
    let { left, right } = edge;
    for (let around = words; around !== main; around = around.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(around), own = around.getBoundingClientRect();
      if (["auto", "scroll"].includes(overflowX) || clipPath !== "none" || around.title) return true;
      if (overflowX !== "visible") { left = Math.max(left, own.left); right = Math.min(right, own.right); }
    }
    return box.left >= left - 1 && box.right <= right + 1;
  };
  const range = document.createRange();
  const cut = [...main.querySelectorAll("*")].filter((e) => {
    if (![...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) return false;
    range.selectNodeContents(e);
    const box = range.getBoundingClientRect();
    return box.width && e.checkVisibility({ visibilityProperty: true }) && !whole(e, box);
  });
  return [Math.max(...wide) <= 0, cut.map((e) => e.textContent)];
}"""


def test_zoomed_to_200_percent_and_on_a_telephone_every_page_is_whole(browser, server):
    context = browser.new_context(viewport={"width": 683, "height": 450}, device_scale_factor=2)
    try:
        page = context.new_page()
        page.goto(f"{server}?s={SMALL}..{TWO}")
        await_finished(page)
        links = page.get_by_test_id("stSidebarNavLink")  # too narrow for a line of names at the top
        expect(links).to_have_count(len(PAGES) - len(APART))
        for width, height in ((683, 450), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            for link in links.all():
                link.dispatch_event("click")
                await_idle(page)
                told = f"{page.url} at {width} pixels"
                wait_until(lambda: page.evaluate(CUT) == [True, []], told)
    finally:
        context.close()


def test_the_keyboard_reaches_the_actions(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    reached = set()
    for _ in range(200):  # a page drawn anew lets go of the focus: once around may not be enough
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "() => { const e = document.activeElement;"
                " const box = e.closest('[class*=st-key-]');"
                " const key = box ? [...box.classList].find(c => c.startsWith('st-key-')) : '';"
                " return key + '|' + (e.innerText || e.ariaLabel || ''); }"
            )
        )
    keys = {text.partition("|")[0].removeprefix("st-key-") for text in reached}
    assert {"data", "measure", "base-1", "copy-0", "remove-1", "train", "new", "loss_split"} <= keys
    assert any("Copy link" in text for text in reached) and any("Compare" in text for text in reached)
    # and they work from it
    button(page, "remove-1").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_count(1)


def test_pages_hop_without_loss(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    page.locator(".st-key-curve_split").get_by_text("valid").click()
    expect(page).to_have_url(re.compile(r"curve_split\.valid"))
    go_to(page, "Overview")
    expect(page.get_by_text("trains methods that learn to rank")).to_be_visible()
    assert "curve_split.valid" in page.url
    go_to(page, "Compare")
    expect(page.get_by_text("What differs")).to_be_visible()
    expect(page.locator(".st-key-curve_split").get_by_role("radio", name="valid")).to_be_checked()
    assert troubles(page) == []


NAMED = "..".join(
    f"r{slot}.MPBoost.ddf.logitdd.n_rounds.{n}.binning.{cuts}.step.newton.shrinkage.{shrinkage}"
    for slot, (n, cuts, shrinkage) in enumerate(
        (n, cuts, shrinkage)
        for n in (15, 12)
        for cuts in ("quantile", "length")
        for shrinkage in ("0_5", "0_25")
    )
    if slot < 6
)
SHORTENED = """() => [...document.querySelectorAll(".chip, .ranked header p")]
  .filter((one) => one.getBoundingClientRect().right > 0)  // the sidebar of a telephone is folded away
  .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.innerText)"""
LABELS = """() => [...document.querySelectorAll(".js-plotly-plot")].map((plot) =>
  plot.layout.annotations.filter((note) => (note.name || "").startsWith("slot-")).map((note) => note.text))"""


@pytest.mark.parametrize("width", [1366, 390])
def test_six_long_names_are_told_apart_and_nothing_scrolls_sideways(page, server, width):
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, server, "/compare", f"{SMALL}..{NAMED}")
    await_finished(page)
    await_idle(page)
    labels = [texts for texts in page.evaluate(LABELS) if texts]
    assert labels and all(len(set(texts)) == 6 for texts in labels), labels
    for path in ("Compare", "Rankings"):
        if path == "Rankings":
            page.goto(page.url.replace("/compare", "/rankings"))
            page.locator(".ranked").first.wait_for()
            await_idle(page)
        assert not page.evaluate(SHORTENED)
        main = page.get_by_test_id("stMain")
        assert main.evaluate("one => one.scrollWidth <= one.clientWidth")
