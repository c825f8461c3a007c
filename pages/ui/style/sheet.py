"""The stylesheet of all pages: `style.css`, and before its rules the theme's colours for all sheets."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .theme import DARK, LIGHT, SLOT_COLOURS


@cache
def stylesheet() -> str:
    """Return the stylesheet as HTML."""
    rules = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
    return f"<style>\n{custom_properties()}\n{rules}</style>"


def custom_properties() -> str:
    """Return the theme's colours as CSS: `--rs-better` and so on follow the theme, `--rs-slot-0` does not."""
    properties = {f"slot-{slot}": colour for slot, colour in enumerate(SLOT_COLOURS)}
    properties |= {"blue": LIGHT.primary, "white": LIGHT.surface}
    for name in ("text", "primary", "better", "worse"):
        properties[name] = f"light-dark({getattr(LIGHT, name)}, {getattr(DARK, name)})"
    return f":root {{ {' '.join(f'--rs-{name}: {value};' for name, value in properties.items())} }}"
