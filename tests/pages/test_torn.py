"""A run of the app that is stopped while it puts a link on screen leaves no half of it."""

from __future__ import annotations

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from pages.ui.session import link, mirror, state
from tests.dashboard import SMALL, open_app, settle

OTHER = "data.cubic..cubic-n_queries.20..ndcg-k.7..r0.MPBoost.size.1_0.n_rounds.3..r4.GBT.n_trees.2"


@pytest.mark.parametrize("when", [1, 40, "the runs", "the notes"])
def test_what_was_stopped_half_way_is_done_by_the_next_run(monkeypatch, when):
    app, counted = open_app(SMALL, "compare"), []
    put, set_workspace = state.put, state.set_workspace

    def put_some(name, value):
        counted.append(name)
        if len(counted) == when:
            raise StopException  # as at any access to the session, once another run is asked for
        put(name, value)

    def set_some(value):
        if when == "the notes":
            set_workspace(value)
        raise StopException

    with monkeypatch.context() as patch:
        patch.setattr(mirror, "_has_turned", lambda: True)  # Back has led to another link
        patch.setattr(mirror.st, "query_params", {"s": OTHER})
        patch.setattr(state, "put", put_some)
        if isinstance(when, str):
            patch.setattr(state, "set_workspace", set_some)
        app.run()
    settle(app.run())
    values, runs, _ = link.decode(OTHER, state.CONTROLS)
    assert app.session_state["_workspace"] == runs and app.session_state["s"] == OTHER
    assert all(app.session_state[name] == value for name, value in values.items())


def turn_to(app, monkeypatch, text):
    """Run the app as Back or Forward do that have led to a link."""
    with monkeypatch.context() as patch:
        patch.setattr(mirror, "_has_turned", lambda: True)
        patch.setattr(mirror.st, "query_params", {"s": text})
        app.run()


def test_back_to_a_link_counts_more_than_what_a_field_still_shows(monkeypatch):
    app = open_app(f"{SMALL}..ndcg-k.7", "compare")
    app.number_input(key="ndcg-k").set_value(4)  # the browser has not heard of what Back brought a moment ago
    turn_to(app, monkeypatch, app.session_state[state.SENT])
    assert app.session_state["ndcg-k"] == app.number_input(key="ndcg-k").value == 7
    assert "ndcg-k.7" in settle(app.run()).session_state["s"]


def test_all_fields_are_told_until_a_whole_page_was_drawn_after_back(monkeypatch):
    app, said = open_app(SMALL, "compare"), []
    with monkeypatch.context() as patch:
        patch.setattr(mirror, "stands", lambda: None)  # another run is asked for before the page's end
        turn_to(app, patch, OTHER)
    say_again = state.say_again
    monkeypatch.setattr(state, "say_again", lambda: said.append(say_again()))
    monkeypatch.setattr(mirror, "_STORM", 0.0)  # however long that takes
    app.run()
    assert len(said) == 1
    app.run()
    assert len(said) == 1
