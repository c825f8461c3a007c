"""Any chart as a picture: PNG and SVG, light, with title, definition and legend, made in the browser."""

from __future__ import annotations

import struct

from playwright.sync_api import expect

from tests.browser.visit import SMALL, TWO, await_finished, await_idle, troubles, visit


def test_a_chart_is_saved_as_png_and_svg_from_the_dark_theme(browser, server):
    context = browser.new_context(viewport={"width": 1366, "height": 900}, color_scheme="dark")
    page = visit(context.new_page(), server, "/compare", f"{SMALL}..{TWO}..ndcg-k.5")
    await_finished(page)
    await_idle(page)
    page.locator(".st-key-image-compare-curve button").first.click()
    expect(page.locator(".st-key-image-print .main-svg").first).to_be_visible()
    for kind in ("png", "svg"):
        with page.expect_download() as waiting:
            page.locator(f".images [data-kind={kind}]").click()
        assert waiting.value.suggested_filename == f"compare-curve.{kind}"
        content = waiting.value.path().read_bytes()
        if kind == "png":
            plot = page.locator(".st-key-image-print .js-plotly-plot")
            shown = plot.evaluate("plot => [plot._fullLayout.width, plot._fullLayout.height]")
            assert list(struct.unpack(">II", content[16:24])) == [2 * side for side in shown]
        else:
            text = content.decode()
            assert text.startswith("<svg") and "#14171c" not in text and "rgb(232, 234, 237)" not in text
            for words in ("NDCG@5 by round", "gain 2", "on test", "LOGDD", "BINARY"):
                assert words in text, words
    assert not troubles(page)
    context.close()
