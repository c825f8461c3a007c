"""The pages of the dashboard, in order. A new page is a file in `pages/` and a line here."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import streamlit as st

from ..kit import net
from ..style.sheet import stylesheet
from . import ahead

_HERE = Path(__file__).parent

# file, title (in small letters the path of the URL), icon
PAGES = (
    ("overview", "Overview", ":material/home:"),
    ("learn", "Learn", ":material/school:"),
    ("teach", "Teach", ":material/co_present:"),
    ("compare", "Compare", ":material/compare_arrows:"),
    ("rankings", "Rankings", ":material/format_list_numbered:"),
    ("shapes", "Shapes", ":material/show_chart:"),
    ("step_through", "Step through", ":material/slideshow:"),
    ("_inspect", "Inspect", ":material/account_tree:"),
    ("sweep", "Sweep", ":material/grid_on:"),
    ("papers", "Papers", ":material/menu_book:"),
    ("data", "Data", ":material/database:"),
    ("history", "History", ":material/history:"),
)


APART = ("teach",)  # not in the bar above: Learn leads there


def open_site() -> st.Page:
    """Tell Streamlit name, icon and pages, and return the page that was asked for."""
    st.set_page_config(page_title="Rankscope", page_icon=str(_HERE / "icon.svg"), layout="wide")
    st.logo(str(_HERE / "logo.svg"), icon_image=str(_HERE / "icon.svg"))
    pages: list[st.Page] = []
    for name, title, icon in PAGES:
        path = title.lower().replace(" ", "_")
        first = not pages
        look = {"title": title, "icon": icon, "visibility": "hidden" if name in APART else "visible"}
        pages.append(st.Page(f"pages/{name}.py", url_path=path, default=first, **look))
    return st.navigation(pages, position="top")


def draw_frame() -> None:
    """Draw the frame; the first time there is something to read while the core is loaded, a second or two."""
    st.html(stylesheet())
    place = st.empty()
    if not ahead.is_over():
        place.html(
            '<p class="headline">Which ranking method is better, and is the difference real?</p>'
            '<p class="verdict">Rankscope trains methods that learn to rank, side by side, and shows what '
            "they do. It is starting …</p>"
        )
    ahead.load()
    from . import frame  # late: what is above is on screen before the core is loaded

    place.empty()
    net.caught(frame.draw)()


def run(page: st.Page) -> None:
    """Draw the page, with a net under each of its parts."""
    name = next(name for name, title, _ in PAGES if title == page.title)
    file = _HERE.parents[1] / f"{name}.py"
    ahead.load_page(file)
    net.spread(file)
    page.run()
    from ..session import mirror  # late, as the frame

    mirror.stands()
    ahead.stands()


def enter() -> NoReturn:
    """Start over through app.py.

    Under `streamlit run app.py` the very first visitor who comes by a link to a page has it run without
    app.py: until `st.navigation` is called once, Streamlit takes `pages/` for its own kind of site.
    """
    open_site()
    st.rerun()
    raise AssertionError("st.rerun does not return")
