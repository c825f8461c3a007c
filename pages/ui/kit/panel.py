"""How a picture gets onto the page: its title, its controls, itself, its data as a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from ..runs.catalog import Entry
from ..session import mirror, state
from ..session.bound import bound
from ..style.words import choice_label
from . import image

CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "toImage"]}
# The panel that is being drawn: its title, what stands below its chart in print, and the place for the button
# of the chart's picture.
_AROUND: ContextVar[tuple[str, tuple[str, ...] | str, Any] | None] = ContextVar("panel", default=None)
_TURN: ContextVar[Callable[[go.Figure], go.Figure] | None] = ContextVar("turn", default=None)


@contextmanager
def panel(
    title: str,
    caption: str = "",
    tools: Callable[[], None] | None = None,
    notes: tuple[str, ...] = (),
) -> Iterator[None]:
    """A picture's place: what is compared, its controls at the right, and the picture below.

    `notes` stand below the picture where it is printed; without them, the caption, the measure and the data.
    """
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            note = f'<span class="note">{caption}</span>' if caption else ""
            st.html(f'<h3 class="panel">{title}</h3>{note}', width="stretch")
            with st.container(width="content", horizontal=True, vertical_alignment="center", gap="xsmall"):
                if tools is not None:
                    tools()
                place = st.container(width="content", horizontal=True)
        before = _AROUND.set((title, notes or caption, place))
        try:
            yield
        finally:
            _AROUND.reset(before)


def _offer_picture(figure: go.Figure, key: str) -> None:
    """Put the button for a chart's picture into the head of the panel that it stands in."""
    around = _AROUND.get()
    if around is not None:
        title, below, place = around
        with place:
            image.offer(figure, key, title, below)


@contextmanager
def charts_as(turn: Callable[[go.Figure], go.Figure]) -> Iterator[None]:
    """Show each chart as what is made of it, e.g. for a hall; its picture to print stays what it is."""
    before = _TURN.set(turn)
    try:
        yield
    finally:
        _TURN.reset(before)


def chart(figure: go.Figure, alt: str, key: str, picture: bool = True) -> None:
    """Show a figure; without a change in its data it is not drawn anew."""
    if picture:
        _offer_picture(figure, key)
    turn = _TURN.get()
    shown = _placed(figure if turn is None else turn(figure), key)
    st.plotly_chart(shown, key=key, config=CONFIG, alt=alt, theme="streamlit")


def clickable(figure: go.Figure, alt: str, key: str, take: Callable[[], None], has_bar: bool = True) -> None:
    """Show a figure on whose points a click does something; `has_bar`: with plotly's own buttons."""
    config = CONFIG if has_bar else {**CONFIG, "displayModeBar": False}
    more = {"selection_mode": "points", "on_select": take}
    _offer_picture(figure, key)
    st.plotly_chart(_placed(figure, key), key=key, config=config, alt=alt, theme="streamlit", **more)


def _placed(figure: go.Figure, key: str) -> go.Figure:
    """Return a figure that says where it stands: `plots.js` begins it as wide as what stood there."""
    whole = figure.to_dict()
    layout = whole["layout"]
    place = "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key)  # the class that Streamlit makes of a key
    told = {**whole, "layout": {**layout, "meta": {**(layout.get("meta") or {}), "place": place}}}
    shown = go.Figure(_validate=False)
    shown.to_dict = lambda: told
    return shown


def csv(frame: pd.DataFrame | Callable[[], pd.DataFrame], name: str) -> None:
    """Offer a picture's data as a file."""

    def content() -> str:
        return (frame() if callable(frame) else frame).to_csv(index=False)

    told = "The data of this picture as CSV"
    download("Download as CSV", content, f"{name}.csv", "text/csv", f"csv-{name}", told, type="tertiary")


def download(
    label: str,
    content: Callable[[], str | bytes],
    file: str,
    mime: str,
    key: str,
    told: str = "",
    **more: Any,
) -> None:
    """Offer a file, which is made when it is asked for; the page is not drawn anew."""
    more |= {"on_click": "ignore", "icon": ":material/download:", "help": told or None}
    st.download_button(label, content, file_name=file, mime=mime, key=key, **more)


def choose(name: str, labels: Mapping[str, str] | None = None) -> None:
    """A control with a few choices side by side; `labels` where they are called after what is on screen."""
    param = state.CONTROLS[name]
    words = {choice: choice_label(param, choice) for choice in param.choices} | dict(labels or {})
    label = param.help or name
    bound(name, st.segmented_control, label, list(words), words=words, required=True, quiet=True)


def switch(name: str, label: str) -> None:
    """A control that is on or off."""
    bound(name, st.toggle, label)


def act(label: str, key: str, help: str, call: Callable[..., None], *args: Any, **more: Any) -> None:
    """A button that calls a callback."""
    st.button(label, key=key, help=help, on_click=call, args=args, **more)


def way(
    label: str, link: str, page: str = "compare", icon: str = ":material/arrow_forward:", **more: Any
) -> None:
    """A way to a page with what a link says."""
    query = {state.URL_KEY: link, state.VIA: "link"}
    st.page_link(f"pages/{page}.py", label=label, icon=icon, query_params=query, **more)


def no_run(is_training: bool, has_data: bool, key: str, coming: str = "", still: str = "") -> None:
    """What stands in the place of a run's pictures while there is none; `still` is what else can be done."""
    if is_training:
        below = f'<p class="verdict">{coming}</p>' if coming else ""
        st.html(f'<p class="headline">Training …</p>{below}')
        st.skeleton(height=420)
    elif has_data:
        st.html(f'<p class="headline">No run yet.</p><p class="verdict">{still}</p>')
        st.button("Open the example", type="primary", on_click=mirror.open_preset, key=key)


def offer_cut(entry: Entry, key: str) -> None:
    """Offer to cut validation from training, where a set has no file for it and is not cut yet."""
    if entry.lacks_valid and state.get("valid") != "cut":
        told = "A quarter of the training queries, drawn at random, validate; the others train"
        act("Cut validation from training", f"cut-{key}", told, state.put, "valid", "cut", type="primary")


def introduction(text: str) -> None:
    """A few sentences that lead on, set off from the pictures."""
    st.html(f'<p class="intro">{escape(text)}</p>')
