"""`bound`: the one way a widget follows a control that other things change too: a click, a table, a link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from . import state

_ITSELF: Any = object()


def bound(
    name: str,
    widget: Callable[..., Any],
    label: str,
    *given: Any,
    shows: Any = _ITSELF,
    take: Callable[[Any], None] | None = None,
    words: Mapping[Any, str] | Callable[[Any], str] | None = None,
    forget: Sequence[str] = (),
    quiet: bool = False,
    **more: Any,
) -> Any:
    """Draw a widget that shows a control and sets it, and return what it says.

    Parameters
    ----------
    name : str
        The control; the widget has its name as key, and its help.
    widget : callable
        Streamlit's, e.g. ``st.selectbox``; `given` and `more` are its own arguments.
    shows : optional
        What the control comes to on what is shown, where it may be empty (the worst query, the last run) or
        is drawn on the page already. The widget then has a key of its own, "pick-" and the name, and the
        control is set when somebody uses it: what nobody chose is not in the link.
    take : callable, optional
        Called with a new value instead, where there is no control but a part of one, such as one end of
        a range; `name` is then the widget's key.
    words : mapping or callable, optional
        What the choices are called.
    forget : sequence of str
        Controls that go back to their defaults with every change of this one.
    quiet : bool
        Whether the label is for screen readers only.
    """
    if quiet:
        more["label_visibility"] = "collapsed"
    elif name in state.CONTROLS:
        more.setdefault("help", state.CONTROLS[name].help)
    if words is not None:
        more["format_func"] = words.__getitem__ if isinstance(words, Mapping) else words
    if shows is _ITSELF:
        if name in state.CONTROLS and name not in st.session_state:
            state.put(name, state.CONTROLS[name].default)
        if forget:
            more |= {"on_change": state.reset, "args": forget}
        return widget(label, *given, key=name, persist_state="session", **more)
    key = f"pick-{name}" if take is None else name
    state.put(key, shows)  # in every run: a browser that missed the first one would show the first option
    options = given[0] if given and isinstance(given[0], list) and not isinstance(shows, list) else None
    args = (key, take or partial(state.put, name), options, forget)
    return widget(label, *given, key=key, on_change=_take, args=args, **more)


def _take(
    key: str, take: Callable[[Any], None], options: Sequence[Any] | None, forget: Sequence[str]
) -> None:
    """Set the control; a widget whose options have just changed may still send one of the old ones."""
    value = st.session_state.get(key, _ITSELF)
    if value is _ITSELF:
        return  # the widget went while its word was on the way
    if options is None or value in options:
        take(value)
        state.reset(*forget)


def clicked(
    name: str, key: str, rows: Sequence[Any] | None = None, forget: Sequence[str] = ()
) -> Callable[[], None]:
    """Return what a click does that sets a control: on a table's row, or on a point with data of its own.

    `key` is the table's or the figure's, and `rows` are the values of the table's rows.
    """

    def take() -> None:
        if key not in st.session_state:
            return  # the picture went while the click was on the way
        selection, last = st.session_state[key].selection, f"{key}-last"
        if rows is not None:
            picked = [rows[number] for number in selection.rows]
        else:  # a second click on the same point takes the selection back, and means the same point
            picked = [p.get("customdata") for p in selection.points] or [st.session_state.get(last)]
        if not picked or picked[0] is None:
            return
        value = picked[0][0] if isinstance(picked[0], list | tuple) else picked[0]
        if rows is None:
            state.put(last, value)
        state.put(name, value)
        state.reset(*forget)

    return take
