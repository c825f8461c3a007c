"""Papers in a real browser: a card by link and by hand, Run and Stop, Back, files, small screens."""

from __future__ import annotations

import csv
import re

import pytest
from playwright.sync_api import expect

from ltr_core import PAPERS
from tests.browser.visit import await_idle, button, private_window, troubles, visit

pytestmark = pytest.mark.browser

CARD = "data.tiny..runs.none..exhibit."


def card(page):
    return page.locator("h3.panel").first


def test_a_card_runs_and_a_link_restores_it(page, server, browser, tmp_path):
    visit(page, server, "/papers", f"{CARD}mpboost-theorem1..mpboost-theorem1-n_rounds.90")
    expect(card(page)).to_contain_text("Theorem 1.")
    verdicts = page.locator("ul.verdicts li")
    expect(verdicts).to_have_count(4)  # it came by a link: it runs by itself
    expect(verdicts.first).to_contain_text("holds here")
    expect(page.locator(".st-key-exhibit-run")).to_contain_text("Computed here")
    with page.expect_download() as info:
        button(page, "csv-mpboost-theorem1-0").click()
    info.value.save_as(tmp_path / "theorem.csv")
    with open(tmp_path / "theorem.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    result = PAPERS["mpboost"].exhibits["theorem1"].run(n_rounds=90)
    assert [float(row["value"]) for row in rows] == result.charts[0].frame["value"].to_list()
    told = verdicts.all_inner_texts()
    page.locator("[class*='st-key-image-picture-'] button").first.click()
    expect(page.locator(".st-key-image-print .main-svg").first).to_be_visible()
    with page.expect_download() as info:
        page.locator(".images [data-kind=svg]").click()
    drawn = info.value.path().read_text()
    assert "MPBoost, Theorem 1" in drawn and "Computed here: web2-like" in drawn
    assert "Set otherwise: rounds 90." in drawn
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-image-print")).to_have_count(0)

    page.locator(".st-key-exhibits label").filter(has_text="Figure 2").click()
    expect(card(page)).to_contain_text("Figure 2.")
    await_idle(page)
    page.go_back()
    expect(card(page)).to_contain_text("Theorem 1.")
    address = page.url
    with private_window(browser) as other:
        other.goto(address)
        expect(other.locator("ul.verdicts li")).to_have_count(4)
        assert other.locator("ul.verdicts li").all_inner_texts() == told
    assert not troubles(page)


def test_run_stop_and_a_small_screen(page, server):
    visit(page, server, "/papers", f"{CARD}mpboost-fig5")
    expect(card(page)).to_contain_text("Figure 5.")
    expect(page.locator(".st-key-exhibit-run")).to_contain_text("Stored with the program")
    expect(page.locator("ul.verdicts li").first).to_be_visible()  # at once
    button(page, "exhibit-start").click()
    button(page, "exhibit-stop").click()
    expect(button(page, "exhibit-start")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    await_idle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("link", name=re.compile("Open in Compare")).click()
    expect(page.locator("[class*='st-key-chip-']").first).to_be_attached()
    assert not troubles(page)


def test_nothing_of_a_wide_card_is_cut(page, server):
    for name in ("mcrank-table1", "mpboost-fig3"):  # what the paper prints is wide, and what is found here
        visit(page, server, "/papers", f"{CARD}{name}")
        expect(page.locator("table.exhibit")).to_have_count(2)
        await_idle(page)
        cut = page.locator("div.scroll, .st-key-exhibit-settings input").evaluate_all(
            "all => all.filter(a => a.scrollWidth > a.clientWidth).map(a => a.value ?? a.innerText)"
        )
        assert not cut
    assert not troubles(page)


def test_of_a_table_that_scrolls_the_first_column_stays(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = visit(context.new_page(), server, "/papers", f"{CARD}mcrank-table1")
    await_idle(page)
    table = page.locator("div.scroll:has(table.exhibit)").filter(has=page.locator("tbody tr")).first
    name = table.locator("tbody tr").first.locator("td").first
    at = name.bounding_box()["x"]
    moved = table.evaluate("all => { all.scrollLeft = 60; return all.scrollLeft; }")
    assert moved == 60 and abs(name.bounding_box()["x"] - at) <= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


OPEN = """row => {
  const open = row.querySelector("label:has(input:checked)").getBoundingClientRect();
  const all = row.getBoundingClientRect();
  return open.left >= all.left - 1 && open.right <= all.right + 1;
}"""


def test_on_a_small_screen_the_open_exhibit_is_in_view(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    last = list(PAPERS["mpboost"].exhibits)[-1]
    page = visit(context.new_page(), server, "/papers", f"{CARD}mpboost-{last}")
    row = page.locator(".st-key-exhibits [role=radiogroup]")
    expect(row.locator("label").last.locator("input")).to_be_checked()
    await_idle(page)
    assert row.evaluate("row => row.scrollWidth > 2 * row.clientWidth") and row.evaluate(OPEN)
    row.locator("label").first.click()
    expect(row.locator("label").first.locator("input")).to_be_checked()
    await_idle(page)
    assert row.evaluate(OPEN)
    page.go_back()
    expect(row.locator("label").last.locator("input")).to_be_checked()
    await_idle(page)
    assert row.evaluate(OPEN)
    context.close()


def test_counts_in_a_stored_note_have_their_comma(page, server):
    visit(page, server, "/papers", f"{CARD}frank-ttest")
    expect(page.locator("p.note").filter(has_text="1,200 test queries")).to_have_count(1)
    assert not troubles(page)
