"""What each round added, as a table."""

from __future__ import annotations

import streamlit as st

from ..kit import panel
from ..tables import model as tables
from ..tables.model import Inspected


def every_round(inspected: Inspected) -> None:
    """Show a row for each round."""
    frame = tables.rounds(inspected)
    with panel.panel("Rounds", "what each round added", lambda: panel.csv(frame, "rounds")):
        told = {
            name: st.column_config.NumberColumn(name.replace("_", " "), format="%.5g")
            for name in frame.columns
            if name not in ("round", "feature")
        }
        alt = "A row for each round: feature and numbers"
        st.dataframe(frame, hide_index=True, height=560, key="rounds", alt=alt, column_config=told)
