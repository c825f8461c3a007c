"""A sparkline as a small picture, for tables."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import numpy as np


def sparkline(
    values: Sequence[float] | np.ndarray,
    colour: str,
    mark: int | None = None,
    width: int = 88,
    height: int = 22,
) -> str:
    """Return an image of the values, with a dot at position `mark`."""
    y = np.asarray(values, dtype=float)
    kept = np.flatnonzero(np.isfinite(y))
    if len(kept) < 2:
        return ""
    if len(kept) > 2 * width:  # more points than pixels
        kept = np.unique(np.r_[kept[np.linspace(0, len(kept) - 1, 2 * width).astype(int)], kept[-1]])
    low, high = y[kept].min(), y[kept].max()
    span = (high - low) or 1.0
    xs = 2 + (width - 4) * np.arange(len(y)) / max(1, len(y) - 1)
    ys = 2 + (height - 4) * (1 - (y - low) / span)
    points, dot = " ".join(f"{xs[i]:.1f},{ys[i]:.1f}" for i in kept), ""
    if mark is not None and 0 <= mark < len(y) and np.isfinite(y[mark]):
        dot = f'<circle cx="{xs[mark]:.1f}" cy="{ys[mark]:.1f}" r="2.4" fill="{colour}"/>'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.4"/>{dot}</svg>'
    )
    data = base64.b64encode(svg.encode()).decode()  # Streamlit strips inline SVG, not images
    return (
        f'<img class="spark" alt="" width="{width}" height="{height}" src="data:image/svg+xml;base64,{data}">'
    )
