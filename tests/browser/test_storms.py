"""Storms of Back and Forward, hops and changes of data, while it trains: nothing is lost, nothing hangs."""

from __future__ import annotations

import random
from contextlib import suppress

from playwright.sync_api import Error

from tests import live
from tests.browser.visit import SMALL, await_idle, set_number, visit

RUNS = "r0.MPBoost.ddf.binary.n_rounds.20..r1.MPBoost.n_rounds.4000"  # it trains while the storm rages
SETS = ("Cubic polynomial", "Tiny")
GUSTS = ("back", "back", "back", "forward", "forward", "k", "data", "baseline", "page", "there and back")
BACK = "navigation.currentEntry.index > 0 && history.back()"
HOP = """number => {
  const ways = document.querySelectorAll("[data-testid=stTopNav] a");
  ways[number % ways.length]?.click();
}"""
BASE = "number => document.querySelector(`.st-key-base-${number} button:not([disabled])`)?.click()"
# The depth, the number of the baseline and of runs, in the link and on screen.
LOOKS = """() => {
  const said = new URL(location.href).searchParams.get("s") ?? "";
  const base = [0, 1].find(number => document.querySelector(`.st-key-base-${number} button`)?.disabled);
  return {
    link: [said.match(/\\.\\.ndcg-k\\.(\\d+)/)?.[1] ?? "10", said.includes("base.1") ? 1 : 0, 2],
    screen: [document.querySelector(".st-key-ndcg-k input")?.value, base,
      document.querySelectorAll("[data-testid=stSidebar] .chip").length],
  };
}"""
AGREE = f"() => {{ const {{ link, screen }} = ({LOOKS})(); return `${{link}}` === `${{screen}}`; }}"


def blow(page, gust, number):
    """Do one thing, if the page lets it be done at this moment."""
    if gust in ("back", "there and back"):
        if gust != "back":
            page.evaluate(HOP, number)
        page.evaluate(BACK)
    elif gust == "forward":
        page.evaluate("history.forward()")
    elif gust == "page":
        page.evaluate(HOP, number)
    elif gust == "baseline":
        page.evaluate(BASE, number % 2)
    elif gust == "k":
        set_number(page, "ndcg-k", 1 + number % 9)
    else:
        page.locator(".st-key-data input").click()
        page.get_by_role("option", name=SETS[number % 2], exact=True).click()


def in_one_piece(page):
    """The app comes to rest as the link says, and in every step of the history there are the runs it had."""
    page.evaluate("document.activeElement?.blur()")  # a number that is typed and not entered counts
    await_idle(page)
    try:
        page.wait_for_function(AGREE)  # it may take a moment to follow
    except Error:
        raise AssertionError(f"{page.url} has come to rest with {page.evaluate(LOOKS)}") from None
    steps = page.evaluate("navigation.entries().map(entry => new URL(entry.url).searchParams.get('s'))")
    assert all(link and RUNS in link for link in steps), steps


def test_seven_storms_leave_the_app_at_rest_and_its_runs_on_screen(page, server):
    visit(page, server, "/compare", f"{SMALL}..{RUNS}")
    await_idle(page)
    for seed in range(7):
        chance = random.Random(seed)
        page.set_default_timeout(2000)
        for _ in range(8):
            with suppress(Error):  # the control is not there, or covered: a storm goes on
                blow(page, chance.choice(GUSTS), chance.randrange(99))
            page.wait_for_timeout(chance.choice((0, 10, 50, 200)))
        page.set_default_timeout(live.PATIENCE)
        in_one_piece(page)
