"""Colours, dashes and markers: the one home of what things look like.

A colour belongs to a slot of the workspace and is never alone: every slot has its dash and its marker too, so
that ten runs can be told apart in grey. The baseline is thick, neutral and dashed, whatever its slot.

Stylesheets name these colours as custom properties, which `style.sheet` writes before their rules. What
Streamlit has to know of them stands again in `.streamlit/config.toml`, and the logo has its own: a test
compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

# Petroff's ten colours, as he gives them for a white ground. On the dark ground three are moved, where a line
# would stand out by less than 3 : 1.
_ON_LIGHT = (
    "#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6",
    "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd",
)  # fmt: skip
_ON_DARK = (
    "#3f90da", "#ffa90e", "#ce341b", "#94a4a2", "#9946ce",
    "#a96b59", "#e76300", "#b9ac70", "#7b7f8b", "#92dadd",
)  # fmt: skip
SLOT_DASHES = (
    "solid", "6px,3px", "2px,2px", "10px,3px,2px,3px", "12px,4px",
    "solid", "6px,3px", "2px,2px", "10px,3px,2px,3px", "12px,4px",
)  # fmt: skip
SLOT_MARKERS = (
    "circle", "square", "diamond", "triangle-up", "pentagon",
    "triangle-down", "hexagon", "star", "cross", "x",
)  # fmt: skip

READABLE, VISIBLE = 4.5, 3.0  # the least contrast of text and of lines with their ground (WCAG, AA)

GRADE_COLOURS = ("#d9d9d9", "#c6dbef", "#6baed6", "#2171b5", "#08306b")


@dataclass(frozen=True)
class Palette:
    """The colours of a theme.

    `slots` are those of the runs. `raised` is the ground of the sidebar and of fields, `faint` and `heavy`
    those of the lightest and the heaviest pair in a matrix of weights, and `scale` goes from the worst point
    of a sweep to the best.
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
    heavy: str
    scale: tuple[str, str, str]
    slots: tuple[str, ...]


LIGHT = Palette(
    "light",
    text="#23272e",
    muted="#5f6773",
    grid="#e7e9ec",
    surface="#ffffff",
    raised="#f4f6f8",
    primary="#1f6fb3",
    better="#2171b5",
    worse="#b84a08",
    faint="#eef2f6",
    heavy="#6baed6",
    scale=("#e3edf7", "#6baed6", "#08306b"),
    slots=_ON_LIGHT,
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
    heavy="#2a5f93",
    scale=("#1b2a3a", "#2f74b0", "#c6dbef"),
    slots=_ON_DARK,
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
    return Stroke(colours.slots[slot], SLOT_DASHES[slot], SLOT_MARKERS[slot], 2.0)


def contrast(one: str, other: str) -> float:
    """Return how far two colours stand apart, from 1 to 21: WCAG's ratio of their luminances."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    shares = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def mixed(one: str, other: str, share: float) -> str:
    """Return a share of one colour over another, which gives the rest."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def ink_for(ground: str) -> str:
    """Return black or white, whichever is read better on a ground: one of them always is."""
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, ground))


@lru_cache(256)
def letters(colour: str, colours: Palette) -> str:
    """Return a line's colour for text: as near to the theme's ink as thin letters need to be read."""
    shares = (0.7, 0.6, 0.5, 0.4, 0.3)
    inks = [mixed(colour, colours.text, share) for share in shares]
    return next((ink for ink in inks if contrast(ink, colours.surface) >= READABLE), colours.text)


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
