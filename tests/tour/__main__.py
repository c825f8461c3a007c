"""Take the README's pictures anew: ``python -m tests.tour`` (needs Chromium)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests import live

HERE = Path(__file__).parent
PICTURES = {  # name: (address, colour scheme)
    "overview": ("/", "light"),
    "compare": ("/compare", "light"),
    "rankings": ("/rankings", "light"),
    "shapes": ("/shapes", "light"),
    "step-through": ("/step_through", "dark"),
    "data": ("/data", "light"),
}


def settle(page: Page) -> None:
    """Wait until a picture is drawn and nothing runs any more."""
    page.wait_for_selector(".js-plotly-plot", timeout=120_000)
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stStatusWidget], [data-testid=stSkeleton]')",
        timeout=120_000,
    )
    page.wait_for_timeout(2_500)


def main() -> int:
    """Take all pictures, or those named."""
    wanted = sys.argv[1:] or list(PICTURES)
    with (
        tempfile.TemporaryDirectory() as cache,
        live.serve(Path(cache)) as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=live.find_chromium(), args=live.CHROMIUM_FLAGS)
        for name in wanted:
            address, scheme = PICTURES[name]
            context = browser.new_context(viewport={"width": 1366, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            page.goto(server.url + address)
            settle(page)
            page.screenshot(path=HERE / f"{name}.png")
            context.close()
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
