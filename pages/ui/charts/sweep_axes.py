"""What the charts of sweeps share: axes of numbers and of names, logarithmic ones, the scale of colours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ltr_core.sweeps import FitStatus

from ..style.theme import Palette, ink_for, mixed
from .base import log_ticks, widened


@dataclass(frozen=True)
class Axes:
    """What points are drawn over: the parameters, which of them in factors, and what is measured."""

    titles: Sequence[str]
    logs: Sequence[bool]
    measure: str
    higher_is_better: bool = True


def is_numeric(column: pd.Series) -> bool:
    """Whether a parameter takes numbers."""
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in column)


def finished(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the points that have come to their end."""
    return frame[(frame["status"] == FitStatus.DONE) & frame["value"].notna()]


def order_of(frame: pd.DataFrame, axis: int) -> list[str]:
    """Return the labels of an axis, numbers in their order."""
    names = frame[[f"x{axis}", f"l{axis}"]].drop_duplicates(f"l{axis}")
    return list((names.sort_values(f"x{axis}") if is_numeric(names[f"x{axis}"]) else names)[f"l{axis}"])


def along(frame: pd.DataFrame, axis: int) -> pd.Series:
    """Return a parameter's places: numbers, or names."""
    return frame[f"x{axis}"].astype(float) if is_numeric(frame[f"x{axis}"]) else frame[f"l{axis}"]


def scale(update: Callable[..., Any], column: pd.Series, title: str, log: bool) -> None:
    """Give an axis of numbers its range with a little air, and its ticks; names stay as they are."""
    if is_numeric(column):
        values = np.log10(column.astype(float)) if log else column.astype(float)
        ends = widened(float(values.min()), float(values.max()), 0.06, 0.5)
        update(type="log" if log else "linear", range=list(ends))
        if log:
            update(**log_ticks(*ends_of(column)), title_text=f"{title} (log)")


def dimension(frame: pd.DataFrame, axis: int, title: str, log: bool) -> dict:
    """Return a parameter as an axis of parallel lines."""
    if not is_numeric(frame[f"x{axis}"]):
        names = list(dict.fromkeys(frame[f"l{axis}"]))
        places = [names.index(label) for label in frame[f"l{axis}"]]
        return {"label": title, "values": places, "tickvals": list(range(len(names))), "ticktext": names}
    values = frame[f"x{axis}"].astype(float)
    if not log:
        return {"label": title, "values": values}
    ticks = log_ticks(*ends_of(values))
    places = np.log10(ticks["tickvals"]).tolist()
    return {"label": title, "values": np.log10(values), **ticks, "tickvals": places}


def ends_of(column: pd.Series) -> tuple[float, float]:
    """Return the smallest and the largest number."""
    return float(column.min()), float(column.max())


def with_air(values: pd.Series, deviation: pd.Series | None = None) -> list[float]:
    """Return the range of values, their deviations included, with a little air."""
    spread = 0.0 if deviation is None else deviation.astype(float).fillna(0.0)
    low, high = float((values - spread).min()), float((values + spread).max())
    if not math.isfinite(low + high):
        return [0.0, 1.0]
    low, high = widened(low, high, 0.084)
    return [low, high + 0.046 * (high - low)]  # and room for the name of the best


def colour_scale(axes: Axes, colours: Palette) -> list[tuple[float, str]]:
    """Return the colours from worst to best: darker is better on light, lighter on dark."""
    hues = colours.scale if axes.higher_is_better else colours.scale[::-1]
    return list(zip((0.0, 0.5, 1.0), hues, strict=True))


def ink_on(share: float, axes: Axes, colours: Palette) -> str:
    """Return what can be read on a cell whose value is so far from the lowest to the highest."""
    if math.isnan(share):
        return colours.muted
    strong, (worst, middle, best) = share if axes.higher_is_better else 1.0 - share, colours.scale
    low, high, way = (worst, middle, 2 * strong) if strong <= 0.5 else (middle, best, 2 * strong - 1)
    return ink_for(mixed(high, low, way))


def colour_bar(measure: str, colours: Palette) -> dict:
    """Return the legend of the colours."""
    return {
        "title": {"text": measure, "font": {"size": 12, "color": colours.muted}},
        "thickness": 10,
        "tickfont": {"size": 11, "color": colours.muted},
        "outlinewidth": 0,
        "tickformat": ".4f",
        "nticks": 5,
    }
