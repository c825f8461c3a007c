"""The pieces of Inspect: which run, what it rests on, and a view for each thing that its model offers."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import pandas as pd
import streamlit as st

from ..charts.models import draw_bars, draw_panels, draw_probabilities, draw_shape, draw_tree
from ..kit import panel
from ..kit.drawn import drawn
from ..runs.presets import START
from ..runs.screens import Screen
from ..session import bound, state
from ..style.words import count
from ..tables import model as results
from ..tables.model import MOST_BARS, MOST_PANELS, Inspected
from . import bins

_MOST_DOCS = 30


def choose(screen: Screen) -> Inspected | None:
    """Draw the choice of the run and return its model; None, and what to do, while there is none."""
    runs = {run.slot: run for run in screen.finished}
    if not runs:
        if screen.under_way:
            st.html('<p class="headline">Training …</p>')
            st.skeleton(height=420)
        elif screen.splits is not None:
            st.html('<p class="headline">No run to look into yet.</p>')
            st.button(
                "Open the example",
                type="primary",
                on_click=state.open_preset,
                args=(START,),
                key="look-start",
            )
        return None
    wanted = state.get("look_run")
    first = next((slot for slot, run in runs.items() if not run.is_baseline), next(iter(runs)))
    slot = wanted if wanted in runs else first
    bound.select("look_run", "Run", list(runs), slot, lambda s: runs[s].name, width=360)
    return results.inspected(screen, runs[slot])


def headline(seen: Inspected) -> None:
    """The sentence that reads the model."""
    frame = results.importances(seen)
    used = frame[frame["importance"] > 0]
    cls = type(seen.model)
    name = seen.run.name if cls.label in seen.run.name else f"{seen.run.name} ({cls.label})"
    if len(used):
        top = used.head(3)
        share = (
            f"{', '.join(top['feature'])} carr{'ies' if len(top) == 1 else 'y'} {top['importance'].sum():.0%}"
        )
        text = f"{name} uses {len(used)} of {count(len(frame), 'feature')}; {share} of its weight."
    else:
        text = f"{name}, {count(seen.iteration, 'round')}."
    done = seen.run.trained.model.n_iter_
    at = f"As it is at round {seen.iteration} of {done}, the round compared. {cls.summary}"
    st.html(f'<div><p class="headline">{escape(text)}</p><p class="verdict">{escape(at)}</p></div>')


def importance(seen: Inspected) -> None:
    """Feature importances as bars; a click on one looks into its feature."""
    frame = results.importances(seen)
    note = "shares of the whole; a click looks into a feature"
    if len(frame) > MOST_BARS:
        note = f"the first {MOST_BARS} of {len(frame):,}; {note}"
    with panel.panel("Feature importance", note, lambda: panel.csv(frame, "importance")):
        if frame.empty:
            st.caption("This model tells no importances.")
            return
        shown = frame.head(MOST_BARS)
        figure = draw_bars(shown, "importance", "share of the whole", _feature(seen), seen.screen.colours)
        alt = "The importance of each feature as bars, the largest first"
        st.plotly_chart(
            figure,
            key="importance",
            config=panel.CONFIG,
            alt=alt,
            selection_mode="points",
            on_select=_clicked,
        )


def _clicked() -> None:
    points = st.session_state["importance"].selection.points
    if points:
        name = points[0]["customdata"]
        state.put("look_feature", name if isinstance(name, str) else name[0])


def views(seen: Inspected) -> None:
    """The choice among what the model offers, and the view chosen."""
    offered = results.offered(seen)
    if not offered:
        st.caption("There is nothing else to see in this kind of model.")
        return
    wanted = state.get("look_view")
    wanted = wanted if wanted in offered else next(iter(offered))
    bound.segments("look_view", "What is shown", list(offered), wanted, offered.__getitem__)
    _DRAWN[wanted](seen)


def _feature(seen: Inspected) -> str:
    name = state.get("look_feature")
    return name if name in seen.names else results.order_of(seen)[0]


def _pick_feature(seen: Inspected) -> str:
    bound.select(
        "look_feature", "Feature", results.order_of(seen), _feature(seen), label_visibility="collapsed"
    )
    return _feature(seen)


def _draw_shapes(seen: Inspected) -> None:
    name = _feature(seen)
    steps = results.shape_steps(seen, name)
    note = "what its value adds to the score; grey: where the training documents lie"
    with panel.panel("One feature", note, lambda: panel.csv(steps, "shape")):
        name = _pick_feature(seen)
        values = seen.train.X[:, seen.names.index(name)]
        figure = drawn(draw_shape, steps, name, "added to the score", values, colours=seen.screen.colours)
        panel.chart(figure, f"The step function of {name}: what each value adds to the score", "shape")
    names = results.order_of(seen)[:MOST_PANELS]
    frame = pd.concat([results.shape_steps(seen, n) for n in names], ignore_index=True)
    note = (
        f"the {len(names)} most important, on one scale" if len(seen.names) > len(names) else "on one scale"
    )
    with panel.panel("All features", note, lambda: panel.csv(frame, "shapes")):
        figure = drawn(draw_panels, frame, colours=seen.screen.colours)
        panel.chart(figure, "A small step function for each of the most important features", "shapes")


def _draw_centers(seen: Inspected) -> None:
    frame = results.class_centers(seen)
    name = _feature(seen)
    with panel.panel(
        "Class centers",
        "the mean value in each class; 1 is the worst class",
        lambda: panel.csv(frame, "centers"),
    ):
        name = _pick_feature(seen)
        one = frame[frame["feature"] == name].dropna()
        if len(one):
            figure = drawn(draw_shape, one, "class", name, markers=True, colours=seen.screen.colours)
            panel.chart(figure, f"The class centers of {name} by class", "center")
        else:
            st.caption(f"{name} is not used up to this round.")
        shown = [n for n in results.order_of(seen) if n in set(frame["feature"])][:MOST_PANELS]
        parts = pd.concat([frame[frame["feature"] == n] for n in shown]) if shown else frame
        figure = drawn(draw_panels, parts, shared=False, markers=True, colours=seen.screen.colours)
        panel.chart(figure, "The class centers of the most important features, a panel for each", "centers")


def _draw_weights(seen: Inspected) -> None:
    frame = results.weights(seen)
    parts = list(dict.fromkeys(frame["part"]))
    with panel.panel(
        "Weights", "on the scaled features; the largest first", lambda: panel.csv(frame, "weights")
    ):
        for part in parts:
            rows = frame[frame["part"] == part]
            order = rows["weight"].abs().sort_values(ascending=False, kind="stable").index[:MOST_BARS]
            if len(parts) > 1:
                st.caption(part)
            figure = draw_bars(rows.loc[order], "weight", "weight", _feature(seen), seen.screen.colours)
            panel.chart(
                figure, f"The weight of each feature {part if len(parts) > 1 else ''}", f"weights-{part}"
            )


def _draw_tree(seen: Inspected) -> None:
    forest, names = seen.model.forest_, results.outputs(seen)
    number = min(state.get("look_tree"), forest.n_rounds)
    output = min(state.get("look_output"), len(names))
    frame = results.tree(seen, number - 1, output - 1)
    note = "yes goes up, no goes down; bold: what a leaf adds, then its training documents"
    with panel.panel(f"Tree of round {number}", note, lambda: panel.csv(frame, "tree")):
        left, right = st.columns([3, 2] if len(names) > 1 else [1, 0.001], vertical_alignment="bottom")
        with left:
            bound.slider("look_tree", "Round", 1, forest.n_rounds, number)
        if len(names) > 1:
            with right:
                options = list(range(1, len(names) + 1))
                bound.select("look_output", "Tree for", options, output, lambda i: names[i - 1])
        alt = f"The tree of round {number} for the {names[output - 1]}, with its questions and leaves"
        panel.chart(draw_tree(frame, seen.screen.colours), alt, "tree")


def _draw_classes(seen: Inspected) -> None:
    assert seen.screen.splits is not None
    queries = [str(q) for q in seen.screen.splits.test.query_ids]
    query = state.get("look_query")
    query = query if query in queries else queries[0]
    frame = results.probabilities(seen, query)
    grades = [f"{grade:g}" for grade in seen.model.grades_]
    note = "documents of a test query, best score first; bold: their grade"
    with panel.panel("Class probabilities", note, lambda: panel.csv(frame, "probabilities")):
        bound.select(
            "look_query", "Query", queries, query, lambda q: f"Query {q}", label_visibility="collapsed"
        )
        figure = draw_probabilities(frame.head(_MOST_DOCS), grades, seen.screen.colours)
        panel.chart(figure, f"The class probabilities of the documents of query {query}", "classes")


def _draw_rounds(seen: Inspected) -> None:
    frame = results.rounds(seen)
    with panel.panel("Rounds", "what each round added", lambda: panel.csv(frame, "rounds")):
        st.dataframe(
            frame,
            hide_index=True,
            height=560,
            key="rounds",
            alt="A row for each round: feature and numbers",
            column_config={
                name: st.column_config.NumberColumn(name.replace("_", " "), format="%.5g")
                for name in frame.columns
                if name not in ("round", "feature")
            },
        )


_DRAWN: dict[str, Callable[[Inspected], None]] = {
    "shape": _draw_shapes, "centers": _draw_centers, "weights": _draw_weights, "tree": _draw_tree,
    "classes": _draw_classes, "rounds": _draw_rounds, "bins": bins.draw,
}  # fmt: skip
