"""The picture of the house in CONTRIBUTING.md is what the imports draw."""

from __future__ import annotations

from tests.project import house
from tests.project.layers import LAYERS


def test_the_picture_is_current():
    text = house.DOCUMENT.read_text(encoding="utf-8")
    assert text.count(house.BEGIN) == text.count(house.END) == 1
    assert house.redrawn(text) == text, "run python -m tests.project.house"


def test_every_room_is_in_it_from_the_top_down():
    lines = [line.split()[0] for line in house.picture().splitlines() if line and line[0] not in " `"]
    rooms = [line.rstrip("/").removesuffix(".py").replace("/", ".") for line in lines]
    assert rooms == [room for layer in LAYERS for room in layer if room not in house.ENTERED_TOGETHER]
