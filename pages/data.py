"""Data: the sets at hand, files of one's own, generators, and what each set holds."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.data import files, pictures, sets
from pages.ui.kit.net import fragment
from pages.ui.session import mirror
from pages.ui.session.screen import last

screen = frame.current()
wrong = st.container(key="upload-problems")  # as wide as the page
left, right = st.columns([3, 8], gap="large")
with left:
    entry = sets.choose(screen)
    with st.container(key="upload-place"):
        files.upload(wrong)
with right:
    sets.name(screen, entry)
    dataset = sets.read(screen, entry)
    sets.facts(dataset)


def look_inside() -> None:
    """The pictures of the part chosen: its documents and queries above, its features below."""
    part, colours = pictures.chosen_part(), last().colours
    left, right = st.columns(2, gap="medium")
    with left:
        pictures.grades(dataset, part, colours)
    with right:
        pictures.sizes(dataset, part, colours)
    left, right = st.columns(2, gap="medium")
    with left:
        pictures.features(dataset, part)
    with right:
        pictures.one_feature(dataset, part, colours)
    mirror.settle()


if dataset.splits is not None:
    fragment(look_inside)()
