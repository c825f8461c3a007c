"""The stylesheet of all pages: `style.css`, and before its rules the theme's colours for all sheets."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .theme import DARK, LIGHT


@cache
def stylesheet() -> str:
    """Return the stylesheet as HTML."""
    rules = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
    return f"<style>\n{custom_properties()}\n{rules}</style>"


def custom_properties() -> str:
    """Return the theme's colours as CSS: `--rs-better`, `--rs-slot-0` and so on follow the theme."""
    pairs = {f"slot-{slot}": pair for slot, pair in enumerate(zip(LIGHT.slots, DARK.slots, strict=True))}
    for name in ("text", "primary", "surface", "better", "worse"):
        pairs[name] = getattr(LIGHT, name), getattr(DARK, name)
    told = [f"--rs-{name}: light-dark({light}, {dark});" for name, (light, dark) in pairs.items()]
    return f":root {{ {' '.join(told)} }}"
