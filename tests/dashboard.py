"""The dashboard without a browser: app.py under Streamlit's own test runner."""

from __future__ import annotations

import re
import time
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.ui.runs.jobs import Job

ROOT = Path(__file__).resolve().parent.parent
SMALL = "data.tiny..r0.MPBoost.ddf.binary.n_rounds.5..r1.MPBoost.ddf.ldd.n_rounds.5"  # trained in no time


def open_app(link: str = "", page: str | None = None, **more: str) -> AppTest:
    """Open the dashboard by a link, as a visitor does, and wait for its trainings."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=900)
    for name, value in ({**({"s": link} if link else {}), **more}).items():
        app.query_params[name] = value
    app.run()
    if page is not None:
        app.switch_page(f"pages/{page}.py").run()
    return settle(app)


def settle(app: AppTest, seconds: float = 900) -> AppTest:
    """Rerun until no training of this session is under way."""
    deadline = time.monotonic() + seconds
    while any(not job.is_over for job in jobs(app)) or app.session_state["_screen"].under_way:
        assert time.monotonic() < deadline, "trainings do not end"
        time.sleep(0.05)
        app.run()
    if any((button.key or "").startswith("stop-") for button in app.button):  # it ended after that was drawn
        app.run()
    if app.session_state["_mirrored"] is None:  # a link that could not be read in full is written anew
        app.run()
    return app


def jobs(app: AppTest) -> list[Job]:
    """Return the session's jobs."""
    return list(app.session_state["_jobs"].values()) if "_jobs" in app.session_state else []


def text_of(app: AppTest) -> str:
    """Return all that stands on the page: HTML, markdown, captions and messages."""
    kinds = ("html", "markdown", "caption", "info", "error", "warning")
    text = "\n".join(str(element.value) for kind in kinds for element in app.get(kind))
    text = text.replace("\u00a0", " ")  # before the sign between two settings
    return re.sub(r'<span class="term"[^>]*>([^<]*)</span>', r"\1", text)  # a word that is explained
