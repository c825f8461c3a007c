"""What is read stands out 4.5 : 1 from its ground in both themes, lines 3 : 1 from the dark one."""

from __future__ import annotations

import re
from itertools import product

import pytest

from pages.ui.charts.sweep_axes import Axes, ink_on
from pages.ui.kit import marks
from pages.ui.style import theme
from pages.ui.style.theme import DARK, GRADE_COLOURS, LIGHT, READABLE, VISIBLE, mixed
from tests.live import ROOT

THEMES = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=lambda p: p.name)
SHEETS = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "pages").rglob("*.css"))]


def contrast(one, other):
    """As WCAG 2.2 defines it: written once more, for the theme chooses by its own."""
    found = []
    for colour in (one, other):
        r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (r, g, b)]
        found.append(sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)))
    return (max(found) + 0.05) / (min(found) + 0.05)


def test_the_ratio_is_that_of_the_standard():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    for one, other in product((*LIGHT.slots, *DARK.slots), ("#14171c", "#ffffff")):
        assert theme.contrast(one, other) == pytest.approx(contrast(one, other))


@THEMES
def test_every_line_is_seen_and_every_label_is_read(colours):
    for slot, is_baseline in product(range(10), (False, True)):
        look = theme.stroke(slot, is_baseline, colours)
        for ground in (colours.surface, colours.raised):
            if colours is DARK or is_baseline:  # on white Petroff's own ten, each with a dash and a label
                assert contrast(look.colour, ground) >= VISIBLE, (slot, ground)
        assert contrast(theme.letters(look.colour, colours), colours.surface) >= READABLE, slot
    for ground in (colours.surface, colours.raised):
        for name in ("text", "muted", "primary", "better", "worse"):
            assert contrast(getattr(colours, name), ground) >= READABLE, (name, ground)
    assert contrast(colours.surface, colours.primary) >= READABLE  # a main button's words


@THEMES
def test_faded_words_are_read(colours):
    """The stylesheets fade words by opacity; a faded word in a faded line fades twice."""
    rules = [rule for sheet in SHEETS for rule in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet)]
    shares = {
        name.strip(): float(found[1])
        for name, body in rules
        if (found := re.search(r"opacity: ([\d.]+)", body))
    }
    assert shares
    for name, share in shares.items():
        share *= shares.get(name.rpartition(" ")[0], 1.0)
        for ground in (colours.surface, colours.raised):
            assert contrast(mixed(colours.text, ground, share), ground) >= READABLE, (name, share)


@THEMES
def test_digits_are_read_on_their_tints(colours):
    for level, hue in enumerate(GRADE_COLOURS):
        assert contrast(theme.grade_ink(level), hue) >= READABLE, hue
    for ground in (colours.faint, colours.heavy, mixed(colours.faint, colours.heavy, 0.5)):
        assert contrast(colours.text, ground) >= READABLE, ground
    for hue, tint in product((colours.slots[0], colours.slots[6]), range(0, marks.STRONGEST + 1, 4)):
        assert contrast(colours.text, mixed(hue, colours.surface, tint / 100)) >= READABLE, (hue, tint)
    for up, share in product((True, False), (i / 20 for i in range(21))):
        place, (worst, middle, best) = share if up else 1 - share, colours.scale
        low, high = (worst, middle) if place <= 0.5 else (middle, best)
        ground = mixed(high, low, 2 * place if place <= 0.5 else 2 * place - 1)
        assert contrast(ink_on(share, Axes((), (), "", up), colours), ground) >= READABLE, (up, share)
