"""The dashboard as a running server, and the browser that looks at it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# ms. Trainings give way to whatever else runs: on a busy machine they wait for long. Nothing asserts a time.
PATIENCE = 420_000

# Counts what the page sends to its server and what is answered, and notes when there was input, Back or
# Forward last. `tests.browser.visit.await_idle` waits by it.
WIRE = """(() => {
  const wire = window.wire = { asked: 0, answered: 0, input: performance.now(), calm: 0 };
  const stir = () => { wire.input = performance.now(); };
  for (const kind of ["pointerdown", "pointerup", "keydown", "input", "change", "popstate"]) {
    window.addEventListener(kind, stir, true);
  }
  const send = WebSocket.prototype.send, heard = new WeakSet();
  WebSocket.prototype.send = function (...what) {
    if (!heard.has(this)) {
      heard.add(this);
      this.addEventListener("message", () => { wire.answered = wire.asked; });
    }
    wire.asked += 1;
    return send.apply(this, what);
  };
})()"""


def be_patient(browser: Browser) -> None:
    """Let every page of a browser count what goes over its wire, and wait long for what it waits for."""
    plain = browser.new_context

    def new_context(**options: Any) -> BrowserContext:
        context = plain(**options)
        context.add_init_script(WIRE)
        context.set_default_timeout(PATIENCE)
        return context

    browser.new_context = new_context  # type: ignore[method-assign]


class Server:
    """A server under test: its address, its process and its log."""

    def __init__(self, url: str, process: subprocess.Popen, log: Path) -> None:
        self.url, self.process, self.log = url, process, log

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self.process.poll() is None


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("RANKSCOPE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def browser_required() -> bool:
    """Whether a missing browser fails the browser tests rather than skipping them."""
    return os.environ.get("RANKSCOPE_BROWSER") == "required"


@contextmanager
def serve(cache: Path, first: str = "", **env: str) -> Iterator[Server]:
    """Serve the dashboard on a free port, with its run store in `cache`, until the block ends.

    `first` is Python that the server runs before it starts, and `env` goes into its environment, e.g.
    ``NUMBA_THREADING_LAYER="workqueue"``.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    cache.mkdir(parents=True, exist_ok=True)
    log = cache / "server.log"
    begin = (
        ["-c", f"{first}\nfrom pages.ui.app.serve import run; run()"]
        if first
        else ["-m", "pages.ui.app.serve"]
    )
    command = [sys.executable, *begin, "--port", str(port)]
    with open(log, "wb") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "RANKSCOPE_CACHE": str(cache), "RANKSCOPE_WORKERS": "processes", **env},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a process group of its own, to be ended as a whole
        )
    server = Server(f"http://localhost:{port}", process, log)
    try:
        _await_health(server)
        yield server
    finally:
        _end(process)


def _await_health(server: Server, seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and server.alive:
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=10) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{server.log.read_text(errors='replace')}")


def _end(process: subprocess.Popen) -> None:
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=10)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
