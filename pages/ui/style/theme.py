"""Colours, dashes and markers: the one home of what things look like.

A colour belongs to a slot of the workspace and is never alone: every slot has its dash and its marker too, so
that ten runs can be told apart in grey. The baseline is thick, neutral and dashed, whatever its slot.

Stylesheets name these colours as custom properties, which `style.sheet` writes before their rules. What
Streamlit has to know of them stands again in `.streamlit/config.toml`, and the logo has its own: a test
compares them.
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
HEAVY = "#2f7fc4"  # the heaviest pair of a matrix of weights


@dataclass(frozen=True)
class Palette:
    """The colours of a theme that belong to no run.

    `raised` is the ground of the sidebar and of fields, `faint` of the lightest pair in a matrix of weights,
    and `scale` goes from the worst point of a sweep to the best.
    """

    name: str
    text: str
    muted: str
    grid: str
    surface: str
    raised: str
    primary: str
    better: str
    worse: str
    faint: str
    scale: tuple[str, str, str]


LIGHT = Palette(
    "light",
    text="#23272e",
    muted="#5f6773",
    grid="#e7e9ec",
    surface="#ffffff",
    raised="#f4f6f8",
    primary="#2171b5",
    better="#2171b5",
    worse="#c4500a",
    faint="#eef2f6",
    scale=("#e3edf7", "#6baed6", "#08306b"),
)
DARK = Palette(
    "dark",
    text="#e8eaed",
    muted="#a2a9b3",
    grid="#30353d",
    surface="#14171c",
    raised="#1e232a",
    primary="#4a97d8",
    better="#6baed6",
    worse="#f59b57",
    faint="#232a33",
    scale=("#1b2a3a", "#2f74b0", "#c6dbef"),
)


def palette(name: str | None) -> Palette:
    """Return the colours of "light" or "dark"."""
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


def grade_level(grade: float, top: float = 0.0) -> int:
    """Return a grade's place among the hues; where grades go beyond the hues, they share them out evenly."""
    most = len(GRADE_COLOURS) - 1
    level = grade if top <= most else most * grade / top
    return min(most, max(0, round(level)))


def grade_ink(level: int) -> str:
    """Return what can be read on the hue at a place."""
    return LIGHT.surface if level >= 3 else LIGHT.text


def grade_colour(place: int, of: int) -> str:
    """Return the hue of the grade at a place among so many."""
    most = len(GRADE_COLOURS) - 1
    return GRADE_COLOURS[place if of <= most + 1 else round(place * most / (of - 1))]
