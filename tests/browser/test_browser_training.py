"""Training under a visitor's eyes: the curve grows, Stop stops, reloads and closed tabs waste nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests import live
from tests.browser.visit import (
    LONG,
    SMALL,
    TWO,
    await_finished,
    await_idle,
    button,
    go_to,
    is_busy,
    names,
    private_window,
    set_number,
    table,
    troubles,
    visit,
    wait_until,
)

pytestmark = pytest.mark.browser

GRACE = 8.0  # seconds, after the 3 or so that Streamlit takes to notice a closed tab


def jobs(page):
    return page.get_by_test_id("stSidebar").locator("[class*='st-key-job-']")


def await_rounds(page, more_than=0):
    """Wait until the training on screen is past a round, and return the round it is at."""
    wait_until(lambda: round_of(page) > more_than, "the training does not go on")
    return round_of(page)


def round_of(page):
    texts = jobs(page).all_inner_texts()
    found = re.search(r"round (\d+) of", texts[0].replace(",", "")) if texts else None
    page.wait_for_timeout(50)
    return int(found[1]) if found else 0


def test_the_first_run_of_an_empty_page_is_followed_to_its_end(page, server):
    """It takes the place of "No run yet.": what stands below in the sidebar, and looks, has moved."""
    visit(page, server, "/compare", f"{SMALL}..runs.none")
    expect(page.locator("p.headline")).to_have_text("No run yet.")
    await_idle(page)
    set_number(page, "new-MPBoost-n_rounds", 38)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator("p.headline")).to_have_text("MPBoost 38 rounds is trained.")
    assert table(page)[0][7] == "38" and not troubles(page)


def test_a_run_is_added_trained_and_compared(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    set_number(page, "new-MPBoost-n_rounds", 37)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_count(3)
    await_finished(page)
    expect(page.locator("table.runs").first.locator("tbody tr")).to_have_count(3)
    rows = table(page)
    assert rows[2][0].endswith("37 rounds") and rows[2][7] == "37"
    assert "..r2.MPBoost.size.0_6.n_rounds.37" in page.url
    assert troubles(page) == []


def test_stop_keeps_the_part_and_the_processor_rests(page, live_server):
    visit(page, live_server.url, "/compare", f"data.cubic..{LONG}")
    stopped_at = await_rounds(page, 20)
    chart = page.locator(".st-key-compare-loss .js-plotly-plot")
    line = chart.locator(".scatterlayer .trace path.js-line").first
    line.wait_for(state="attached")  # it grows before one's eyes
    look = line.evaluate("node => [node.style.stroke, node.style.strokeDasharray]")
    expect(page.locator("table.runs tbody tr").first).to_contain_text(re.compile("round [0-9,]+ of 10,000"))
    page.get_by_role("button", name="Stop", exact=True).click()
    said = page.get_by_test_id("stSidebar").get_by_text("cancelled at round")
    expect(said).to_be_visible()
    assert int(re.search(r"round (\d+)", said.inner_text())[1]) >= stopped_at
    expect(page.locator("table.runs tbody tr").first).to_contain_text("cancelled at round")
    trace = page.locator(".js-plotly-plot .scatterlayer .trace path.js-line").first
    expect(trace).to_be_attached()  # the part of the curve is still there
    await_idle(page)
    assert chart.count() == 1 and not page.locator("canvas, .vega-embed").count()  # no other kind of picture
    assert line.evaluate("node => [node.style.stroke, node.style.strokeDasharray]") == look
    expect(page.locator("p.headline")).to_contain_text(re.compile("epochs, stopped"))
    wait_until(lambda: not is_busy(live_server.process.pid), "the processor goes on")
    # It does not begin again by itself, not on another page either.
    go_to(page, "Overview")
    await_idle(page)
    assert jobs(page).count() == 0
    page.get_by_role("button", name="Train again").click()
    await_rounds(page)
    button(page, "remove-0").click()
    expect(jobs(page)).to_have_count(0)


def test_the_page_stays_usable_while_it_trains(page, server):
    visit(page, server, "/compare", f"data.cubic..r1.MPBoost.n_rounds.10..{LONG}")
    first = await_rounds(page)
    set_number(page, "ndcg-k", 3)
    expect(page.get_by_text("NDCG@3 by round")).to_be_visible()
    go_to(page, "Overview")
    expect(page.get_by_text("trains methods that learn to rank")).to_be_visible()
    assert await_rounds(page, first) > first  # the same training, not a new one
    button(page, "remove-0").click()
    expect(jobs(page)).to_have_count(0)


def test_a_reload_trains_nothing_twice_and_a_closed_tab_nothing_at_all(browser, tmp_path):
    with live.serve(tmp_path) as own:
        with private_window(browser) as page:
            visit(page, own.url, "/compare", f"data.cubic..{LONG}")
            before = await_rounds(page, 30)
            page.reload()
            page.get_by_role("button", name="Copy link").wait_for()
            after = await_rounds(page, 0)
            assert after > before  # it goes on where it was
            expect(jobs(page)).to_have_count(1)
            page.wait_for_timeout(1000 * (GRACE + 6))  # the first session is given up by now
            assert await_rounds(page, after) > after
        wait_until(lambda: not is_busy(own.process.pid), "a closed tab goes on training")
        assert own.alive


def test_others_queue_and_see_their_place(browser, tmp_path):
    with live.serve(tmp_path) as own, private_window(browser) as page:
        runs = "..".join(f"r{i}.MPBoost.n_rounds.{99000 + i}" for i in range(5))
        visit(page, own.url, "/compare", f"data.cubic..{runs}")
        await_rounds(page)
        texts = " ".join(jobs(page).all_inner_texts())
        assert "1st in the queue" in texts and "in the queue" in texts
        expect(jobs(page)).to_have_count(5)


def test_the_same_run_comes_from_the_store_at_once(browser, tmp_path):
    with live.serve(tmp_path) as own, private_window(browser) as page:
        visit(page, own.url, "/compare", f"{SMALL}..{TWO}")
        await_finished(page)
        first = table(page)
    stored = list(tmp_path.rglob("runs-*/*.json"))
    assert len(stored) == 2
    stored[0].write_bytes(stored[0].read_bytes()[:-20])  # a damaged entry is trained again
    with live.serve(tmp_path) as own, private_window(browser) as page:
        visit(page, own.url, "/compare", f"{SMALL}..{TWO}")
        await_finished(page)
        assert table(page) == first and len(names(page)) == 2
        assert "is dropped" in own.log.read_text(errors="replace")
