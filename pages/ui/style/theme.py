"""Colours, dashes and markers: the one home of what things look like.

A colour belongs to a slot of the workspace and is never alone: every slot has its dash and its marker too, so
that ten runs can be told apart in grey. The baseline is thick, neutral and dashed, whatever its slot.
"""

from __future__ import annotations

from dataclasses import dataclass

SLOT_COLOURS = (
    "#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6",
    "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd",
)  # fmt: skip
SLOT_DASHES = (
    "solid", "6px,3px", "2px,2px", "10px,3px,2px,3px", "12px,4px",
    "solid", "6px,3px", "2px,2px", "10px,3px,2px,3px", "12px,4px",
)  # fmt: skip
SLOT_MARKERS = (
    "circle", "square", "diamond", "triangle-up", "pentagon",
    "triangle-down", "hexagon", "star", "cross", "x",
)  # fmt: skip

GRADE_COLOURS = ("#d9d9d9", "#c6dbef", "#6baed6", "#2171b5", "#08306b")
BETTER, WORSE = "#2171b5", "#c4500a"


@dataclass(frozen=True)
class Palette:
    """The neutral colours of a theme."""

    name: str
    text: str
    muted: str
    grid: str
    surface: str
    better: str
    worse: str


LIGHT = Palette("light", "#23272e", "#5f6773", "#e7e9ec", "#ffffff", BETTER, WORSE)
DARK = Palette("dark", "#e8eaed", "#a2a9b3", "#30353d", "#14171c", "#6baed6", "#f59b57")


def palette(name: str | None) -> Palette:
    """Return the neutral colours of "light" or "dark"."""
    return DARK if name == "dark" else LIGHT


@dataclass(frozen=True)
class Stroke:
    """How a run is drawn: on every page, in every chart."""

    colour: str
    dash: str
    marker: str
    width: float


def stroke(slot: int, is_baseline: bool, colours: Palette) -> Stroke:
    """Return the stroke of a slot."""
    if is_baseline:
        return Stroke(colours.text, "9px,5px", SLOT_MARKERS[slot], 3.0)
    return Stroke(SLOT_COLOURS[slot], SLOT_DASHES[slot], SLOT_MARKERS[slot], 2.0)


def grade_level(grade: float, top: float) -> int:
    """Return a grade's place among the hues; where grades go beyond the hues, they share them out evenly."""
    most = len(GRADE_COLOURS) - 1
    level = grade if top <= most else most * grade / top
    return min(most, max(0, round(level)))


# Values as colours, the least first: darker is more on light, lighter on dark.
VALUE_SCALES = {"light": ("#e3edf7", "#6baed6", "#08306b"), "dark": ("#1b2a3a", "#2f74b0", "#c6dbef")}
