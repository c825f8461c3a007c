"""Data in a real browser: files good and bad, use, a phone, nothing lost."""

from __future__ import annotations

import gzip
import re

import pytest

from tests import live, malformed
from tests.browser.visit import await_idle, button

LINK = "data.tiny..r0.MPBoost.ddf.binary.n_rounds.5..r1.MPBoost.ddf.ldd.n_rounds.5"
GOOD = "\r\n".join(f"{d % 3} qid:{q} 1:{d * q % 7} 2:{d}" for q in range(12) for d in range(5)).encode()


def open_data(page, server, link=LINK):
    page.goto(f"{server}/data?s={link}")
    page.wait_for_selector(".st-key-use-data")
    page.wait_for_selector(".st-key-data-grades .js-plotly-plot .bars path", state="attached")
    await_idle(page)


def bring(page, name, content):
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.locator('.st-key-upload input[type="file"]').set_input_files(file)


def headline(page):
    return page.locator("[data-testid=stMain] p.headline").inner_text()


def test_a_file_is_brought_looked_at_and_used(page, server):
    errors = []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" and "404" not in m.text else None)
    open_data(page, server)
    bring(page, "mine.txt.gz", gzip.compress(GOOD))
    page.wait_for_function("document.querySelector('p.headline')?.innerText.includes('mine.txt.gz')")
    await_idle(page)
    assert (
        "data.tiny.." in page.url and page.locator(".st-key-use-data button").first.is_enabled()
    )  # looking is not using
    page.get_by_role("button", name="Use this set").click()
    page.wait_for_function("location.search.includes('data.upload_2F')")
    page.wait_for_function("document.querySelector('.st-key-use-data button')?.disabled")
    page.get_by_role("link", name="Compare").click()
    page.wait_for_selector("table.runs tbody td.strong")
    assert "mine.txt.gz" in page.locator("body").inner_text() and not errors
    private = page.context.browser.new_context().new_page()
    private.goto(page.url)
    private.wait_for_selector("text=somebody uploaded")
    assert not private.locator('[data-testid="stException"]').count()
    private.context.close()


BAD = {
    "line 3.txt": (malformed._line(b"1 qid:1 1:abc"), "“abc”, is not a number"),
    "archive.zip": (malformed._zip(), "zip archive"),
    "picture.csv": (b"\x89PNG\r\n\x1a\n" + bytes(100), "PNG picture"),
    "empty.csv": (b"", "empty"),
    "wrong columns.csv": (b"a,b\n1,2\n", "grade"),
    "words.csv": (b"grade,qid,url\n1,1,a.com\n0,1,b.com\n", "leave the column out of the file"),
}


def test_bad_files_are_told_and_nothing_is_lost(page, server):
    open_data(page, server)
    runs = page.locator(".chip").all_inner_texts()
    for name, (content, words) in BAD.items():
        bring(page, name, content)
        page.wait_for_selector(f'h3.panel:has-text("{name} cannot be read")')
        page.wait_for_selector(".st-key-problems-sent table.problems tbody tr")
        await_idle(page)
        told = page.locator(".st-key-problems-sent").inner_text()
        assert words in told and "Traceback" not in page.locator("body").inner_text(), (name, told)
    assert page.locator(".chip").all_inner_texts() == runs and headline(page) == "Tiny"
    first = BAD["line 3.txt"]
    bring(page, "again.txt", first[0])
    page.wait_for_selector('h3.panel:has-text("again.txt cannot be read")')
    await_idle(page)
    cells = page.locator(".st-key-problems-sent tbody tr").first.locator("td").all_inner_texts()
    assert cells[:2] == ["3", "11"]


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(page, server, tmp_path):
    open_data(page, server)
    path = tmp_path / "large.txt"
    with open(path, "wb") as out:
        out.truncate(300 << 20)
    page.locator('.st-key-upload input[type="file"]').set_input_files(path)
    page.wait_for_selector("text=/must be 200/i")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_scrolls_sideways(browser, server, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    open_data(page, server, "data.cubic..cubic-n_queries.60..runs.none")
    wide = page.evaluate(
        "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".map(e => e.scrollWidth - e.clientWidth)"
    )
    assert max(wide) <= 0
    context.close()


def test_a_click_on_a_set_and_back(page, server):
    open_data(page, server)
    page.get_by_text("Cubic polynomial · generated").click()
    page.wait_for_function("document.querySelector('p.headline')?.innerText.startsWith('Cubic')")
    await_idle(page)
    assert re.search(r"data_look\.cubic", page.url)
    page.wait_for_timeout(1200)  # Back within a second of a change is taken for a late message
    page.go_back()
    page.wait_for_function("document.querySelector('p.headline')?.innerText === 'Tiny'")


def test_a_gap_beside_a_file_in_view_is_a_sentence(page, server):
    """The control of what gaps become stands beside the set in view, and once more below what is wrong."""
    open_data(page, server)
    bring(
        page,
        "good.csv",
        b"qid,grade,a\n" + b"".join(b"%d,%d,%d\n" % (q, d % 3, d) for q in range(12) for d in range(5)),
    )
    page.wait_for_function("document.querySelector('p.headline')?.innerText.includes('good.csv')")
    gappy = b"qid,grade,a\n" + b"".join(
        b"%d,%d,%s\n" % (q, d % 3, b"NaN" if d == 4 else b"1") for q in range(12) for d in range(5)
    )
    bring(page, "gappy.csv", gappy)
    page.wait_for_selector('h3.panel:has-text("gappy.csv cannot be read")')
    for hop in ("Compare", "Data"):
        page.get_by_test_id("stTopNav").get_by_role("link", name=hop).click()
        await_idle(page)
        assert not page.get_by_test_id("stException").count()
        assert not page.get_by_text("something went wrong").count()
    assert headline(page).startswith("good.csv")
    page.locator("[class*='st-key-sent']").get_by_role("combobox").click()
    page.get_by_role("option", name="count as 0", exact=True).click()
    page.wait_for_function("document.querySelector('p.headline')?.innerText.includes('gappy.csv')")


BROKEN = """
import pages.ui.compare.pictures as pictures, pages.ui.session.state as state
def broken(*given, **named): raise RuntimeError("as a test wants it")
pictures.depths = state.set_baseline = broken
"""


def test_no_page_shows_streamlits_own_error_box(page, tmp_path):
    with live.serve(tmp_path / "cache", BROKEN) as server:
        page.goto(f"{server.url}/?s={LINK}")
        said = page.get_by_text("something went wrong in the program")
        said.wait_for()  # a part: the rest is drawn
        page.wait_for_selector(".st-key-overview-curve .js-plotly-plot")
        assert not page.get_by_test_id("stException").count() and page.locator(".chip").count() == 2
        button(page, "base-1").click()  # a callback: the page is drawn anew when asked
        await_idle(page)
        assert said.count() and not page.get_by_test_id("stException").count()
        page.get_by_role("link", name="Compare").click()
        page.wait_for_selector("table.runs tbody td.strong")
