"""Links: everything on screen is in the URL, and the browser's own buttons work."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visit import (
    SMALL,
    TWO,
    await_finished,
    await_idle,
    button,
    go_to,
    names,
    private_window,
    set_number,
    table,
    troubles,
    visit,
)

pytestmark = pytest.mark.browser


def headline(page):
    return page.locator("p.headline").inner_text()


def test_a_copied_link_opens_the_same_in_a_private_window(browser, server):
    with private_window(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        visit(page, server, "/compare", f"{SMALL}..r0.MPBoost.ddf.ldd.alpha.0_37.n_rounds.13")
        set_number(page, "new-MPBoost-lam", 2.71828)
        page.get_by_role("button", name="Train", exact=True).click()
        expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_count(2)
        await_finished(page)
        button(page, "base-1").click()
        set_number(page, "ndcg-k", 5)
        page.get_by_role("button", name="Axes and units").click()
        page.locator(".st-key-log_rounds label").first.click()
        expect(page).to_have_url(re.compile(r"log_rounds\.1"))
        page.keyboard.press("Escape")
        await_finished(page)
        page.get_by_role("button", name="Copy link").click()
        expect(page.get_by_role("button", name="Link copied")).to_be_visible()
        link = page.evaluate("navigator.clipboard.readText()")
        assert link == page.url
        here = names(page), table(page), headline(page), swatches(page)
    with private_window(browser) as page:
        page.goto("about:blank")
        visit(page, link.partition("?")[0].removesuffix("/compare"), "/compare", link.partition("?s=")[2])
        await_finished(page)
        assert (names(page), table(page), headline(page), swatches(page)) == here
        assert "2.71828" in " ".join(here[0]) and page.url == link
        assert page.locator(".js-plotly-plot .xtitle").first.text_content().startswith("round (log")


def swatches(page):
    return [s.get_attribute("style") for s in page.get_by_test_id("stSidebar").locator(".swatch").all()]


@pytest.mark.parametrize(
    "query",
    [
        "s=%00%ff..r0.MPBoost.lam.x..%F0%9F%98%80",
        "s=" + "zz.1.." * 400,
        "k=banana&data=nonsense&w=<script>",
    ],
)
def test_garbage_in_the_url_is_a_friendly_note_and_defaults(page, server, query):
    page.goto(f"{server}/?{query}")
    expect(page.get_by_test_id("stAlert").filter(has_text="could not be read")).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0
    expect(page.get_by_test_id("stSidebar").locator(".chip").first).to_be_visible()
    expect(page).not_to_have_url(re.compile(re.escape(query[2:12])))  # it is cleaned


def test_a_clean_link_stays_as_it_is(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    assert page.url == f"{server}/compare?s={SMALL}..{TWO}"
    assert page.get_by_test_id("stAlert").count() == 0 and troubles(page) == []


def test_back_and_forward_undo_and_redo(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    set_number(page, "ndcg-k", 3)
    expect(page).to_have_url(re.compile(r"ndcg-k\.3"))
    button(page, "base-1").click()
    expect(page).to_have_url(re.compile(r"base\.1"))
    page.go_back()
    expect(page.locator("table.runs tbody tr").first).to_contain_text("★ baseline")
    assert "base.1" not in page.url and "ndcg-k.3" in page.url
    page.go_back()
    expect(page.get_by_text("NDCG@10 by round")).to_be_visible()
    expect(page.locator(".st-key-ndcg-k input")).to_have_value("10")
    page.go_forward()
    expect(page.get_by_text("NDCG@3 by round")).to_be_visible()
    page.go_forward()
    expect(page.locator("table.runs tbody tr").nth(1)).to_contain_text("★ baseline")


def test_back_and_forward_over_a_link_of_the_app(page, server):
    """Streamlit puts the link's `s` beside the one that was there: the history has one step for both."""
    visit(page, server, "/", f"{SMALL}..{TWO}..ndcg-k.7")
    await_finished(page)
    link, here, steps = page.url, names(page), page.evaluate("history.length")
    card = page.locator(".st-key-card-qbrank").get_by_role("link", name="Open this comparison")
    assert "via=link" in card.get_attribute("href")
    card.click()
    page.wait_for_url("**/compare?*")
    expect(page.get_by_test_id("stSidebar").locator(".chip").filter(has_text="RankSVM")).to_be_visible()
    there, runs = page.url, names(page)
    assert there.count("s=") == 1 and "via" not in there and runs != here
    page.go_back()  # at once, while the page still trains
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_text(here)
    await_idle(page)
    assert page.url == link
    page.go_forward()
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_text(runs)
    await_idle(page)
    assert page.url == there and page.evaluate("history.length") == steps + 1
    page.reload()
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_text(runs)


def test_five_controls_survive_all_pages_and_the_browsers_buttons(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    set_number(page, "ndcg-k", 4)
    expect(page).to_have_url(re.compile("ndcg-k"))
    button(page, "base-1").click()
    expect(page).to_have_url(re.compile("base"))
    page.locator(".st-key-loss_split").get_by_text("valid").click()
    expect(page).to_have_url(re.compile("loss_split"))
    page.locator(".st-key-score_at").get_by_text("at the last round").click()
    expect(page).to_have_url(re.compile("score_at"))
    page.locator(".st-key-all_params label").first.click()
    expect(page).to_have_url(re.compile("all_params"))
    await_idle(page)
    link, rows = page.url.partition("?")[2], table(page)
    for title in page.get_by_test_id("stTopNav").get_by_role("link").all_inner_texts():
        go_to(page, title.split("\n")[-1])
        await_idle(page)
        assert page.url.partition("?")[2] == link, title
    go_to(page, "Compare")
    expect(page.get_by_text("What differs")).to_be_visible()
    await_idle(page)
    assert table(page) == rows
    page.go_back()
    await_idle(page)
    page.go_forward()
    expect(page.get_by_text("What differs")).to_be_visible()
    await_idle(page)
    assert page.url.partition("?")[2] == link and table(page) == rows
    assert page.get_by_test_id("stException").count() == 0


def test_two_tabs_of_one_user_know_nothing_of_each_other(page, server):
    other = page.context.new_page()
    for tab in (page, other):
        visit(tab, server, "/compare", f"{SMALL}..{TWO}")
        await_finished(tab)
    before = names(other)
    set_number(page, "new-MPBoost-n_rounds", 12)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_count(3)
    await_finished(page)
    set_number(other, "ndcg-k", 3)  # it is alive, and is drawn with its own runs
    expect(other.get_by_text("NDCG@3 by round")).to_be_visible()
    await_idle(other)
    assert names(other) == before and "..r2." not in other.url
    for tab, word in ((page, "..r2."), (other, "ndcg-k.3")):
        here = tab.url, names(tab), table(tab)
        tab.reload()
        await_finished(tab)
        assert (tab.url, names(tab), table(tab)) == here and word in tab.url
        assert troubles(tab) == []
