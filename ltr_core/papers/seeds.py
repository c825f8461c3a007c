"""How verdicts stand from seed to seed: `seeds.json`, made by ``python -m tests.papers.by_seed``.

A card draws its data anew for each seed. What holds for one seed and cannot be told for another is as
uncertain as that; so each claim's answers at ten seeds come with the program, at the default settings.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..evaluation.verdicts import State

FILE = Path(__file__).with_name("seeds.json")
SIGNS = {State.HOLDS: "+", State.FAILS: "-", State.UNTOLD: "?"}


@dataclass(frozen=True)
class Answers:
    """A claim's answers, one for each seed: "+" it holds, "-" it does not, "?" it cannot be told."""

    signs: str

    @property
    def first(self) -> State:
        """The answer of the first seed, which is the default one."""
        return next(state for state, sign in SIGNS.items() if sign == self.signs[0])

    def count(self, state: State) -> int:
        """Return how many seeds answer so."""
        return self.signs.count(SIGNS[state])

    @property
    def contradicts_itself(self) -> bool:
        """Whether more than one in ten seeds tells the opposite of what most tell."""
        told = sorted((self.count(State.HOLDS), self.count(State.FAILS)))
        return told[0] > len(self.signs) / 10


@cache
def _read() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def records() -> dict[str, Any]:
    """Return all that is recorded, by paper and exhibit."""
    return _read()


def forget() -> None:
    """Read the file anew at the next question."""
    _read.cache_clear()


def answers(paper: str, exhibit: str) -> dict[str, Answers]:
    """Return the answers of each claim of an exhibit at its defaults."""
    claims = _read().get(paper, {}).get(exhibit, {}).get("claims", {})
    return {claim: Answers(told["signs"]) for claim, told in claims.items()}
