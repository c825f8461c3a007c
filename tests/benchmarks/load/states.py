"""What a widget is set to when it comes onto the screen, as the browser would send it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState


def _numbers(own: Any) -> WidgetState:
    state = WidgetState(id=own.id)
    if own.options:
        values = list(own.value if own.set_value else own.default)
        state.string_array_value.data.extend(
            (list(own.raw_value) if own.set_value else []) or [own.options[int(i)] for i in values]
        )
    else:
        state.double_array_value.data.extend(own.value if own.set_value else own.default)
    return state


def _number(own: Any) -> WidgetState:
    state, held = WidgetState(id=own.id), "value" if own.set_value else "default"
    if own.HasField(held):
        state.double_value = getattr(own, held)
    return state


def _chosen(own: Any) -> WidgetState:
    state = WidgetState(id=own.id)
    chosen = list(own.raw_values) if own.set_value else [own.options[i].content for i in own.default]
    state.string_array_value.data.extend(chosen)
    return state


def _one_of(own: Any) -> WidgetState:
    state = WidgetState(id=own.id)
    if own.set_value:
        if own.HasField("raw_value"):
            state.string_value = own.raw_value
    elif own.HasField("default"):
        state.string_value = own.options[own.default]
    return state


def _text(own: Any) -> WidgetState:
    state, held = WidgetState(id=own.id), "value" if own.set_value else "default"
    if own.HasField(held):
        state.string_value = getattr(own, held)
    return state


def _switch(own: Any) -> WidgetState:
    return WidgetState(id=own.id, bool_value=own.value if own.set_value else own.default)


STATES: dict[str, Callable[[Any], WidgetState]] = {
    "slider": _numbers,
    "number_input": _number,
    "button_group": _chosen,
    "selectbox": _one_of,
    "radio": _one_of,
    "text_input": _text,
    "checkbox": _switch,
}
