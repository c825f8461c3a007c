"""What the first page needs is loaded when the server starts, and not when somebody asks for it."""

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


def _load() -> None:
    """Load the core and the first page's parts; components can be told to a server that is there only."""
    while not runtime.exists():
        time.sleep(0.02)
    try:
        for room in dict.fromkeys(room for room, _ in net.parts_of(_FIRST)):
            import_module(room)
    except Exception:
        _LOG.exception("The first page cannot be loaded ahead")  # the page itself says what is wrong


_LOADER = threading.Thread(target=_load, name="ahead", daemon=True)


def begin() -> None:
    """Start to load, beside the server; once, however often the server's file is read."""
    if _LOADER.ident is None:
        _LOADER.start()


def is_under_way() -> bool:
    """Whether something is being loaded."""
    return _LOADER.is_alive()


def wait() -> None:
    """Wait until all is loaded; at once where nothing is being loaded."""
    if _LOADER.is_alive():
        _LOADER.join()
