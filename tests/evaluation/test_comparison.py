"""The table of a comparison, as text, HTML, Markdown, LaTeX and a picture."""

from __future__ import annotations

import matplotlib
import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.evaluation import interval

matplotlib.use("Agg")
DATA = ltr.datasets.make("cubic", n_queries=30, n_docs=8, n_features=4)


@pytest.fixture
def table():
    """Three systems, one with a name that needs care."""
    rng = np.random.default_rng(0)
    noisy = DATA.y + rng.normal(size=DATA.n_docs)
    return ltr.compare({"first": DATA.X[:, 0], "100 %_a": noisy, "<b|c>": -DATA.X[:, 1]}, DATA)


def test_it_prints_whole_sentences(table):
    lines = str(table).splitlines()
    assert lines == [f"{sentence}." for sentence in table["sentence"]] and len(lines) == 2
    assert max(map(len, lines)) > 100 and "…" not in str(table)
    assert type(table[["p", "wins"]]) is pd.DataFrame, "a part is an ordinary table"


def test_html_markdown_and_latex_hold_the_same_numbers(table):
    html = table._repr_html_()
    assert "&lt;b|c&gt;" in html and "<b|c>" not in html
    markdown = table.to_markdown().splitlines()
    assert len(markdown) == 5 and len({line.replace("\\|", "").count("|") for line in markdown}) == 1
    latex = table.to_latex()
    assert r"100 \%\_a" in latex and latex.count(r"\\") == 4 and "$-0." in latex
    for name, row in table.iterrows():
        shown = f"{row['mean']:.4f}"
        assert shown in html and shown in latex and any(shown in line for line in markdown), name
    assert f"{table['baseline_mean'].iloc[0]:.4f}" in markdown[2] and "first" in markdown[2]


def test_the_picture_shows_each_difference_with_its_interval(table):
    axes = table.plot()
    whiskers, points = axes.lines[0:4:2], axes.lines[1:4:2]
    for name, whisker, point in zip(table.index, whiskers, points, strict=True):
        assert tuple(whisker.get_xdata()) == interval(table.differences[name])
        assert list(point.get_xdata()) == [table.loc[name, "difference"]]
    assert "NDCG@10" in axes.get_xlabel() and "first" in axes.get_xlabel()
    matplotlib.pyplot.close("all")
