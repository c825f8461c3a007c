"""Inspect in a real browser: clicks on bars, views, a phone."""

from __future__ import annotations

from tests.browser.visit import await_idle

LINK = (
    "data.cubic..cubic-n_queries.60..cubic-n_docs.10..cubic-n_features.6"
    "..r0.MPBoost.n_rounds.40..r1.McRank.n_trees.5..score_at.last"
)


def open_inspect(page, server, more=""):
    page.goto(f"{server}/inspect?s={LINK}{more}")
    page.wait_for_selector(".st-key-importance .js-plotly-plot .bars path", state="attached")
    await_idle(page)


def test_a_click_on_a_bar_looks_into_its_feature(page, server):
    open_inspect(page, server, "..look_run.0")
    page.wait_for_selector(".st-key-shape .js-plotly-plot")
    names = page.evaluate("document.querySelector('.st-key-importance .js-plotly-plot').data[0].customdata")
    wanted = names[-2]
    bars = page.locator(".st-key-importance .js-plotly-plot .bars .point")
    box = bars.nth(len(names) - 2).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function(f"location.search.includes('look_feature.{wanted}')")
    title = "document.querySelector('.st-key-shape .js-plotly-plot')?.layout.xaxis.title.text"
    page.wait_for_function(f"{title} == '{wanted}'")


def test_views_of_a_forest(page, server):
    open_inspect(page, server, "..look_run.1")
    for view, key in (("Class probabilities", "classes"), ("Bins", "csv-bins"), ("Trees", "tree")):
        page.locator("[data-testid=stButtonGroup] button", has_text=view).click()
        page.wait_for_selector(f".st-key-{key}")
        await_idle(page)
        assert not page.locator('[data-testid="stException"]').count()


def test_on_a_phone_nothing_scrolls_sideways(browser, server):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = context.new_page()
    open_inspect(page, server)
    wide = page.evaluate(
        "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".map(e => e.scrollWidth - e.clientWidth)"
    )
    assert max(wide) <= 0
    context.close()
