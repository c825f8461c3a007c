"""What grows while somebody looks: drawn anew when it has changed, and asked for by one timer a page.

A part that grows, such as the curves of a training, is a fragment without a timer of its own. It says what
it shows (`part`), and the page has one fragment that looks (`watch`), the only one that the browser asks for
by itself. A look compares, and draws nothing. Where something has moved, one further run draws all parts that
have, each in its place and under the net; where the page itself is old, as when a training is over, the page
is drawn anew.

The pace is the server's (`Runner.poll_seconds`), slower the more sessions have something under way. A look
that finds nothing new makes the next one later; the first that finds something is fast again. A part may ask
to be drawn less often than that. The timer is started by the first part that grows, and ends with the last.

Streamlit has no public word for another timer of a fragment that runs, or for fragments to be drawn after
this one; both are said here, and nowhere else, in the words that `st.fragment` and `st.rerun` use themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from ..runs.services import services
from ..session import state
from .net import caught, fragment

_LOOK = "look"  # the key of the fragment that looks
_LONGER = 1.5  # by how much a look that finds nothing new puts off the next
_LONGEST = 5.0  # times the pace
_SLOWEST = 4.0  # seconds


@dataclass(eq=False)
class _Part:
    """A part of the page: what it shows now, at most how often it is drawn, what it showed last and when."""

    of: Callable[[], object]
    every: float
    shown: object = None
    at: float = 0.0

    def has_moved(self) -> bool:
        """Whether it would show something else now."""
        return self.of() != self.shown


@dataclass(eq=False)
class _Watch:
    """What the one fragment looks at; made anew with the page."""

    is_old: Callable[[], bool] = bool
    parts: dict[str, _Part] = field(default_factory=dict)
    seconds: float = 0.0  # the timer's, as the browser knows it; 0 is none
    slower: float = 1.0

    @property
    def pace(self) -> float:
        """How many seconds there are between two looks while something moves."""
        return max(services().runner.poll_seconds, min(part.every for part in self.parts.values()))


def watch(is_old: Callable[[], bool]) -> None:
    """Draw the fragment that looks, before any part that grows: the frame's work.

    A look that finds `is_old` true has the whole page drawn anew.
    """
    st.session_state[state.GROWING] = _Watch(is_old)
    st.fragment(caught(_look), key=_LOOK)()


def part(
    draw: Callable[..., None], name: str, of: Callable[[], object] | None, every: float = 0.0
) -> Callable[..., None]:
    """Return the fragment of a part of the page that grows.

    Parameters
    ----------
    draw : callable
        Draws it.
    name : str
        Tells it from the page's other parts.
    of : callable or None
        Returns what it would show now: while that stays the same, it is not drawn anew. None: it does not
        grow, and is a fragment like any other.
    every : float
        Seconds that are at least between two drawings.
    """
    if of is None:
        return fragment(draw)
    one = _Part(of, every)

    @wraps(draw)
    def draw_and_note(*given: Any) -> None:
        one.shown, one.at = one.of(), time.monotonic()
        draw(*given)

    def begin(*given: Any) -> None:
        watched = state.held(state.GROWING, _Watch)
        watched.parts[name] = one
        _ask_every(watched, watched.pace)
        st.fragment(caught(draw_and_note), key=name)(*given)

    return begin


def _look() -> None:
    """Look at everything that grows, and have drawn what has moved."""
    context, watched = get_script_run_ctx(), state.held(state.GROWING, _Watch)
    if context is None or context.fragment_ids_this_run != _fragments((_LOOK,)):
        return  # drawn with the page, or beside the answer to a click, which comes first
    if watched.is_old():
        st.rerun()
    watched.parts = {name: one for name, one in watched.parts.items() if _fragments((name,))}
    if not watched.parts:
        _ask_every(watched, 0.0)
        return
    moved = [name for name, one in watched.parts.items() if one.has_moved()]
    watched.slower = 1.0 if moved else min(_LONGEST, watched.slower * _LONGER)
    pace = watched.pace
    _ask_every(watched, max(pace, min(_SLOWEST, pace * watched.slower)))
    soon = time.monotonic() + pace / 2
    due = [name for name in moved if watched.parts[name].at + watched.parts[name].every <= soon]
    if due and context.script_requests is not None:
        # Asked for, not raised: where the whole page is to be drawn meanwhile, this is refused.
        context.script_requests.request_rerun(
            RerunData(
                query_string=context.query_string,
                page_script_hash=context.page_script_hash,
                fragment_id_queue=_fragments(due),
                is_auto_rerun=True,
                cached_message_hashes=context.cached_message_hashes,
                context_info=context.context_info,
            )
        )


def _fragments(names: Iterable[str]) -> list[str]:
    """Return the ids of the fragments that are on the page by these keys.

    An id says where on the page a fragment stands. One that has moved is known in both places until the run
    ends, the former place first: when the first run takes the place of "No run yet.", for one.
    """
    context, found = get_script_run_ctx(), list[str]()
    for name in names if context is not None else ():
        with suppress(StreamlitAPIException):
            found += context.fragment_storage.resolve_target(name)[-1:]
    return found


def _ask_every(watched: _Watch, seconds: float) -> None:
    """Tell the browser how often to ask for a look; 0 is never."""
    context, looking = get_script_run_ctx(), _fragments((_LOOK,))
    if context is None or not looking or seconds == watched.seconds:
        return
    watched.seconds = seconds
    message = ForwardMsg()
    if seconds:
        message.auto_rerun.interval, message.auto_rerun.fragment_id = seconds, looking[0]
    else:
        message.stop_auto_rerun.fragment_ids.extend(looking)
    context.enqueue(message)
