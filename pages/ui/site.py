"""The pages of the dashboard, in order. A new page is a file in `pages/` and a line here."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import streamlit as st

_HERE = Path(__file__).parent

# file, title, icon
PAGES = (
    ("overview", "Overview", ":material/home:"),
    ("compare", "Compare", ":material/compare_arrows:"),
    ("rankings", "Rankings", ":material/format_list_numbered:"),
    ("shapes", "Shapes", ":material/show_chart:"),
    ("step_through", "Step through", ":material/slideshow:"),
)


def open_site() -> st.Page:
    """Tell Streamlit name, icon and pages, and return the page that was asked for."""
    st.set_page_config(page_title="Rankscope", page_icon=str(_HERE / "icon.svg"), layout="wide")
    st.logo(str(_HERE / "logo.svg"), icon_image=str(_HERE / "icon.svg"))
    return st.navigation(
        [
            st.Page(f"pages/{name}.py", title=title, icon=icon, url_path=name, default=number == 0)
            for number, (name, title, icon) in enumerate(PAGES)
        ],
        position="top",
    )


def enter() -> NoReturn:
    """Start over through app.py.

    The very first visitor of a server who comes by a link to a page has it run without app.py: until
    `st.navigation` is called once, Streamlit takes the folder `pages/` for its own kind of site.
    """
    open_site()
    st.rerun()
    raise AssertionError("st.rerun does not return")
