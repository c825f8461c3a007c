"""The bar under a figure with frames: play, pause, step, back, any round, by mouse and by keyboard.

It drives the figure in the browser. The server hears of a round when the picture has come to rest on it;
while it plays slowly, of the rounds that it passes too, as many as it can answer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from ..session import state

_HERE = Path(__file__).parent
_MOUNT = st.components.v2.component(
    "rankscope.player",
    html=(_HERE / "player.html").read_text(encoding="utf-8"),
    css=(_HERE / "player.css").read_text(encoding="utf-8"),
    js=(_HERE / "player.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def player(
    key: str,
    figure: str,
    scene: str,
    n_rounds: int,
    round_: int,
    slow: bool,
    on_round: Callable[[int, bool], None],
    on_pace: Callable[[bool], None],
) -> None:
    """Draw the bar.

    Parameters
    ----------
    key : str
        The bar's own key.
    figure : str
        The key of the container that holds the figure.
    scene : str
        Another text is another figure, which begins at round 0.
    n_rounds, round_ : int
        The last round, and the one that the figure is to show.
    slow : bool
        Whether it plays slowly enough to follow a page.
    on_round : callable
        Called with the round on which the user left the figure and False, or one that it passes and True.
    on_pace : callable
        Called with `slow` when the user has changed it.
    """

    def told() -> None:
        where = state.told(key).get("told")
        if where is not None:
            on_round(min(n_rounds, max(0, int(where["round"]))), bool(where["passing"]))

    def paced() -> None:
        on_pace(bool(state.told(key).get("slow")))

    data = {"figure": figure, "scene": scene, "n_rounds": n_rounds, "round": round_, "slow": slow}
    _MOUNT(key=key, data=data, on_told_change=told, on_slow_change=paced)
