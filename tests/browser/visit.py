"""A visitor's eyes and hands: what the browser tests share."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

from tests import live
from tests.benchmarks.load.watch import usage

expect.set_options(timeout=live.PATIENCE)

SMALL = "data.cubic..cubic-n_queries.60..cubic-n_docs.8..cubic-n_features.5"
TWO = "r0.MPBoost.ddf.binary.n_rounds.20..r1.MPBoost.n_rounds.25"
LONG = (
    "r0.RankNet.epochs.10000.hidden.512"  # on `data.cubic` a quarter of an hour: more than anybody waits for
)


def visit(page: Page, server: str, path: str = "/", link: str = "") -> Page:
    """Open a page of the dashboard and note what goes wrong."""
    page.troubles = []  # type: ignore[attr-defined]
    page.on("console", lambda m: page.troubles.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: page.troubles.append(str(e)))
    page.on("request", lambda r: page.troubles.append(r.url) if _is_foreign(r.url, server) else None)
    page.goto(server + path + (f"?s={link}" if link else ""))
    page.get_by_role("button", name="Copy link").wait_for()
    return page


def _is_foreign(url: str, server: str) -> bool:
    return not url.startswith((server, server.replace("http", "ws"), "data:", "blob:"))


def troubles(page: Page) -> list[str]:
    """Return console errors and foreign requests.

    Streamlit's client asks for its host's configuration below the page's own path first; the server has it at
    the root only, and the browser notes the 404.
    """
    return [text for text in page.troubles if "404 (Not Found)" not in text]  # type: ignore[attr-defined]


def await_finished(page: Page) -> None:
    """Wait until nothing is training and the comparison reads itself."""
    read = page.locator("p.headline").filter(has_text=re.compile("queries|equals|single"))
    expect(read).to_be_visible()
    expect(page.locator("p.headline")).to_have_count(1)  # "Training …" is gone
    expect(page.locator("[class*='st-key-stop-']")).to_have_count(0)


# For some pictures on end: all asked is answered, no script runs, and the last input is longer ago, by the
# page's own clock, than Streamlit's client holds back what one types or drags.
IDLE = """() => {
  if (!window.wire) return false;
  const rests = wire.asked === wire.answered && performance.now() - wire.input > 300
    && document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
    && !document.querySelector("[data-testid=stSkeleton]");
  wire.calm = rests ? wire.calm + 1 : 0;
  return wire.calm > 3;
}"""


def await_idle(page: Page) -> None:
    """Wait until the server has answered all that was asked of it and has nothing more to say."""
    page.evaluate("window.wire && (wire.calm = 0)")
    page.wait_for_function(IDLE)


STILL = """(things) => new Promise((done) => {
  let before = "", same = 0;
  const look = () => {
    const boxes = [...document.querySelectorAll(things)].map((thing) => thing.getBoundingClientRect());
    const places = JSON.stringify(boxes.map((box) => [box.x, box.y, box.width, box.height]));
    same = places === before ? same + 1 : 0;
    before = places;
    if (same < 5) requestAnimationFrame(look); else done();
  };
  look();
})"""


def await_still(page: Page, things: str) -> None:
    """Wait until some things have not moved for five pictures."""
    page.evaluate(STILL, things)


def await_progress(page: Page, reached: Callable[[], object], what: str) -> None:
    """Wait for what trainings lead to for as long as they get on, however slow the machine is."""
    bars = page.get_by_test_id("stSidebar").locator("[class*='st-key-job-']")
    told, deadline = [], time.monotonic() + live.PATIENCE / 1000
    while not reached():
        before, told = told, bars.all_inner_texts()
        if told != before:
            deadline = time.monotonic() + live.PATIENCE / 1000
        assert time.monotonic() < deadline, f"{what}; under way: {told}"
        page.wait_for_timeout(100)


def await_drawn(page: Page) -> None:
    """Wait for the comparison as a picture."""
    page.locator(".js-plotly-plot .scatterlayer .trace").first.wait_for()


def go_to(page: Page, title: str) -> None:
    """Hop to another page by the navigation."""
    page.get_by_test_id("stTopNav").get_by_role("link", name=title).click()


def names(page: Page) -> list[str]:
    """Return the runs on screen, as the sidebar names them."""
    texts = page.get_by_test_id("stSidebar").locator(".chip").all_inner_texts()
    return [text.strip().replace("\u00a0", " ") for text in texts]


def table(page: Page) -> list[list[str]]:
    """Return the run table's text, without the times; read at one moment, between two redrawings."""
    await_idle(page)
    rows = page.locator("table.runs").first.evaluate(
        "table => [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return [[cell for i, cell in enumerate(row) if i != 8] for row in rows]


def button(page: Page, key: str) -> Locator:
    """Return a button by its key."""
    return page.locator(f".st-key-{key} button").locator("visible=true").first


def set_number(page: Page, key: str, value: float) -> None:
    """Type a number into a field."""
    field = page.locator(f".st-key-{key} input")
    field.fill(str(value))
    field.press("Enter")


def is_busy(group: int, seconds: float = 1.0) -> bool:
    """Whether a server, the head of its group, and its workers use more than a third of a core."""
    before, start = usage(group).cpu, time.monotonic()
    time.sleep(seconds)
    return usage(group).cpu - before > (time.monotonic() - start) / 3


def wait_until(condition, what: str) -> None:
    """Wait for something that the browser does not show."""
    deadline = time.monotonic() + live.PATIENCE / 1000
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


@contextmanager
def private_window(browser, **options):
    """A window that shares nothing with the others."""
    context = browser.new_context(viewport={"width": 1366, "height": 900}, **options)
    try:
        yield context.new_page()
    finally:
        context.close()
