"""A picture of any chart: a button beside it, and the printed chart in a dialog, as PNG and SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

from ..session.screen import last
from ..style.image import for_print
from ..style.words import definition

_BUTTONS = Path(__file__).with_name("image.html").read_text(encoding="utf-8")


def offer(figure: go.Figure, key: str, title: str, below: tuple[str, ...] | str) -> None:
    """Draw the button that opens a chart as a picture, with notes below, or a caption and what it is of."""
    told = "This chart as a picture: PNG or SVG"
    if st.button("Picture", key=f"image-{key}", icon=":material/photo_camera:", type="tertiary", help=told):
        _show(figure, key, plain(title), below if isinstance(below, tuple) else notes_for(plain(below)))


def plain(html: str) -> str:
    """Return a title or a caption without its marks."""
    return unescape(re.sub(r"<[^>]+>", "", html)).strip()


def notes_for(caption: str) -> list[str]:
    """Return the lines below the title: the caption, the measure's definition, the data."""
    screen = last()
    split = f", fold {screen.data.fold}" if screen.data.fold != "split" else ""
    told = f"{screen.measure.label}: {definition(screen.measure)} · {screen.entry.label}{split}"
    return [line for line in (caption, told) if line]


@st.dialog("As a picture", width="large")
def _show(figure: go.Figure, key: str, title: str, notes: Sequence[str]) -> None:
    printed = for_print(figure, title, notes)
    config = {"displaylogo": False, "displayModeBar": True, "staticPlot": False}
    with st.container(key="image-print"):
        st.plotly_chart(
            printed, theme=None, width="content", config=config, alt=f"{title}, to print", key="printed"
        )
    st.html(_BUTTONS.replace("NAME", re.sub(r"[^\w-]", "-", key)), unsafe_allow_javascript=True)
