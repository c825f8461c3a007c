"""What the first page needs is loaded once, by one thread, when the server starts: before anybody asks.

All scripts wait for that thread: two that load the same modules at a time may wait for one another, or go
on with what is half there. (It was numba, for good, in one of thirty servers whose first visitor came at
once by a link.)
"""

from __future__ import annotations

import logging
import threading
import time
from importlib import import_module
from pathlib import Path

from streamlit import runtime

from ..kit import net

_LOG = logging.getLogger(__name__)
_FIRST = Path(__file__).resolve().parents[2] / "overview.py"
_LOADING = threading.Lock()
_LOADED = threading.Event()


def load() -> None:
    """Load the core and the first page's parts, or wait until another thread has."""
    with _LOADING:
        if _LOADED.is_set():
            return
        try:
            for room in dict.fromkeys(room for room, _ in net.parts_of(_FIRST)):
                import_module(room)
        except Exception:
            _LOG.exception("The first page cannot be loaded ahead")  # the page itself says what is wrong
        _LOADED.set()


def _load_in_time() -> None:
    while not runtime.exists():  # components can be told to a server that is there only
        time.sleep(0.02)
    load()


_LOADER = threading.Thread(target=_load_in_time, name="ahead", daemon=True)


def begin() -> None:
    """Start to load, beside the server; once, however often the server's file is read."""
    if _LOADER.ident is None:
        _LOADER.start()


def is_over() -> bool:
    """Whether all is loaded."""
    return _LOADED.is_set()
