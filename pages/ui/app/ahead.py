"""What pages need is loaded once, before anybody asks for it: for the first page when the server starts, for
the others when the first one stands.

One thread loads, and all scripts wait for it: two that load the same modules at a time may wait for one
another, or go on with what is half there. (It was numba, for good, in one of thirty servers whose first
visitor came at once by a link.)
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from streamlit import runtime

from ..kit import net

_LOG = logging.getLogger(__name__)
_PAGES = Path(__file__).resolve().parents[2]
_FIRST = _PAGES / "overview.py"
_LATE = ("streamlit.emojis",)  # what Streamlit itself loads when it is first asked for
_BREATH = 1.0  # seconds: what the first visitor does next comes first
_LOADING = threading.Lock()
_LOADED, _STANDS = threading.Event(), threading.Event()


def load() -> None:
    """Load the core and the first page's parts, or wait until another thread has."""
    with _LOADING:
        if _LOADED.is_set():
            return
        try:
            _load(_FIRST)
        except Exception:
            _LOG.exception("The first page cannot be loaded ahead")  # the page itself says what is wrong
        _LOADED.set()


def load_page(page: Path) -> None:
    """Load a page's parts: one thread at a time loads."""
    with _LOADING:
        _load(page)


def _load(page: Path) -> None:
    for room in dict.fromkeys(room for room, _ in net.parts_of(page)):
        import_module(room)


def stands() -> None:
    """Note that a page has been drawn."""
    _STANDS.set()


def _load_in_time() -> None:
    while not runtime.exists():  # components can be told to a server that is there only
        time.sleep(0.02)
    load()
    _STANDS.wait()
    time.sleep(_BREATH)
    for page in sorted(_PAGES.glob("*.py")):
        with suppress(Exception):  # the page itself says what is wrong
            load_page(page)
    for name in _LATE:
        with suppress(ImportError):
            import_module(name)


_LOADER = threading.Thread(target=_load_in_time, name="ahead", daemon=True)


def begin() -> None:
    """Start to load, beside the server; once, however often the server's file is read."""
    if _LOADER.ident is None:
        _LOADER.start()


def is_over() -> bool:
    """Whether all is loaded."""
    return _LOADED.is_set()
