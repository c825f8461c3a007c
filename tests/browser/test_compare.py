"""Compare in a real browser: the numbers of table and curves, folds, files, a phone."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests import live
from tests.browser.visit import (
    SMALL,
    TWO,
    await_drawn,
    await_finished,
    await_idle,
    await_progress,
    button,
    names,
    private_window,
    set_number,
    table,
    troubles,
    visit,
    wait_until,
)

pytestmark = pytest.mark.browser
THREE = f"{TWO}..r4.GBT.n_trees.15"


def open_compare(page, server, more=""):
    visit(page, server, "/compare", "..".join(filter(None, (SMALL, THREE, more))))
    await_finished(page)
    await_drawn(page)
    await_idle(page)


def figure(page, key):
    """Return a chart's lines by name, and its layout."""
    plot = page.locator(f".st-key-{key} .js-plotly-plot")
    traces = plot.evaluate(
        "g => g._fullData.map(t => ({name: t.name, mode: t.mode, x: [...t.x], y: [...t.y],"
        " colour: (t.line || {}).color, dash: (t.line || {}).dash, bar: !!(t.error_y && t.error_y.visible)}))"
    )
    lines = {t["name"]: t for t in traces if t["mode"].startswith("lines") and len(t["x"]) > 1}
    return lines, traces, plot.evaluate("g => ({x: g.layout.xaxis, y: g.layout.yaxis})")


def test_the_table_says_what_the_curves_say_and_another_baseline_flips_it(page, server):
    open_compare(page, server)
    before = table(page)
    tested, _, _ = figure(page, "compare-curve")
    page.locator(".st-key-curve_split").get_by_text("valid").click()
    expect(page).to_have_url(re.compile(r"curve_split\.valid"))
    await_idle(page)
    wait_until(lambda: figure(page, "compare-curve")[0] != tested, "the curves do not change")
    watched, _, _ = figure(page, "compare-curve")
    for row, name in zip(before, names(page), strict=True):
        at = int(row[5])
        assert f"{tested[name]['y'][at]:.4f}" == row[1] and tested[name]["x"][at] == at
        assert f"{max(watched[name]['y']):.4f}" == row[4] == f"{watched[name]['y'][at]:.4f}"
        assert f"{watched[name]['y'][-1]:.4f}" == row[6]
    base = names(page)[0]
    for row, name in zip(before[1:], names(page)[1:], strict=True):
        at, other = int(row[5]), int(before[0][5])
        difference = tested[name]["y"][at] - tested[base]["y"][other]
        assert row[2].split()[1].replace("−", "-") == f"{difference:+.4f}"
    button(page, "base-1").click()
    expect(page.locator("table.runs tbody tr").nth(1)).to_contain_text("baseline")
    expect(page.locator("table.runs tbody tr").first).not_to_contain_text("baseline")
    after = table(page)
    swapped = before[1][2].translate(str.maketrans("▲▼+−", "▼▲−+"))
    assert after[0][2] == swapped and after[1][2] == "–"
    assert troubles(page) == []


def test_a_click_on_a_columns_head_sorts_and_another_turns_it(page, server):
    open_compare(page, server)
    given, runs = table(page), page.locator("table.runs").first

    def head(name, side):
        """Wait until the table is sorted by a column, and return its head's button."""
        pressed = runs.locator("thead th").filter(has=page.locator(f"[data-sort={name}]"))
        expect(pressed).to_have_attribute("aria-sort", side)
        expect(pressed.locator("button")).to_contain_text({"ascending": "▲", "descending": "▼"}[side])
        expect(runs.locator("[aria-sort]")).to_have_count(1)
        return pressed.locator("button")

    runs.locator("[data-sort=test]").click()
    expect(page).to_have_url(re.compile(r"table_by\.test"))
    pressed = head("test", "descending")
    assert table(page) == sorted(given, key=lambda row: float(row[1]), reverse=True)
    expect(pressed).to_be_focused()  # though the table is another
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"table_down\.0"))
    pressed = head("test", "ascending")
    assert table(page) == sorted(given, key=lambda row: float(row[1]))
    runs.locator("[data-sort=run]").focus()
    page.keyboard.press("Space")
    head("run", "ascending")
    assert table(page) == sorted(given, key=lambda row: row[0])
    page.get_by_role("button", name="Columns").click()
    expect(page.locator(".st-key-pick-table_by input")).to_have_value("Run")  # the menu knows
    page.keyboard.press("Escape")
    page.go_back()
    head("test", "ascending")
    page.go_back()
    head("test", "descending")
    assert table(page) == sorted(given, key=lambda row: float(row[1]), reverse=True)
    assert troubles(page) == []


PLACE = """(plot, [name, round]) => {
  const line = plot._fullData.find((trace) => trace.name === name && trace.x.length > 1);
  const { xaxis, yaxis } = plot._fullLayout, box = plot.querySelector(".nsewdrag").getBoundingClientRect();
  return [box.x + xaxis.d2p(round), box.y + yaxis.d2p(line.y[line.x.indexOf(round)])];
}"""


def test_hovering_the_curve_at_its_best_round_says_the_tables_best(page, server):
    open_compare(page, server, "curve_split.valid")
    chart = page.locator(".st-key-compare-curve .js-plotly-plot")
    for name, row in list(zip(names(page), table(page), strict=True))[:2]:
        page.mouse.move(*chart.evaluate(PLACE, [name, int(row[5])]))
        told = chart.locator(".hoverlayer")
        expect(told.locator(".legendtitletext")).to_have_text(row[5])
        expect(told.locator(".legendtext").filter(has_text=name)).to_have_text(f"{name} : {row[4]}")
    assert troubles(page) == []


def test_the_system_turns_dark_and_nothing_typed_or_chosen_is_lost(page, server):
    open_compare(page, server)
    page.locator(".st-key-curve_split").get_by_text("valid").click()
    page.locator(".st-key-loss_split").get_by_text("all", exact=True).click()
    expect(page).to_have_url(re.compile(r"loss_split\.all"))
    button(page, "base-1").click()
    expect(page).to_have_url(re.compile(r"base\.1"))
    set_number(page, "new-MPBoost-size", 0.8)
    await_idle(page)
    page.locator(".st-key-new-MPBoost-n_rounds input").fill("37")  # half typed: no Enter yet
    address, rows, lines = page.url, table(page), list(figure(page, "compare-curve")[0])
    light = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".stApp")).not_to_have_css("background-color", light)
    await_idle(page)
    assert page.url == address and table(page) == rows
    assert list(figure(page, "compare-curve")[0]) == lines
    expect(page.locator(".st-key-new-MPBoost-size input")).to_have_value("0.8")
    expect(page.locator(".st-key-new-MPBoost-n_rounds input")).to_have_value("37")
    expect(page.locator(".st-key-curve_split").get_by_role("radio", name="valid")).to_be_checked()
    page.get_by_role("button", name="Train", exact=True).click()
    await_progress(page, lambda: len(names(page)) == 4, "the run is not added")
    expect(page).to_have_url(re.compile(r"MPBoost\.size\.0_8\.n_rounds\.37"))
    assert troubles(page) == []


def test_folds_are_drawn_with_intervals_and_stay_in_the_link(browser, page, server):
    open_compare(page, server)
    page.locator(".st-key-pick-repeat").get_by_text("All folds").click()
    expect(page).to_have_url(re.compile(r"repeat\.folds"))
    expect(page.locator("table.runs").first).to_contain_text("mean of 5 folds")
    wait_until(lambda: len(re.findall("±", str(table(page)))) == 3, "the folds are not trained")
    await_idle(page)
    expect(page.locator("p.verdict")).to_contain_text("The test queries of all 5 folds count together")
    expect(page.locator(".st-key-compare-curve .legend").first).to_contain_text("± 1 standard deviation")
    _, traces, _ = figure(page, "compare-curve")
    assert sum(t["bar"] for t in traces) == 3  # bands of three would cover one another
    page.locator(".st-key-layout").get_by_text("Side by side").click()
    expect(page).to_have_url(re.compile(r"layout\.multiples"))
    titles = ".st-key-compare-curve .annotation-text"
    expect(page.locator(titles)).to_have_count(3 + 2)  # a picture for each run, and the axes' titles
    rows, said = table(page), page.locator("p.headline").inner_text()
    with private_window(browser) as other:
        visit(other, server, page.url.removeprefix(server).partition("?")[0], page.url.partition("?s=")[2])
        wait_until(lambda: table(other) == rows, "the link shows other numbers")
        assert other.locator("p.headline").inner_text() == said
        expect(other.locator(titles)).to_have_count(3 + 2)
    assert troubles(page) == []


def test_stopping_the_folds_keeps_what_is_trained(page, tmp_path):
    with live.serve(tmp_path) as own:  # nothing is in its store, also when this is run once more
        stop_the_folds(page, own.url)


def stop_the_folds(page, server):
    visit(page, server, "/compare", f"{SMALL}..r0.MPBoost.n_rounds.4000..repeat.folds")
    stop = page.get_by_test_id("stSidebar").locator("[class*='st-key-stop-all-'] button").first
    await_progress(page, stop.is_visible, "its own training does not end")
    growing = page.locator("p.note[role=status]").filter(has_text="folds: round")
    await_progress(page, growing.is_visible, "the folds do not begin")
    stop.click()
    note = page.get_by_text(re.compile(r"stopped: \d of 5 folds are trained"))
    await_progress(page, note.is_visible, "the folds are not stopped")
    await_progress(page, lambda: not page.locator("[class*='st-key-stop-']").count(), "something still runs")
    page.get_by_role("button", name="Train the rest").click()
    row = page.locator("table.runs tbody tr").first
    await_progress(page, lambda: "±" in row.inner_text(), "the rest is not trained")
    assert troubles(page) == []


def test_a_run_can_be_taken_along_and_copied(page, server):
    open_compare(page, server, "one_run.0")
    page.get_by_role("button", name="Take it along").click()
    texts = {}
    for kind in ("py", "json", "run", "qrels"):
        with page.expect_download() as waiting:
            button(page, f"take-{kind}").click()
        texts[waiting.value.suggested_filename] = waiting.value.path().read_text(encoding="utf-8")
    assert set(texts) == {f"mpboost-binary-20-rounds.{kind}" for kind in ("py", "json", "run", "qrels")}
    told = json.loads(texts["mpboost-binary-20-rounds.json"])
    row = table(page)[0]
    assert f"{told['runs'][0]['test']:.4f}" == row[1] and told["runs"][0]["round_compared"] == int(row[5])
    assert "ltr.MPBoost(ddf='binary', n_rounds=20)" in texts["mpboost-binary-20-rounds.py"]
    assert len(texts["mpboost-binary-20-rounds.run"].splitlines()) == 12 * 8
    page.keyboard.press("Escape")
    button(page, "act-copy").click()
    expect(page.get_by_test_id("stToast")).to_contain_text("is in the form")
    expect(page.locator(".st-key-new-MPBoost-n_rounds input")).to_have_value("20")
    with page.expect_download() as waiting:
        button(page, "csv-compare-curve").click()
    lines = waiting.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0] == "slot,run,split,iteration,value" and len(lines) == 1 + 21 + 26 + 16
    assert troubles(page) == []


TEN = "..".join(f"r{i}.MPBoost.n_rounds.{i + 3}" for i in range(10))


@pytest.mark.parametrize("more", [THREE, f"{THREE}..repeat.folds..layout.multiples", TEN])
def test_on_a_phone_nothing_scrolls_sideways(browser, server, more):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    try:
        page = visit(context.new_page(), server, "/compare", f"{SMALL}..{more}")
        await_finished(page)
        await_drawn(page)
        await_idle(page)
        wide = page.evaluate(
            "() => [document.scrollingElement, ...document.querySelectorAll('[data-testid=stMain], .scroll')]"
            ".map(e => e.scrollWidth - e.clientWidth)"
        )
        assert len(wide) == 4 and max(wide) <= 0, wide
    finally:
        context.close()


def test_ten_runs_have_a_dash_and_a_marker_each(page, server):
    visit(page, server, "/compare", f"{SMALL}..{TEN}")
    await_finished(page)
    await_drawn(page)
    await_idle(page)
    _, traces, _ = figure(page, "compare-curve")
    entries = [t for t in traces if t["mode"] == "lines+markers"]
    assert [t["name"] for t in entries] == names(page)
    legend = page.locator(".st-key-compare-curve .legend .traces")
    expect(legend).to_have_count(10)
    assert page.locator(".st-key-compare-curve .legend .legendpoints path").count() == 10
