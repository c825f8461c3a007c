"""The reference: every public name is on it, with what its docstring and its parameters say."""

from __future__ import annotations

import inspect
import subprocess
import sys
from html import escape
from html.parser import HTMLParser

import pytest

import ltr_core as ltr
from ltr_core.reference import reference
from tests.sources import ROOT

PAGE = reference()


class Reader(HTMLParser):
    """Notes anchors, links to them, and tags that are left open."""

    def __init__(self):
        super().__init__()
        self.anchors, self.links, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.anchors += [named["id"]] if "id" in named else []
        self.links += [named["href"].removeprefix("#")] if "href" in named else []
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_every_public_name_is_there_once_and_links_lead_somewhere():
    reader = Reader()
    reader.feed(PAGE)
    assert not reader.open
    assert len(set(reader.anchors)) == len(reader.anchors)
    assert set(reader.links) <= set(reader.anchors)
    assert set(ltr.__all__) - {"datasets"} <= set(reader.anchors)
    assert {"RankingData.to_frame", "Ranker.fit", "Comparison.plot", "Sweep.against"} <= set(reader.anchors)


@pytest.mark.parametrize("name", [*ltr.ALGORITHMS, *ltr.FUNCTIONS, "load", "compare", "sweep"])
def test_docstrings_and_parameters_are_on_the_page(name):
    entry = PAGE.partition(f'<h3 id="{name}">')[2].partition("<h3")[0]
    assert escape(inspect.getdoc(getattr(ltr, name))) in entry
    for param in getattr(ltr.ALGORITHMS.get(name), "params", ()):
        assert f"<code>{param.name}</code>" in entry and escape(param.help) in entry


def test_make_docs_writes_it(tmp_path):
    place = tmp_path / "build" / "reference.html"
    command = [sys.executable, "-m", "ltr_core.reference", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and str(place) in done.stdout, done.stderr
    assert place.read_text(encoding="utf-8") == PAGE
    assert "-m ltr_core.reference build/reference.html" in (ROOT / "Makefile").read_text()
