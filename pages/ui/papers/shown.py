"""The exhibit on screen: its paper, its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ltr_core import PAPERS
from ltr_core.papers import Exhibit, Paper

from ..session import state
from ..style.words import param_label, value_label
from .controls import owner


@dataclass(frozen=True)
class Shown:
    """An exhibit and its paper."""

    paper: Paper
    exhibit: Exhibit

    @property
    def owner(self) -> str:
        """What the keys of its settings begin with."""
        return owner(self.paper.id, self.exhibit.id)

    def values(self) -> dict[str, Any]:
        """Its settings."""
        return state.values_of(self.owner, self.exhibit.params)

    def here(self) -> str:
        """Its data here in words, and what is set otherwise than these say."""
        values, usual = self.values(), self.exhibit.checked()
        changed = [
            f"{param_label(param)} {value_label(param, values[param.name])}"
            for param in self.exhibit.params
            if values[param.name] != usual[param.name]
        ]
        return self.exhibit.our_data + (f" Set otherwise: {', '.join(changed)}." if changed else "")


def on_screen() -> Shown:
    """Return the exhibit that is open."""
    paper, _, exhibit = state.get("exhibit").partition("-")
    return Shown(PAPERS[paper], PAPERS[paper].exhibits[exhibit])
