"""A net under every part of a page: one that fails is a sentence, the rest is alive, the log has the details.

A part is what a page's file calls of a room, as in ``pictures.headline(screen)``: `spread` reads these calls
from the file and puts the net there, so that a page, old or new, need not think of it. What is drawn by
itself, a fragment, is started with `fragment`. Below all of it is `say` alone, as the server's own handler.
"""

from __future__ import annotations

import ast
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import streamlit as st

_LOG = logging.getLogger(__name__)
SENTENCE = (
    "This part cannot be shown: something went wrong in the program. Everything else works on, and nothing "
    "of yours is lost; the server's log has the details."
)


class Lost:
    """Stands for what a part that failed would have given; a part that needs it is left out."""

    def __getattr__(self, name: str) -> Lost:
        return self

    def __bool__(self) -> bool:
        return False

    def __enter__(self) -> Lost:
        return self

    def __exit__(self, *error: object) -> None:
        return None


LOST = Lost()


def say(error: Exception) -> bool:
    """Say that something failed, in a sentence; the details go to the log."""
    _LOG.error("A part of a page failed", exc_info=error)
    st.error(SENTENCE, icon=":material/error:")
    return True  # Streamlit need not say it again


def caught(part: Callable[..., Any]) -> Callable[..., Any]:
    """Put the net under a part."""

    @wraps(part)
    def draw(*given: Any, **named: Any) -> Any:
        for value in (*given, *named.values()):
            if value is LOST:  # not `in`: that compares tables
                return LOST
        try:
            made = part(*given, **named)
        except Exception as error:
            say(error)
            return LOST
        return _Place(made) if isinstance(made, AbstractContextManager) else made

    vars(draw)["caught"] = True
    return draw


class _Place:
    """A part in which others stand: with a net under what it does first."""

    def __init__(self, place: AbstractContextManager) -> None:
        self.place: AbstractContextManager | Lost = place

    def __enter__(self) -> Any:
        try:
            return self.place.__enter__()
        except Exception as error:
            say(error)
            self.place = LOST
            return LOST

    def __exit__(self, *error: Any) -> bool | None:
        return self.place.__exit__(*error)


def fragment(part: Callable[..., None]) -> Callable[..., None]:
    """Return Streamlit's fragment of a part, with the net inside: it is drawn by itself, too."""
    return st.fragment(caught(part))


def spread(page: Path) -> None:
    """Put the net under the parts of a page."""
    for room, name in parts_of(page):
        part = getattr(import_module(room), name)
        if callable(part) and not hasattr(part, "caught"):
            setattr(import_module(room), name, caught(part))


@cache
def parts_of(page: Path) -> tuple[tuple[str, str], ...]:
    """Return the parts that a page's file calls, each as the module and the function's name."""
    tree = ast.parse(page.read_text(encoding="utf-8"))
    rooms: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pages.ui."):
            rooms |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    parts = (f for f in calls if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name))
    found = ((rooms.get(f.value.id), f.attr) for f in parts if isinstance(f.value, ast.Name))
    return tuple(dict.fromkeys((room, name) for room, name in found if room))
