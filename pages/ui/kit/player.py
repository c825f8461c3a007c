"""The bar under a figure with frames: play, pause, step, back, any round, by mouse and by keyboard.

It drives the figure in the browser. The server hears of a round when the picture has come to rest on it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_MOUNT = st.components.v2.component(
    "rankscope.player",
    html=(_HERE / "player.html").read_text(encoding="utf-8"),
    css=(_HERE / "player.css").read_text(encoding="utf-8"),
    js=(_HERE / "player.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def player(
    key: str, figure: str, scene: str, n_rounds: int, round_: int, on_rest: Callable[[int], None]
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
    on_rest : callable
        Called with the round on which the user left the figure.
    """

    def rest() -> None:
        found = st.session_state[key].get("round")
        if found is not None:
            on_rest(min(n_rounds, max(0, int(found))))

    data = {"figure": figure, "scene": scene, "n_rounds": n_rounds, "round": round_}
    _MOUNT(key=key, data=data, on_round_change=rest)
