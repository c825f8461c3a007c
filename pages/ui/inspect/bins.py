"""How finely a model's features are cut, and what that is worth: the measure by the number of bins."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from ltr_core import ALGORITHMS
from ltr_core.engines.binning.bins import binned

from ..charts.models import draw_by_bins
from ..kit import panel
from ..runs.screens import Screen
from ..runs.services import services
from ..runs.specs import RunSpec, recipe_of
from ..runs.training import work_for
from ..session import state
from ..style.words import count, number, seconds
from ..tables import curves, outcomes
from ..tables.model import Inspected

TRIED = (4, 8, 16, 32, 64, 128, 256, 512, 1024)


def bins_of(seen: Inspected) -> pd.DataFrame:
    """Return feature, bins and distinct (values in the training data), the most finely cut first."""
    cut = binned(seen.train, seen.model.max_bins, getattr(seen.model, "binning", "length"))
    distinct = services().memo.make(
        ("distinct", seen.run.spec.data),
        lambda: np.array([len(np.unique(seen.train.X[:, k])) for k in range(seen.train.n_features)]),
    )
    frame = pd.DataFrame({"feature": seen.names, "bins": cut.n_bins, "distinct": distinct})
    return frame.sort_values("bins", ascending=False, kind="stable", ignore_index=True)


def variants(seen: Inspected) -> dict[int, RunSpec]:
    """Return the run's spec with each of the numbers of bins."""
    recipe = seen.run.recipe
    limits = next(p for p in ALGORITHMS[recipe.algorithm].params if p.name == "max_bins")
    found = {}
    for bins in sorted({*TRIED, seen.model.max_bins}):
        if (limits.low or 0) <= bins <= (limits.high or bins):
            own = recipe_of(recipe.algorithm, {**dict(recipe.params), "max_bins": bins})
            found[bins] = RunSpec(seen.run.spec.data, own, seen.run.spec.watch)
    return found


def by_bins(screen: Screen, specs: dict[int, RunSpec]) -> pd.DataFrame:
    """Return bins, round, valid and test of the trainings that are done, each at the round compared."""
    rows = []
    for bins, spec in specs.items():
        training = services().store.get(spec)
        if training is not None:
            at = outcomes.chosen_iteration(screen, training)
            values = [curves.measure_curve(screen, training, split)[at] for split in ("valid", "test")]
            rows.append((bins, at, *values, training.seconds))
    return pd.DataFrame(rows, columns=["bins", "round", "valid", "test", "seconds"])


def draw(seen: Inspected) -> None:
    """Draw the bins of each feature, and the measure by their number: trained when that is asked for."""
    screen, specs = seen.screen, variants(seen)
    frame = by_bins(screen, specs)
    label = screen.measure.label
    with panel.panel(
        f"{label} by the number of bins",
        "each trained anew, at the round compared",
        lambda: panel.csv(frame, "by-bins"),
    ):
        missing = [bins for bins in specs if bins not in set(frame["bins"])]
        under_way = [job for s in specs.values() if (job := state.jobs().get(s.key)) and not job.is_over]
        if under_way:
            st.progress(len(frame) / len(specs), text=f"{len(frame)} of {len(specs)} trained")
        elif missing:
            took = seconds(seen.run.trained.seconds)
            st.button(
                f"Train with {count(len(missing), 'other number')} of bins",
                key="train-bins",
                type="primary",
                on_click=_train,
                args=(seen, [specs[bins] for bins in missing]),
                help=f"The same run with {', '.join(map(str, missing))} bins. This one took {took}.",
            )
        if len(frame) > 1:
            chart = draw_by_bins(frame, label, seen.model.max_bins, screen.colours)
            panel.chart(
                chart, f"{label} by the largest number of bins, on validation and test", "by-bins-chart"
            )
        elif len(frame):
            own = frame.iloc[0]
            st.caption(
                f"With {own['bins']:.0f} bins: {number(own['test'])} on test. Others are not trained yet."
            )
    cut = bins_of(seen)
    note = f"of at most {seen.model.max_bins:,}, on training; exact: a bin for each distinct value"
    with panel.panel("Bins of each feature", note, lambda: panel.csv(cut, "bins")):
        st.dataframe(
            cut,
            hide_index=True,
            height=300,
            key="bins-table",
            width="stretch",
            alt="A row for each feature: its bins and its distinct values",
            column_config={
                "bins": st.column_config.ProgressColumn(
                    "bins", format="%d", min_value=0, max_value=int(cut["bins"].max())
                ),
                "distinct": st.column_config.NumberColumn("distinct values", format="%d"),
            },
        )


def _train(seen: Inspected, specs: list[RunSpec]) -> None:
    shared, screen, beside = services(), seen.screen, state.beside("inspect")
    beside.clear()
    for spec in specs:
        values = spec.recipe.values()
        rounds = ALGORITHMS[spec.recipe.algorithm].rounds_param
        n_rounds = values[rounds] if rounds else 1
        work = work_for(
            (spec,), lambda data: shared.splits(data, screen.entry), screen.measure, shared.store, n_rounds
        )
        beside.add(spec.key)
        label = f"{seen.run.name}, {values['max_bins']} bins"
        state.jobs()[spec.key] = shared.runner.submit(spec.key, label, n_rounds, work, state.owner())
