"""The browser's history: each step is a link, and Back and Forward bring the state that belongs to it."""

from __future__ import annotations

import os
import random
import re
import signal
import threading
import time
from contextlib import contextmanager, nullcontext

import pytest
from playwright.sync_api import expect

from tests.browser.visit import (
    LONG,
    SMALL,
    TWO,
    await_finished,
    await_idle,
    button,
    go_to,
    names,
    set_number,
    troubles,
    visit,
)

pytestmark = pytest.mark.browser

DEPTHS = (3, 4, 5, 6, 7)


def state_of(page):
    """What is on screen of what a link says: depth, baseline, runs."""
    depth = page.locator(".st-key-ndcg-k input").input_value()
    baseline = page.locator("[class*='st-key-base-'] button:disabled").first.text_content()
    return depth, baseline, names(page)


def await_state(page, depth, runs):
    expect(page.locator(".st-key-ndcg-k input")).to_have_value(str(depth))
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_count(runs)
    await_idle(page)


def type_depths(page):
    """Set the depth several times, each a step of the history; return the address of each."""
    steps = [page.url]
    for depth in DEPTHS:
        set_number(page, "ndcg-k", depth)
        expect(page).to_have_url(re.compile(rf"ndcg-k\.{depth}\b"))
        steps.append(page.url)
    await_idle(page)
    return steps


def test_each_change_is_one_step_and_has_its_state(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    before = page.evaluate("history.length")
    steps = type_depths(page)
    assert page.evaluate("history.length") == before + len(DEPTHS)
    for url, depth in zip(reversed(steps[:-1]), [*reversed(DEPTHS[:-1]), 10], strict=True):
        page.go_back()
        expect(page).to_have_url(url)
        await_state(page, depth, 2)
        assert page.url == url
    for url, depth in zip(steps[1:], DEPTHS, strict=True):
        page.go_forward()
        expect(page).to_have_url(url)
        await_state(page, depth, 2)
        assert page.url == url
    assert page.evaluate("history.length") == before + len(DEPTHS) and troubles(page) == []


def test_a_change_after_back_takes_the_place_of_what_lay_ahead(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    steps = type_depths(page)
    page.go_back()
    await_state(page, DEPTHS[-2], 2)
    page.wait_for_timeout(1100)  # what the page says within a second of Back is no new step: see history.js
    set_number(page, "ndcg-k", 9)
    expect(page).to_have_url(re.compile(r"ndcg-k\.9\b"))
    page.evaluate("history.forward()")
    await_state(page, 9, 2)
    page.go_back()
    expect(page).to_have_url(steps[-2])
    await_state(page, DEPTHS[-2], 2)


LATE = """link => new Promise(done => {
  window.addEventListener("popstate", () => setTimeout(() => {
    history.replaceState({}, "", link);
    history.pushState({}, "", link);
    done();
  }, 100), { once: true });
  history.go(-2);
})"""


def test_what_a_run_says_that_was_under_way_at_back_changes_no_step(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    steps = type_depths(page)
    page.evaluate(LATE, steps[-1])
    expect(page).to_have_url(steps[-3])
    await_state(page, DEPTHS[-3], 2)
    urls = page.evaluate("navigation.entries().map(entry => entry.url)")
    assert urls[-len(steps) :] == steps and page.url == steps[-3]


def test_the_apps_own_links_are_one_tidy_step(page, server):
    """A link of the app says `via` and may carry a recipe for the form: neither stays in the history."""
    visit(page, server, "/shapes", f"{SMALL}..{TWO}")
    await_finished_shapes(page)
    start, steps = page.url, page.evaluate("history.length")
    page.locator(".st-key-use-ddf").get_by_role("link").click()
    page.wait_for_url("**/compare?*")
    expect(page.locator(".st-key-new-MPBoost-ddf, .st-key-train").first).to_be_visible()
    await_idle(page)
    there = page.url
    assert "via" not in there and "form." not in there and there.count("s=") == 1
    assert page.evaluate("history.length") == steps + 1
    page.go_back()
    page.wait_for_url("**/shapes?*")
    await_idle(page)
    assert page.url == start
    page.go_forward()
    page.wait_for_url("**/compare?*")
    await_idle(page)
    assert page.url == there and troubles(page) == []


def await_finished_shapes(page):
    page.locator(".js-plotly-plot").first.wait_for()
    expect(page.locator("[class*='st-key-stop-']")).to_have_count(0)
    await_idle(page)


@contextmanager
def held_up(server):
    """Let a server stand still for moments, as on a machine that is busy with other things."""
    over, draw = threading.Event(), random.Random(5)

    def hold():
        while not over.wait(draw.uniform(0, 1)):
            os.kill(server.process.pid, signal.SIGSTOP)
            time.sleep(draw.uniform(0, 3))
            os.kill(server.process.pid, signal.SIGCONT)

    holding = threading.Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        over.set()
        holding.join()


def test_a_storm_of_back_and_forward_while_a_run_trains(page, live_server):
    """Whatever is pressed, however fast, and however slow: in the end the state is that of the address."""
    visit(page, live_server.url, "/compare", f"data.cubic..{LONG}")
    expect(page.locator("[class*='st-key-stop-']").first).to_be_visible()
    steps = type_depths(page)
    depths, at, draw = (10, *DEPTHS), len(DEPTHS), random.Random(7)
    length = page.evaluate("history.length")
    for storm in range(3):
        with held_up(live_server) if storm else nullcontext():
            for _ in range(12):
                there = draw.choice([i for i in range(len(steps)) if i != at])
                page.evaluate(f"history.go({there - at})")
                page.wait_for_timeout(draw.choice((0, 30, 150)))
                at = there
        await_rest(page)
        assert page.url in steps, f"storm {storm}: the page has gone on to an address of its own"
        at = steps.index(page.url)  # a browser drops steps that are asked for while another one is under way
        expect(page.locator(".st-key-ndcg-k input")).to_have_value(str(depths[at]))
        assert page.get_by_test_id("stException").count() == 0
    # The history is whole: each step is where it was, and it is no longer than the steps made.
    for there in range(len(steps)):
        page.evaluate(f"history.go({there - at})")
        expect(page).to_have_url(steps[there])
        expect(page.locator(".st-key-ndcg-k input")).to_have_value(str(depths[there]))
        await_rest(page)
        at = there
    assert page.evaluate("history.length") == length
    button(page, "remove-0").click()
    expect(page.locator("[class*='st-key-stop-']")).to_have_count(0)


def await_rest(page):
    """Wait until the address and the page have come to rest: the panel of jobs polls on."""
    same, last = 0, None
    while same < 8:
        now = (page.url, page.locator(".st-key-ndcg-k input").input_value())
        same, last = (same + 1 if now == last else 0), now
        page.wait_for_timeout(100)


def test_page_hops_and_changes_come_back_in_order(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    set_number(page, "ndcg-k", 3)
    expect(page).to_have_url(re.compile(r"ndcg-k\.3"))
    await_idle(page)
    first = page.url
    go_to(page, "Rankings")
    page.wait_for_url("**/rankings?*")
    await_idle(page)
    button(page, "base-1").click()
    expect(page).to_have_url(re.compile(r"rankings.*base\.1"))
    await_idle(page)
    last, there = page.url, state_of(page)
    page.go_back()
    expect(page).not_to_have_url(re.compile(r"base\.1"))
    page.go_back()
    page.wait_for_url("**/compare?*")
    await_state(page, 3, 2)
    assert page.url == first
    page.go_forward()
    page.wait_for_url("**/rankings?*")
    page.go_forward()
    expect(page).to_have_url(last)
    expect(button(page, "base-1")).to_be_disabled()
    await_idle(page)
    assert state_of(page) == there
