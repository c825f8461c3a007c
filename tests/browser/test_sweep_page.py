"""Sweep in a real browser: estimate, live progress, Stop, the store, Compare, files, small screens."""

from __future__ import annotations

import csv
import json
import re

import pytest
from playwright.sync_api import expect

import ltr_core as ltr
from tests import live
from tests.browser.visit import (
    SMALL,
    await_finished,
    button,
    go_to,
    names,
    private_window,
    set_number,
    table,
    troubles,
    visit,
    wait_until,
)

pytestmark = pytest.mark.browser

RUN = "r0.MPBoost.n_rounds.10"
LOGDD = """document.querySelector(".st-key-ddf .js-plotly-plot")?._fullData
  .find((trace) => trace.name === "LOGDD").y.at(-1) ?? 0"""


def escaped(text):
    return "".join(c if c.isalnum() or c == "-" else "".join(f"_{b:02X}" for b in c.encode()) for c in text)


def sweep_of(recipe, axes):
    words = json.dumps(axes, separators=(",", ":"))
    return f"sweep_start.{escaped(recipe)}..sweep_axes.{escaped(words)}"


def headline(page):
    return page.locator("p.headline").first


def await_report(page):
    expect(page.locator(".st-key-sweep-send")).to_be_visible()
    expect(headline(page)).to_contain_text("on validation")


def download(page, key, folder):
    with page.expect_download() as info:
        button(page, key).click()
    path = folder / info.value.suggested_filename
    info.value.save_as(path)
    return path


def test_estimate_live_progress_stop_and_the_rest(page, server):
    space = sweep_of("MPBoost.n_rounds.10000", {"lam": [0.1, 10, 40, 1]})
    visit(page, server, "/sweep", f"{SMALL}..{RUN}..{space}")
    expect(
        page.get_by_text(re.compile(r"40 points, 40 fits; one fit takes about .* on \d+ core"))
    ).to_be_visible()
    button(page, "start-sweep").click()
    progress = page.get_by_text(re.compile(r"[1-9]\d* of 40 fits done.* left"))
    expect(progress.first).to_be_visible()
    expect(page.locator(".st-key-live-picture .js-plotly-plot .scatterlayer .trace").first).to_be_attached()
    # The page is not blocked meanwhile, and the sweep goes on while one looks elsewhere.
    go_to(page, "Compare")
    await_finished_compare(page)
    expect(page.get_by_test_id("stSidebar").get_by_text(re.compile(r"fit \d+ of 40"))).to_be_visible()
    go_to(page, "Sweep")
    button(page, "stop-sweep").click()
    await_report(page)
    kept = int(re.search(r"best of (\d+) point", headline(page).inner_text())[1])
    assert 1 <= kept < 40
    expect(button(page, "start-sweep")).to_contain_text("Continue")
    expect(page.get_by_text(re.compile(rf"40 fits, {kept} of them finished"))).to_be_visible()
    assert troubles(page) == []


def await_finished_compare(page):
    expect(page.get_by_test_id("stSidebar").locator(".chip")).to_have_count(1)
    expect(page.locator("table.runs").first).to_be_visible()


def test_the_best_point_opens_in_compare_with_the_identical_number(page, server, browser, tmp_path):
    link = f"{SMALL}..{RUN}..{sweep_of('MPBoost', {'lam': [0.1, 10, 4, 1], 'n_rounds': [5, 30, 4, 0]})}"
    visit(page, server, "/sweep", link)
    button(page, "start-sweep").click()
    await_report(page)
    said = headline(page).inner_text()
    valid, test = re.search(r"(0\.\d{4}) on validation", said)[1], re.search(r"On test: (0\.\d{4})", said)[1]
    rounds = re.search(r"rounds (\d+)", said)[1]
    # The file of the fits: a row for each fit of each point; the sweep's own file is the library's.
    rows = list(csv.DictReader(download(page, "csv-sweep-fits", tmp_path).read_text().splitlines()))
    assert len(rows) == 16 and len({row["fit"] for row in rows}) == 4
    sweep = ltr.load_sweep(download(page, "sweep-file", tmp_path))
    assert f"{sweep.best_value:.4f}" == valid and f"{sweep.test_value:.4f}" == test
    assert sorted(float(row["value"]) for row in rows) == sorted(sweep.table["value"])
    # The same sweep again, in another window: at once, nothing is started.
    with private_window(browser) as other:
        visit(other, server, "/sweep", link)
        await_report(other)
        assert headline(other).inner_text() == said
        expect(other.get_by_text("This sweep is finished")).to_be_visible()
        expect(button(other, "start-sweep")).to_be_disabled()
    page.locator(".dvn-scroller").first.click(position={"x": 16, "y": 90})  # the second row
    expect(page.get_by_role("link", name="Open 1 picked point in Compare")).to_be_visible()
    page.locator(".dvn-scroller").first.click(position={"x": 16, "y": 90})
    page.get_by_role("link", name="Open the best point in Compare").click()
    wait_until(lambda: len(names(page)) == 2, "the point does not join the runs")
    await_finished(page)
    row = table(page)[1]
    assert row[1] == test and row[4] == valid and row[7] == rounds
    page.go_back()
    await_report(page)
    assert headline(page).inner_text() == said and len(names(page)) == 1
    assert troubles(page) == []


def test_a_sweep_of_the_library_opens_in_the_page(page, server, tmp_path):
    data = ltr.split(ltr.datasets.make("cubic", n_queries=60, n_docs=8, n_features=5))
    path = tmp_path / "night.jsonl"
    wanted = ltr.sweep(
        "GBT", {"n_leaves": [4, 8, 16], "learning_rate": [0.1, 0.3]}, data, fixed={"n_trees": 10}, store=path
    )
    visit(page, server, "/sweep", f"{SMALL}..{RUN}")
    page.get_by_text("Open a sweep’s file").click()
    page.locator(".st-key-sweep-upload input[type=file]").set_input_files(path)
    expect(page.get_by_text("From night.jsonl: GBT (regression), 6 fits.")).to_be_visible()
    expect(headline(page)).to_contain_text(f"NDCG@10 {wanted.best_value:.4f} on validation")
    expect(page.locator(".st-key-sweep-picture .heatmaplayer image").first).to_be_attached()
    page.get_by_role("link", name="Open the best point in Compare").click()
    wait_until(lambda: len(names(page)) == 2, "the point does not join the runs")
    await_finished(page)
    assert table(page)[1][6] == f"{wanted.best_value:.4f}"
    go_to(page, "Sweep")
    button(page, "close-sweep").click()
    expect(page.get_by_text("Which value is best")).to_be_visible()
    broken = tmp_path / "broken.jsonl"
    broken.write_text(path.read_text().replace("rankscope-sweep", "something-else"))
    page.get_by_text("Open a sweep’s file").click()
    page.locator(".st-key-sweep-upload input[type=file]").set_input_files(broken)
    expect(page.get_by_text("broken.jsonl, line 1: not a line of a sweep")).to_be_visible()
    assert str(tmp_path) not in page.content()


def test_settings_survive_hops_back_forward_and_the_link(page, server, browser):
    visit(page, server, "/sweep", f"{SMALL}..{RUN}..{sweep_of('MPBoost', {'lam': [0.1, 10, 4, 1]})}")
    set_number(page, "axis-MPBoost-lam-low", 0.25)
    expect(page.get_by_text("0.25 · ")).to_be_visible()
    wait_until(lambda: "0_2E25" in page.url, "the link does not follow")
    for title in ("Shapes", "Sweep"):
        go_to(page, title)
    expect(page.locator(".st-key-axis-MPBoost-lam-low input")).to_have_value("0.25")
    with private_window(browser) as other:
        other.goto(page.url)
        expect(other.locator(".st-key-axis-MPBoost-lam-low input")).to_have_value("0.25")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_scrolls_sideways_on_a_phone(browser, server, scheme):
    with private_window(browser, color_scheme=scheme) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        space = sweep_of("MPBoost", {"lam": [0.1, 10, 4, 1], "n_rounds": [5, 30, 4, 0]})
        page.goto(f"{server}/sweep?s={SMALL}..{RUN}..{space}")
        start = button(page, "start-sweep")
        expect(start).to_be_visible()
        if start.is_enabled():
            start.click()
        expect(page.locator(".st-key-sweep-send")).to_be_visible()
        main = page.get_by_test_id("stMain")
        assert main.evaluate("m => m.scrollWidth <= m.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_while_one_sweeps_the_other_is_served(browser, tmp_path):
    with live.serve(tmp_path) as own, private_window(browser) as one, private_window(browser) as two:
        space = sweep_of("MPBoost.n_rounds.5000", {"lam": [0.1, 10, 200, 1]})
        visit(one, own.url, "/sweep", f"{SMALL}..{RUN}..{space}")
        button(one, "start-sweep").click()
        expect(one.get_by_text(re.compile(r"\d+ of 200 fits done|Starting")).first).to_be_visible()
        visit(two, own.url, "/compare", f"{SMALL}..{RUN}..r1.MPBoost.ddf.ldd.n_rounds.10")
        await_finished(two)  # a training does not wait for the sweep
        set_number(two, "ndcg-k", 3)
        expect(two.get_by_text("NDCG@3 by round")).to_be_visible()
        go_to(two, "Shapes")
        slider, heat = two.locator(".st-key-shape_lam input[type=range]").last, two.locator("table.heat td")
        two.locator(".st-key-ddf .js-plotly-plot .main-svg").first.wait_for()
        before, cells = two.evaluate(LOGDD), heat.all_inner_texts()
        slider.press("End")  # curve and table follow
        wait_until(lambda: two.evaluate(LOGDD) > before, "the curve stays where it was")
        expect(heat).not_to_have_text(cells)
        expect(one.locator(".st-key-stop-sweep")).to_be_visible()
        assert own.alive
