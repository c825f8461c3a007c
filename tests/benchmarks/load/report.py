"""The figures of a load test: one table for people, one JSON document for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .people import Click

SLOW, FROZEN = 1.5, 4.0


def summary(clicks: Sequence[Click]) -> dict[str, Any]:
    """Return how long answers took: count, median, 95 %, worst, the shares that were slow, errors."""
    seconds = np.array([click.seconds for click in clicks])
    if not len(seconds):
        return {"clicks": 0}
    return {
        "clicks": len(seconds),
        "median": float(np.median(seconds)),
        "p95": float(np.quantile(seconds, 0.95)),
        "worst": float(seconds.max()),
        "slow": float((seconds > SLOW).mean()),
        "frozen": float((seconds > FROZEN).mean()),
        "errors": sum(bool(click.error) for click in clicks),
    }


def lines(clicks: Sequence[Click]) -> dict[str, dict[str, Any]]:
    """Return the summaries: of all clicks, of each kind, of readers and trainers."""
    found = {"all": summary(clicks)}
    for name in sorted({click.kind for click in clicks}):
        found[name] = summary([click for click in clicks if click.kind == name])
    for name in sorted({click.who for click in clicks}):
        found[f"{name}s"] = summary([click for click in clicks if click.who == name])
    return found


def table(rows: dict[str, dict[str, Any]]) -> str:
    """Write the summaries as a table."""
    heads = ("median", "95 %", "worst", "> 1.5 s", "> 4 s")
    head = f"{'':10} {'clicks':>7} " + " ".join(f"{word:>8}" for word in heads) + f" {'errors':>7}"
    body = [
        f"{name:10} {row['clicks']:7d} {row['median']:7.2f}s {row['p95']:7.2f}s {row['worst']:7.2f}s "
        f"{row['slow']:8.1%} {row['frozen']:8.1%} {row['errors']:7d}"
        for name, row in rows.items()
        if row["clicks"]
    ]
    return "\n".join([head, *body])
