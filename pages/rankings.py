"""Rankings: every query won and lost, its lists side by side, and why a document is where it is."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.rankings import case as cases
from pages.ui.rankings import lists, queries, ranks, why

case = cases.choose(frame.current())
if case is not None:
    queries.tally(case)
    queries.bars(case)
    with lists.of_query(case):
        lists.rounds(case)
        lists.side_by_side(case)
        lists.features(case)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        ranks.slopes(case)
    with right, why.of_document(case) as score:
        why.page(score)
        why.by_feature(score)
    why.by_round(score)
