"""Charts as pictures to print: light whatever the theme, with title, what is measured, and a legend.

`for_print` makes such a figure of any chart. The dashboard draws it in the browser, whose own plotly turns it
into PNG and SVG: nothing is asked of another host, nothing is installed. `save_image` does the same from
Python, with the plotly.js of plotly's package and a Chromium that is there, without a window. (kaleido starts
a Chromium, too, and has to be installed beside it; matplotlib would draw another picture.)
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from ltr_core import DataError, ParameterError

from .theme import DARK, LIGHT, letters

WIDTH = 960
_SCALE = 2  # of a PNG
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MOST_NAMES = 12  # in a legend: more lines are told apart by nobody
_LINE = 20  # pixels


def for_print(figure: go.Figure, title: str, notes: Sequence[str] = ()) -> go.Figure:
    """Return a figure as it is printed: on white, under its title and notes, with its lines' names below.

    Parameters
    ----------
    figure : Figure
        Any chart, of either theme; it is not changed.
    title : str
        What is compared.
    notes : sequence of str
        Lines below the title: on what, and how the measure is defined.
    """
    text = figure.to_json()
    if figure.layout.font.color == DARK.text:
        text = _light(text)
    told = json.loads(text)
    printed = go.Figure(told["data"], told["layout"], skip_invalid=True)
    names = _name_once(printed)
    margin, height = printed.layout.margin, printed.layout.height or 320
    top = 44 + 17 * len(notes)
    below = _LINE * -(-len(names) // 3) + 14 if names else 0
    printed.update_layout(
        width=WIDTH,
        height=height + top + below,
        paper_bgcolor=LIGHT.surface,
        plot_bgcolor=LIGHT.surface,
        showlegend=bool(names),
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
        margin={"t": (margin.t or 10) + top, "b": (margin.b or 8) + below, "l": max(24, margin.l or 0)},
        title={
            "text": f"<b>{escape(title)}</b>",
            "subtitle": {"text": "<br>".join(map(escape, notes)), "font": {"size": 12, "color": LIGHT.muted}},
            "font": {"size": 17, "color": LIGHT.text},
            "x": 0.02,
            "xanchor": "left",
            "yref": "container",
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 12},
        },
    )
    return printed


def _light(text: str) -> str:
    """Return a figure's JSON with the colours of the dark theme replaced by the light one's."""
    pairs: dict[str, str] = {}
    for name, dark in vars(DARK).items():
        light = getattr(LIGHT, name)
        several = zip(dark, light, strict=True) if isinstance(dark, tuple) else [(dark, light)]
        pairs |= {a: b for a, b in several if a.startswith("#")}
    pairs |= {letters(a, DARK): letters(b, LIGHT) for a, b in zip(DARK.slots, LIGHT.slots, strict=True)}
    return re.sub(r"#[0-9a-f]{6}\b", lambda found: pairs.get(found[0], found[0]), text)


def _name_once(figure: go.Figure) -> list[str]:
    """Have every line named once in the legend, and return the names; none where there are too many."""
    names: list[str] = []
    for trace in figure.data:
        is_named = trace.type == "scatter" and trace.name and trace.hoverinfo != "skip"
        trace.showlegend = bool(is_named and trace.name not in names)
        if trace.showlegend:
            names.append(trace.name)
    return names if len(names) <= _MOST_NAMES else []


def save_image(figure: go.Figure, path: str | os.PathLike) -> Path:
    """Write a figure as .png (twice its size) or .svg, with a Chromium that is on this machine.

    Without one: ``figure.write_html("chart.html")``, and the browser's own button.
    """
    path = Path(path)
    kind = path.suffix.lower().removeprefix(".")
    if kind not in ("png", "svg"):
        raise ParameterError(f"{path.name}: a picture is written as .png or .svg.")
    browser = os.environ.get("RANKSCOPE_CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        todo = "install Chromium, or write HTML with figure.write_html(path)"
        raise DataError("there is no Chromium to draw the picture with", todo, file=path.name)
    size = {"format": kind, "scale": _SCALE if kind == "png" else 1}
    size |= {"width": figure.layout.width or WIDTH, "height": figure.layout.height or 320}
    page = (
        f"<!doctype html><meta charset='utf-8'><script>{get_plotlyjs()}</script><pre id='out'></pre><script>"
        f"Plotly.toImage({figure.to_json()}, {json.dumps(size)}).then((uri) => "
        "{ document.getElementById('out').textContent = uri; });</script>"
    )
    uri = re.search(r'<pre id="out">(data:[^<]+)</pre>', _dump(browser, page))
    if uri is None:
        raise DataError("Chromium drew no picture", "try figure.write_html(path)", file=path.name)
    head, _, body = unescape(uri[1]).partition(",")
    path.write_bytes(base64.b64decode(body) if head.endswith("base64") else unquote(body).encode())
    return path


def _dump(browser: str, page: str) -> str:
    """Return a page as it stands when its scripts have ended."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_text(page, encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        flags += [f"--user-data-dir={folder}/profile", "--virtual-time-budget=20000", "--dump-dom"]
        command = [browser, *flags, file.as_uri()]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout
