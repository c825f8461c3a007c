"""A list of pages that a person puts in order: by dragging, by buttons, by keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import streamlit as st

from ..kit.marks import badge
from ..session import state

_HERE = Path(__file__).parent
_MOUNT = st.components.v2.component(
    "rankscope.order",
    html=(_HERE / "order.html").read_text(encoding="utf-8"),
    css=(_HERE / "order.css").read_text(encoding="utf-8"),
    js=(_HERE / "order.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def order(key: str, names: Sequence[str], grades: Sequence[float]) -> list[int]:
    """Draw the pages, at first as given; return the positions of the given ones in the order they are in."""
    held = f"_{key}"

    def take() -> None:
        told = state.told(key).get("order") or []
        if sorted(told) == sorted(map(str, range(len(names)))):
            st.session_state[held] = [int(position) for position in told]

    placed: list[int] = st.session_state.get(held, list(range(len(names))))
    items = [
        {"id": str(i), "name": names[i], "html": f"{badge(grades[i])} {escape(names[i])}"} for i in placed
    ]
    _MOUNT(key=key, data={"scene": key, "items": items}, on_order_change=take)
    return placed
