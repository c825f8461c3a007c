"""A set of such a size in the dashboard: drawn, trained on, its rankings read, with somebody else clicking.

    python -m tests.benchmarks.sizes.dashboard FOLDER [ROUNDS]

FOLDER is what `mslr` wrote. A server finds it in its folder for data; one browser opens its pages, another
turns pages on a small set all the while and notes how long each takes. Memory is that of the server and its
worker processes, pages they share counted once.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests import live
from tests.browser.visit import SMALL, await_idle, go_to, visit

NAME = "mslr"
OTHERS = ("Shapes", "Compare", "Data", "Overview")


def memory_of(group: int) -> float:
    """Return the GB of a group of processes, shared pages counted once, mapped files among them."""
    total = 0
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            if int((folder / "stat").read_text().rpartition(") ")[2].split()[2]) == group:
                lines = (folder / "smaps_rollup").read_text().splitlines()
                total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1e6


class Neighbour(threading.Thread):
    """Somebody in a browser of their own who goes from page to page."""

    def __init__(self, server: live.Server) -> None:
        super().__init__(daemon=True)
        self.server, self.over, self.here = server, threading.Event(), threading.Event()
        self.seconds: list[float] = []
        self.most = 0.0

    def run(self) -> None:
        """Click until told to end."""
        with opened(self.server) as page:
            visit(page, self.server.url, "/shapes", SMALL)
            await_idle(page)
            self.here.set()
            while not self.over.is_set():
                for title in OTHERS:
                    asked = time.perf_counter()
                    go_to(page, title)
                    await_idle(page)
                    self.seconds.append(time.perf_counter() - asked)
                    self.most = max(self.most, memory_of(self.server.process.pid))

    def tell(self) -> str:
        """Say how it was since the last time."""
        seconds, self.seconds = sorted(self.seconds), []
        most, self.most = self.most, 0.0
        if not seconds:
            return f"the other one is still waiting for a page; {most:.2f} GB"
        half = seconds[len(seconds) // 2]
        told = f"{len(seconds)} pages of the other one: median {half:.2f} s, worst {seconds[-1]:.2f} s"
        return f"{told}; {most:.2f} GB"


class opened:
    """A browser with one page, for the thread that enters it."""

    def __init__(self, server: live.Server) -> None:
        self.server = server

    def __enter__(self) -> Page:
        self.playwright = sync_playwright().start()
        options = {"executable_path": live.find_chromium(), "args": live.CHROMIUM_FLAGS}
        self.browser = self.playwright.chromium.launch(**options)
        live.be_patient(self.browser)
        return self.browser.new_context(viewport={"width": 1400, "height": 900}).new_page()

    def __exit__(self, *_: object) -> None:
        self.browser.close()
        self.playwright.stop()


def walk(page: Page, server: live.Server, rounds: int, step) -> None:
    """Open one page after another; `step` is told when something is there."""
    link = f"data.files_2F{NAME}..r0.MPBoost.n_rounds.{rounds}"
    visit(page, server.url, "/data", link)
    page.wait_for_selector(".st-key-data-grades .js-plotly-plot .bars path", state="attached")
    await_idle(page)
    step("Data drawn")
    go_to(page, "Compare")
    page.wait_for_selector(
        "[data-testid=stMain] canvas, [data-testid=stMain] .js-plotly-plot, [data-testid=stMain] svg.marks"
    )
    step("Compare, the first of it")
    page.wait_for_selector("table.runs tbody td.strong")
    step(f"Compare, MPBoost of {rounds} rounds trained and compared")
    await_idle(page)
    go_to(page, "Rankings")
    page.wait_for_selector("[data-testid=stMain] .js-plotly-plot")
    await_idle(page)
    step("Rankings")
    go_to(page, "Data")
    page.wait_for_selector(".st-key-data-grades .js-plotly-plot .bars path", state="attached")
    await_idle(page)
    step("Data again")


def main(folder: Path, rounds: int = 100) -> None:
    """Walk, and print what it took."""
    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "data"
        data.mkdir()
        (data / NAME).symlink_to(folder.resolve())
        with live.serve(Path(place) / "cache", RANKSCOPE_DATA=str(data)) as server:
            neighbour = Neighbour(server)
            neighbour.start()
            if not neighbour.here.wait(60):
                raise SystemExit("The other one sees no page.")
            time.sleep(10)
            print(f"before: {neighbour.tell()}", flush=True)
            with opened(server) as page:
                since = time.perf_counter()

                def step(what: str) -> None:
                    nonlocal since
                    print(f"{what}: {time.perf_counter() - since:.1f} s; {neighbour.tell()}", flush=True)
                    since = time.perf_counter()

                walk(page, server, rounds, step)
            neighbour.over.set()
            neighbour.join(60)
            print((Path(place) / "cache" / "server.log").read_text(errors="replace")[-2000:])


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]))
