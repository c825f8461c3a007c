"""Lists of documents side by side, as HTML. Every name comes from somebody's file: all of it is escaped."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from html import escape

from ltr_core.measures import Measure

from ..kit.html import swatch
from ..kit.marks import badge, shift
from ..style.lettering import unbroken
from ..style.theme import Stroke
from ..style.words import number, signed
from ..tables.documents import Page
from ..tables.queries import IDEAL, Listed

_LONG = 10  # from so many characters on a document's name gets a line of its own
_MOST_LINKED = 150  # documents that light up in all lists when one is pointed at


def lists_html(
    lists: Sequence[Listed],
    pages: Sequence[Page],
    looks: Mapping[int, Stroke],
    measure: Measure,
    shown: int,
    chosen: int | None,
) -> str:
    """Return lists side by side.

    Parameters
    ----------
    lists : sequence of Listed
        The ideal order and the runs'.
    pages : sequence of Page
        The query's documents, by their place in the file.
    looks : mapping
        The stroke of each slot.
    measure : Measure
        What is measured; a line is drawn below the documents that it counts.
    shown : int
        How many documents of each list are printed.
    chosen : int or None
        A document that is set off in all lists.
    """
    base = next((x for x in lists if x.slot != IDEAL), None)
    tall = max((len(page.label) for page in pages), default=0) >= _LONG
    body = "".join(_list(listed, base, pages, looks, measure, shown, chosen) for listed in lists)
    return f'{_linked(lists, shown)}<div class="lists{" tall" if tall else ""}">{body}</div>'


def _list(
    listed: Listed,
    base: Listed | None,
    pages: Sequence[Page],
    looks: Mapping[int, Stroke],
    measure: Measure,
    shown: int,
    chosen: int | None,
) -> str:
    ideal = listed.slot == IDEAL
    head = f"{'' if ideal else f'{swatch(looks[listed.slot])} '}<b>{escape(unbroken(listed.name))}</b>"
    when = "by grade" if ideal else f"round {listed.iteration or 0:,} of {listed.n_iter:,}"
    if listed.iteration is None and not ideal:
        when = "brought along"
    moves, top = not ideal and (listed is not base or listed.rows["shift"].any()), listed.rows["grade"].max()
    items = "".join(
        _item(row, pages[row.doc], ideal, moves, top, row.rank == measure.options.get("k"), row.doc == chosen)
        for row in listed.rows.head(shown).itertuples()
    )
    rest = len(listed.rows) - shown
    more = f'<p class="note">and {rest:,} more</p>' if rest > 0 else ""
    return (
        f'<section class="ranked" data-slot="{listed.slot}" aria-label="{escape(listed.name, quote=True)}">'
        f'<header><p title="{escape(listed.name, quote=True)}">{head}</p>'
        f'<p class="value">{escape(measure.label)} <b>{number(listed.value)}</b> '
        f"{_delta(listed, base, measure)}</p>"
        f'<p class="note">{when}{_ties(listed)}</p></header><ol>{items}</ol>{more}</section>'
    )


def _delta(listed: Listed, base: Listed | None, measure: Measure) -> str:
    if base is None or listed.slot in (IDEAL, base.slot) or math.isnan(listed.value - base.value):
        return ""
    difference = listed.value - base.value
    gain = difference if measure.higher_is_better else -difference
    side = "better" if gain > 0 else "worse" if gain < 0 else "muted"
    return f'<span class="{side}">{signed(difference)}</span>'


def _ties(listed: Listed) -> str:
    """Say where equal scores make the expectation differ from the order on screen."""
    if listed.slot == IDEAL or not listed.rows["tied"].any():
        return ""
    if number(listed.value) == number(listed.as_listed):
        return " · ≈ equal scores"
    return f" · ≈ equal scores: the mean over their orders; {number(listed.as_listed)} as listed"


def _item(row, page: Page, ideal: bool, moves: bool, top: float, last: bool, chosen: bool) -> str:
    classes = " ".join(name for name, on in (("last", last), ("chosen", chosen)) if on)
    hint = page.name if not page.title else f"{page.title} — {page.name}"
    tie = '<i title="Another document has the same score">≈</i>' if row.tied and not ideal else ""
    moved = f'<span class="shift">{shift(row.shift)}</span>' if moves else ""
    score = "" if ideal else f'<span class="score">{tie}{score_text(row.score)}</span>'
    name = f'<span class="name">{escape(page.label)}</span>'
    return (
        f'<li class="{classes}" data-doc="{row.doc + 1}" title="{escape(hint, quote=True)}">'
        f'<span class="rank">{row.rank}</span>{badge(row.grade, top)}{name}{moved}{score}</li>'
    )


def score_text(score: float) -> str:
    """Return a score as the lists print it."""
    if score and not 1e-3 <= abs(score) < 1e4:
        return f"{score:.3g}".replace("-", "−")
    return number(score)


def _linked(lists: Sequence[Listed], shown: int) -> str:
    """Return the style by which a document that is pointed at lights up in all lists."""
    docs = sorted({doc + 1 for listed in lists for doc in listed.rows["doc"].head(shown)})
    if len(docs) > _MOST_LINKED:
        return ""
    rules = ",".join(f'.lists:has([data-doc="{d}"]:hover) [data-doc="{d}"]' for d in docs)
    return f"<style>{rules} {{ background: color-mix(in srgb, var(--rs-slot-0) 22%, transparent); }}</style>"


def page_html(page: Page, query: str, grade: float, top: float) -> str:
    """Return a document to be read: title, address, text; the query's words are marked."""
    title = f'<p class="title">{badge(grade, top)} <b>{_marked(page.label, query)}</b></p>'
    if not page.title:
        return f'<div class="page">{title}</div>'
    text = f'<p class="note">{escape(page.name)}</p><p>{_marked(page.text, query)}</p>'
    return f'<div class="page">{title}{text}</div>'


def _marked(text: str, query: str) -> str:
    """Return a text, escaped, with the query's words marked."""
    words = [re.escape(word) for word in query.split() if len(word) > 1]
    if not words:
        return escape(text)
    pieces = re.split(
        rf"\b({'|'.join(words)})\b", text, flags=re.IGNORECASE
    )  # every second one is such a word
    return "".join(f"<mark>{escape(p)}</mark>" if i % 2 else escape(p) for i, p in enumerate(pieces))
