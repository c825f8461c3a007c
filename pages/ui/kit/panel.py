"""How a picture gets onto the page: its title, its controls, itself, its data as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from ..session import state
from ..style.words import SPLIT_NAMES

CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "toImage"]}


@contextmanager
def panel(title: str, caption: str = "", tools: Callable[[], None] | None = None) -> Iterator[None]:
    """A picture's place: what is compared, its controls at the right, and the picture below."""
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            note = f'<span class="note">{caption}</span>' if caption else ""
            st.html(f'<h3 class="panel">{title}</h3>{note}', width="stretch")
            if tools is not None:
                tools()
        yield


def chart(figure: go.Figure, alt: str, key: str) -> None:
    """Show a figure; without a change in its data it is not drawn anew."""
    st.plotly_chart(figure, key=key, config=CONFIG, alt=alt, theme="streamlit")


def csv(frame: pd.DataFrame | Callable[[], pd.DataFrame], name: str) -> None:
    """Offer a picture's data as a file."""

    def content() -> str:
        return (frame() if callable(frame) else frame).to_csv(index=False)

    st.download_button(
        "Download as CSV",
        content,
        file_name=f"{name}.csv",
        mime="text/csv",
        key=f"csv-{name}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help="The data of this picture as CSV",
    )


def choose(name: str, labels: dict[str, str] | None = None, options: Iterable[str] | None = None) -> None:
    """A control with a few choices side by side."""
    param = state.params()[name]
    offered = list(options or param.choices)
    names = {choice: (labels or {}).get(choice, SPLIT_NAMES.get(choice, choice)) for choice in offered}
    st.segmented_control(
        param.help or name,
        offered,
        key=name,
        required=True,
        persist_state="session",
        format_func=names.__getitem__,
        label_visibility="collapsed",
    )


def switch(name: str, label: str) -> None:
    """A control that is on or off."""
    st.toggle(label, key=name, persist_state="session", help=state.params()[name].help)


def act(label: str, key: str, help: str, call: Callable[..., None], *args: Any, **more: Any) -> None:
    """A button that calls a callback."""
    st.button(label, key=key, help=help, on_click=call, args=args, **more)


def open_in_compare(label: str, link: str, help: str | None = None, disabled: bool = False) -> None:
    """A way to Compare with what a link says."""
    way("compare", label, link, ":material/arrow_forward:", help, disabled)


def way(page: str, label: str, link: str, icon: str, help: str | None = None, disabled: bool = False) -> None:
    """A way to a page with what a link says."""
    st.page_link(
        f"pages/{page}.py",
        label=label,
        icon=icon,
        query_params={state.URL_KEY: link, state.VIA: "link"},
        help=help,
        disabled=disabled,
    )


def introduction(text: str) -> None:
    """A few sentences that lead on, set off from the pictures."""
    st.html(f'<p class="intro">{escape(text)}</p>')
