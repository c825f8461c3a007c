"""Charts as they are printed: light, titled, every line named once; written from Python with a Chromium."""

from __future__ import annotations

import struct

import pandas as pd
import pytest

import ltr_core as ltr
from pages.ui.charts.curves import draw_curves
from pages.ui.kit.image import plain
from pages.ui.style.image import WIDTH, for_print, save_image
from pages.ui.style.theme import DARK, LIGHT, letters, stroke
from tests import live
from tests.dashboard import SMALL, open_app


def drawn(colours, n=2):
    frame = pd.DataFrame(
        [
            {
                "slot": slot,
                "run": f"Run {slot}",
                "split": split,
                "iteration": i,
                "value": 0.1 * i + 0.05 * slot,
            }
            for slot in range(n)
            for split in ("train", "test")
            for i in range(4)
        ]
    )
    looks = {slot: stroke(slot, not slot, colours) for slot in range(n)}
    return draw_curves(frame, looks, "NDCG@5", colours=colours)


def test_a_printed_chart_is_light_titled_and_names_each_line_once():
    figure = drawn(DARK)
    before = figure.to_json()
    printed = for_print(figure, "NDCG@5 <by> round", ["on test", "gain 2ʳ − 1"])
    assert figure.to_json() == before
    text = printed.to_json()
    for dark in (DARK.text, DARK.grid, DARK.surface, letters(DARK.slots[1], DARK)):
        assert dark not in text
    assert LIGHT.text in text and LIGHT.slots[1] in text and letters(LIGHT.slots[1], LIGHT) in text
    assert printed.layout.title.text == "<b>NDCG@5 &lt;by&gt; round</b>"
    assert printed.layout.title.subtitle.text == "on test<br>gain 2ʳ − 1"
    named = [trace.name for trace in printed.data if trace.showlegend]
    assert (
        sorted(named) == sorted({trace.name for trace in figure.data if trace.name})
        and printed.layout.showlegend
        and printed.layout.width == WIDTH
    )
    light = for_print(drawn(LIGHT), "NDCG@5 <by> round", ["on test", "gain 2ʳ − 1"])
    assert light.to_json() == text


def test_titles_are_plain_words():
    assert plain("NDCG <b>of</b> &lt;x&gt;") == "NDCG of <x>"


def test_every_chart_has_its_button():
    app = open_app(SMALL, page="compare").run()
    assert {"image-compare-loss", "image-compare-curve", "image-compare-depths"} <= {
        b.key for b in app.button
    }
    app.button("image-compare-curve").click().run()
    assert not app.exception


@pytest.mark.slow
def test_pictures_are_written_from_python(tmp_path):
    if live.find_chromium() is None:
        pytest.skip("no Chromium on this machine")
    printed = for_print(drawn(LIGHT), "A title")
    png = save_image(printed, tmp_path / "a.png").read_bytes()
    assert list(struct.unpack(">II", png[16:24])) == [2 * WIDTH, 2 * printed.layout.height]
    svg = save_image(printed, tmp_path / "a.svg").read_text()
    assert svg.startswith("<svg") and "A title" in svg and "Run 1" in svg
    with pytest.raises(ltr.ParameterError, match="png or .svg"):
        save_image(printed, tmp_path / "a.gif")


def test_without_a_browser_there_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.delenv("RANKSCOPE_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ltr.DataError, match="install Chromium, or write HTML|Install Chromium"):
        save_image(drawn(LIGHT), tmp_path / "a.png")
