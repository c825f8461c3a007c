"""Rankings in a real browser: a click on a bar, lists checked by hand, themes, keyboard, a phone."""

from __future__ import annotations

import math
import re

import pytest

from tests.browser.visit import await_idle

LINK = "data.cubic..cubic-n_queries.120..cubic-n_docs.12..cubic-n_features.6..ndcg-k.5..rank_whole.1"
RUNS = "r0.MPBoost.ddf.binary.n_rounds.30..r1.MPBoost.n_rounds.30..r2.GBT.n_trees.20"

READ = """() => [...document.querySelectorAll(".ranked")].map((list) => ({
  slot: Number(list.dataset.slot), value: list.querySelector(".value b").textContent,
  rows: [...list.querySelectorAll("li")].map((li) => ({
    doc: Number(li.dataset.doc), rank: Number(li.querySelector(".rank").textContent),
    grade: Number(li.querySelector(".grade").textContent),
    shift: li.querySelector(".shift")?.textContent ?? "",
    score: li.querySelector(".score")?.textContent ?? "", tied: !!li.querySelector(".score i"),
  })),
}))"""


def open_rankings(page, server, link=f"{LINK}..{RUNS}"):
    page.goto(f"{server}/rankings?s={link}")
    page.wait_for_function("document.querySelectorAll('.ranked li').length >= 4 * 12")
    page.wait_for_selector(".st-key-rank-bars .js-plotly-plot .bars path")
    page.wait_for_function("!document.body.innerText.includes('Compiling')")
    await_idle(page)


def query_of(page):
    return page.locator("h3.panel", has_text="“").first.inner_text()


def other_query(page, old):
    """Wait until another query is on screen, and return it."""
    from playwright.sync_api import expect

    heading = page.locator("h3.panel", has_text="“").first
    expect(heading).not_to_have_text(old)
    await_idle(page)
    return heading.inner_text()


def click_bar(page, place):
    """Click in the column of a bar, near the top: also a bar without height can be hit."""
    left, width, low, high, y = page.evaluate("""() => {
      const plot = document.querySelector(".st-key-rank-bars .js-plotly-plot"), full = plot._fullLayout;
      const box = plot.getBoundingClientRect(), x = full.xaxis;
      return [box.x + x._offset, x._length, x.range[0], x.range[1], box.y + full.yaxis._offset + 8];
    }""")
    page.mouse.click(left + width * (place - low) / (high - low), y)


def dcg(rows, k):
    """Return the DCG of a list as one would by hand: documents of one score share their ranks."""
    total, at = 0.0, 0
    while at < min(k, len(rows)):
        end = at + 1
        while rows[at]["tied"] and end < len(rows) and rows[end]["score"] == rows[at]["score"]:
            end += 1
        gain = sum(2 ** row["grade"] - 1 for row in rows[at:end]) / (end - at)
        total += gain * sum(1 / math.log2(j + 2) for j in range(at, min(end, k)))
        at = end
    return total


def shift_of(text):
    moved = re.match(r"(▲|▼) (\d+)", text.strip())
    return 0 if moved is None else int(moved[2]) * (1 if moved[1] == "▲" else -1)


def by_hand(lists):
    """Check NDCG@5 from the grades on screen, and every shift against the ranks on screen."""
    assert [x["slot"] for x in lists] == [-1, 0, 1, 2]
    ideal, base = lists[0], lists[1]
    grades = [row["grade"] for row in ideal["rows"]]
    assert grades == sorted(grades, reverse=True)
    reference = {row["doc"]: row["rank"] for row in base["rows"]}
    best = dcg(ideal["rows"], 5)
    for one in lists[1:]:
        assert sorted(row["grade"] for row in one["rows"]) == sorted(grades)
        assert [row["rank"] for row in one["rows"]] == list(range(1, 13))
        for row in one["rows"]:
            assert shift_of(row["shift"]) == reference[row["doc"]] - row["rank"]
        value = dcg(one["rows"], 5) / best if best else 0.0
        assert f"{value:.4f}" == one["value"], one


def test_a_click_on_a_bar_shows_lists_that_add_up(page, server):
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_rankings(page, server)
    won, tied, lost, total = map(
        int, re.findall(r"\d+", page.locator("p.tally").inner_text().partition("·")[0])
    )
    assert won + tied + lost == total == 24
    by_hand(page.evaluate(READ))
    seen = [query_of(page)]
    for place in (20, 3, 12, 7):
        click_bar(page, place)
        seen.append(other_query(page, seen[-1]))
        by_hand(page.evaluate(READ))
    assert len(set(seen)) == 5 and "rank_query." in page.url and not errors


def test_the_same_bar_can_be_clicked_after_the_box_took_another_query(page, server):
    open_rankings(page, server)
    worst = query_of(page)
    click_bar(page, 5)
    sixth = other_query(page, worst)
    page.get_by_role("combobox", name="Query").focus()
    page.keyboard.type(worst.strip("“”"), delay=40)
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("Enter")
    another = other_query(page, sixth)
    click_bar(page, 5)
    assert other_query(page, another) == sixth


def test_the_slider_moves_the_lists_by_keyboard_and_is_in_the_link(page, server):
    open_rankings(page, server)
    slider = page.locator(".st-key-rank-rounds").get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_function(
        "document.querySelector('.ranked[data-slot=\"1\"]').innerText.includes('round 0 of')"
    )
    await_idle(page)
    lists = page.evaluate(READ)
    assert all(row["tied"] for x in lists[1:3] for row in x["rows"]) and [
        r["doc"] for r in lists[1]["rows"]
    ] == list(range(1, 13))
    page.keyboard.press("End")
    page.wait_for_function(
        "document.querySelector('.ranked[data-slot=\"1\"]').innerText.includes('round 30 of 30')"
    )
    await_idle(page)
    assert "rank_round.30" in page.url
    by_hand(page.evaluate(READ))
    shown = page.evaluate(READ)
    page.get_by_role("link", name="Compare").first.click()
    page.wait_for_selector("table.runs")
    page.get_by_role("link", name="Rankings").first.click()
    page.wait_for_selector(".ranked li")
    await_idle(page)
    assert page.evaluate(READ) == shown
    page.reload()
    open_rankings(page, server, page.url.partition("?s=")[2])
    assert page.evaluate(READ) == shown


def test_a_click_in_the_slope_chart_asks_why(page, server):
    open_rankings(page, server)
    points = page.locator(".st-key-rank-slopes .js-plotly-plot .points path")
    title = page.locator("h3.panel", has_text="Why is")
    before = title.inner_text()
    points.nth(5).click(force=True)
    page.wait_for_function(
        "old => [...document.querySelectorAll('h3.panel')].some("
        "(h) => h.textContent.startsWith('Why is') && h.textContent !== old)",
        arg=before,
    )
    await_idle(page)
    assert "rank_doc." in page.url
    assert page.locator(".ranked li.chosen").count() == 4


@pytest.mark.parametrize("width, scheme", [(390, "light"), (390, "dark"), (1366, "dark")])
def test_nothing_scrolls_sideways(browser, server, width, scheme):
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    open_rankings(page, server)
    wide = page.evaluate("""() => [...document.querySelectorAll("*")].filter((e) =>
      e.scrollWidth > e.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(e).overflowX)
      && e.closest("[data-testid=stMain]")).map((e) => e.className || e.tagName)""")
    assert page.evaluate("document.documentElement.scrollWidth") <= width and not wide
    charts = page.locator("[data-testid=stPlotlyChart]")
    assert charts.count() == 4
    context.close()
