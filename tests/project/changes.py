"""What a newcomer would change, each change made in a copy of the project by the fewest files.

A change is what is written into which files, and a program that sees that it works. All of them are made in
one copy and seen by one process; `test_changes.py` reports them one by one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.sources import ROOT

COPIED = (
    *("app.py", "pages", "ltr_core", "data/cubic-small", ".streamlit"),
    *("tests/__init__.py", "tests/dashboard.py"),
)

Edit = str | Callable[[str], str]  # a new file's text, or what is made of an old one's


@dataclass(frozen=True)
class Change:
    """At most so many files, what becomes of each, a program that fails where the change does not work."""

    most: int
    edits: dict[str, Edit]
    program: str


def copy_project(folder: Path) -> None:
    """Copy what runs, kernels included, and no run store."""
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(".cache"))
        else:
            shutil.copy2(source, target)


def make(change: Change, folder: Path) -> None:
    """Write a change into a copy of the project."""
    for name, edit in change.edits.items():
        path = folder / name
        if isinstance(edit, str):
            assert not path.exists(), f"{name} is there already"
            path.write_text(edit, encoding="utf-8")
        else:
            path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")


def replace(*pairs: tuple[str, str]) -> Edit:
    """Return an edit that puts one text in the place of another, which has to be there once."""

    def edit(text: str) -> str:
        for old, new in pairs:
            assert text.count(old) == 1, f"{text.count(old)} × {old!r}"
            text = text.replace(old, new)
        return text

    return edit


def append(more: str) -> Edit:
    """Return an edit that writes more at the end."""
    return lambda text: f"{text}\n\n{more}"


# The changes ------------------------------------------------------------------------------------------------

CHART = '''"""The gap between train and valid, a line for each run."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, Palette
from .base import new_figure


def draw_gaps(frame: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw a table of slot, iteration and gap."""
    figure = new_figure("round", "gap", colours)
    for _, rows in frame.groupby("slot"):
        figure.add_scatter(x=rows["iteration"], y=rows["gap"], mode="lines")
    return figure.finish()
'''
GAPS = '''"""How far the loss on valid is above that on train, by round."""

from __future__ import annotations

import pandas as pd

from ..runs.screens import Screen
from .curves import curves


def gaps(screen: Screen) -> pd.DataFrame:
    """Return slot, iteration and gap."""
    parts = [curves(screen, "loss", split).set_index(["slot", "iteration"]) for split in ("train", "valid")]
    return (parts[1]["value"] - parts[0]["value"]).rename("gap").reset_index()
'''
MEASURE = '''"""First: the grade of the document at the top."""

from __future__ import annotations

import numpy as np

from .parts.base import Measure, Prepared


class First(Measure):
    """The grade at the top."""

    name = "first"
    label = "First"
    summary = "The grade of the document at the top."

    def _definition(self) -> str:
        return "The grade of the document at the top"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        def score(scores: np.ndarray) -> np.ndarray:
            return np.array([y[a + np.argmax(scores[a:b])] for a, b in zip(offsets, offsets[1:])])

        return score, None
'''
PAGE = '''"""Hello: a page of its own."""

import streamlit as st

from pages.ui.app import frame

st.write(f"Hello {len(frame.current().runs)}")
'''
EXPORT = '''def as_words(screen: Screen, run: Run) -> str:
    """Return a run's name and measure."""
    return f"{run.name} {screen.measure.label}"
'''
SAMPLER = '''class Backwards(Grid):
    """Every combination, the last one first."""

    label, help = "Backwards", "every combination, the last one first"

    def __init__(self, space: Space, n_trials: int | None, higher_is_better: bool, seed: int) -> None:
        self.left = iter(list(space.grid())[::-1])


SAMPLERS["backwards"] = Backwards
'''
FORMAT = '''"""Bars: like CSV, with | between the cells."""

from __future__ import annotations

from functools import partial
from typing import IO

from .reading.options import Options
from .reading.sources import Source
from .reading.table_text import read_table
from .set.ranking_data import RankingData
from .writing.table import write_separated


def read_bars(source: Source, name: str, options: Options) -> RankingData:
    """Read a file of bars."""
    return read_table("|", source, name, options)


write_bars = partial(write_separated, "|")
'''
DRAWN = """from pages.ui.charts.my_gaps import draw_gaps
from pages.ui.kit import panel
from pages.ui.tables.my_gaps import gaps

panel.chart(draw_gaps(gaps(screen)), "The gap by round", "gaps")
"""
DAMP = """        Param("damp", "float", 1.0, 0.1, 1.0, 0.1, help="What the values are multiplied by."),
        *PARAMS,
"""
LAST_PAGE = '    ("data", "Data", ":material/database:"),\n'
NEW_PAGE = '    ("my_page", "Hello", ":material/waving_hand:"),\n'
RUN_FILE = '            ("TREC run", '
WORDS_FILE = '            ("Words", "words", "text/plain", exports.as_words),\n'
BARS = 'BARS = Format(".bars", (".bars",), read_bars, write_bars)\n'

# The programs -----------------------------------------------------------------------------------------------

SEE_CHART = """
from tests.dashboard import SMALL, open_app

app = open_app(SMALL, page="compare")
assert not app.exception and "gaps" in str(app.get("plotly_chart"))
"""
SEE_PARAMETER = """
import ltr_core as ltr
from tests.dashboard import SMALL, open_app

data = ltr.datasets.make("tiny")
whole, half = (ltr.MPBoost(n_rounds=1, damp=damp).fit(data).predict(data) for damp in (1.0, 0.5))
assert abs(whole).max() > 0 and abs(whole - 2 * half).max() < 1e-12
app = open_app(SMALL, page="compare")
fields = [*app.number_input, *app.slider, *app.select_slider]
assert not app.exception and "new:MPBoost-damp" in [field.key for field in fields]
"""
SEE_MEASURE = """
import ltr_core as ltr
from tests.dashboard import SMALL, open_app, text_of

assert ltr.measures.first([0, 2], [1, 2], [1, 1]) == 2.0
app = open_app(SMALL + "..measure.first", page="compare")
assert not app.exception and "First by round" in text_of(app)
"""
SEE_PAGE = """
from tests.dashboard import SMALL, open_app

assert "Hello 2" in [m.value for m in open_app(SMALL, page="my_page").markdown]
"""
SEE_COLOUR = """
from pages.ui.style import sheet, theme

assert theme.stroke(2, False, theme.LIGHT).colour == "#123456"
assert "#123456" in sheet.stylesheet() and "#bd1f01" not in sheet.stylesheet()
"""
SEE_EXPORT = """
from tests.dashboard import SMALL, open_app

app = open_app(SMALL, page="compare")
assert not app.exception and "take-words" in str(app.get("download_button"))
"""
SEE_SAMPLER = """
import ltr_core as ltr
from tests.dashboard import SMALL, open_app

data, axes = ltr.split(ltr.datasets.make("tiny")), {"lam": [0.1, 0.4]}
sweep = ltr.sweep("MPBoost", axes, data, fixed={"n_rounds": 2}, sampler="backwards")
assert len(sweep.points) == 2
app = open_app(SMALL, page="sweep")
assert not app.exception and "Backwards" in str(app)
"""
SEE_FORMAT = """
import tempfile
from pathlib import Path
import ltr_core as ltr

data, file = ltr.datasets.make("tiny"), Path(tempfile.mkdtemp()) / "a.bars"
ltr.save(data, file)
assert "|" in file.read_text().splitlines()[0]
assert ltr.load(file).fingerprint == data.fingerprint
"""

CHANGES = {
    "a chart on Compare": Change(
        3,
        {
            "pages/ui/tables/my_gaps.py": GAPS,
            "pages/ui/charts/my_gaps.py": CHART,
            "pages/compare.py": append(DRAWN),
        },
        SEE_CHART,
    ),
    "a parameter of MPBoost": Change(
        1,
        {
            "ltr_core/algorithms/stumps/mpboost.py": replace(
                ("        *PARAMS,\n", DAMP), ("lambda N, D: N / D", 'lambda N, D: values["damp"] * N / D')
            )
        },
        SEE_PARAMETER,
    ),
    "a measure": Change(
        2,
        {
            "ltr_core/measures/my_measure.py": MEASURE,
            "ltr_core/measures/__init__.py": replace(
                ("from .ndcg import", "from .my_measure import First\nfrom .ndcg import"),
                ("        ERR,\n", "        ERR,\n        First,\n"),
            ),
        },
        SEE_MEASURE,
    ),
    "a page": Change(
        3,
        {"pages/my_page.py": PAGE, "pages/ui/app/site.py": replace((LAST_PAGE, LAST_PAGE + NEW_PAGE))},
        SEE_PAGE,
    ),
    "a colour": Change(1, {"pages/ui/style/theme.py": replace(('"#bd1f01"', '"#123456"'))}, SEE_COLOUR),
    "an export of a run": Change(
        2,
        {
            "pages/ui/compare/exports.py": append(EXPORT),
            "pages/ui/compare/actions.py": replace((RUN_FILE, WORDS_FILE + RUN_FILE)),
        },
        SEE_EXPORT,
    ),
    "a sampler": Change(2, {"ltr_core/sweeps/search/samplers.py": append(SAMPLER)}, SEE_SAMPLER),
    "a data format": Change(
        2,
        {
            "ltr_core/data/my_bars.py": FORMAT,
            "ltr_core/data/formats.py": replace(
                (
                    "from .reading.letor_file",
                    "from .my_bars import read_bars, write_bars\nfrom .reading.letor_file",
                ),
                ("FORMATS = (LETOR,", BARS + "FORMATS = (BARS, LETOR,"),
            ),
        },
        SEE_FORMAT,
    ),
}
