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


def bins_of(inspected: Inspected) -> pd.DataFrame:
    """Return feature, bins and distinct (values in the training data), the most finely cut first."""
    cut = binned(inspected.train, inspected.model.max_bins, getattr(inspected.model, "binning", "length"))
    distinct = services().memo.make(
        ("distinct", inspected.run.spec.data),
        lambda: np.array([len(np.unique(column)) for column in inspected.train.X.T]),
    )
    frame = pd.DataFrame({"feature": inspected.names, "bins": cut.n_bins, "distinct": distinct})
    return frame.sort_values("bins", ascending=False, kind="stable", ignore_index=True)


def variants(inspected: Inspected) -> dict[int, RunSpec]:
    """Return the run's spec with each of the numbers of bins."""
    recipe = inspected.run.recipe
    limits = next(p for p in ALGORITHMS[recipe.algorithm].params if p.name == "max_bins")
    specs = {}
    for bins in sorted({*TRIED, inspected.model.max_bins}):
        if (limits.low or 0) <= bins <= (limits.high or bins):
            own = recipe_of(recipe.algorithm, {**dict(recipe.params), "max_bins": bins})
            specs[bins] = RunSpec(inspected.run.spec.data, own, inspected.run.spec.watch)
    return specs


def by_bins(screen: Screen, specs: dict[int, RunSpec]) -> pd.DataFrame:
    """Return bins, round, valid and test of the trainings that are done, each at the round compared."""
    rows = []
    for bins, spec in specs.items():
        training = services().store.get(spec)
        if training is not None:
            at = outcomes.chosen_iteration(screen, training)
            values = [curves.measure_curve(screen, training, split)[at] for split in ("valid", "test")]
            rows.append((bins, at, *values, training.comparable_seconds))
    return pd.DataFrame(rows, columns=["bins", "round", "valid", "test", "seconds"])


def by_number(inspected: Inspected) -> None:
    """Draw the measure by the number of bins: the others are trained when that is asked for."""
    screen, specs = inspected.screen, variants(inspected)
    frame = by_bins(screen, specs)
    label = screen.measure.label
    title, note = f"{label} by the number of bins", "each trained anew, at the round compared"
    with panel.panel(title, note, lambda: panel.csv(frame, "by-bins")):
        missing = [bins for bins in specs if bins not in set(frame["bins"])]
        under_way = [job for s in specs.values() if (job := state.jobs().get(s.key)) and not job.is_over]
        if under_way:
            st.progress(len(frame) / len(specs), text=f"{len(frame)} of {len(specs)} trained")
        elif missing:
            took = seconds(inspected.run.trained.comparable_seconds)
            st.button(
                f"Train with {count(len(missing), 'other number')} of bins",
                key="train-bins",
                type="primary",
                on_click=_train,
                args=(inspected, [specs[bins] for bins in missing]),
                help=f"The same run with {', '.join(map(str, missing))} bins. This one took {took}.",
            )
        if len(frame) > 1:
            chart = draw_by_bins(frame, label, inspected.model.max_bins, inspected.look, screen.colours)
            alt = f"{label} by the largest number of bins, on validation and test"
            panel.chart(chart, alt, "by-bins-chart")
        elif len(frame):
            own = frame.iloc[0]
            test = f"With {own['bins']:.0f} bins: {number(own['test'])} on test."
            st.caption(f"{test} Others are not trained yet.")


def by_feature(inspected: Inspected) -> None:
    """Show how many bins each feature is cut into."""
    cut = bins_of(inspected)
    note = f"of at most {inspected.model.max_bins:,}, on training; exact: a bin for each distinct value"
    column, most = st.column_config, int(cut["bins"].max())
    with panel.panel("Bins of each feature", note, lambda: panel.csv(cut, "bins")):
        st.dataframe(
            cut,
            hide_index=True,
            height=300,
            key="bins-table",
            width="stretch",
            alt="A row for each feature: its bins and its distinct values",
            column_config={
                "bins": column.ProgressColumn("bins", format="%,d", min_value=0, max_value=most),
                "distinct": column.NumberColumn("distinct values", format="%,d"),
            },
        )


def _train(inspected: Inspected, specs: list[RunSpec]) -> None:
    shared, screen, beside = services(), inspected.screen, state.beside("inspect")
    beside.clear()
    for spec in specs:
        values = spec.recipe.values()
        rounds = ALGORITHMS[spec.recipe.algorithm].rounds_param
        n_rounds = values[rounds] if rounds else 1
        work = work_for(
            (spec,), lambda data: shared.splits(data, screen.entry), screen.measure, shared.store, n_rounds
        )
        beside.add(spec.key)
        label = f"{inspected.run.name}, {values['max_bins']} bins"
        state.jobs()[spec.key] = shared.runner.submit(spec.key, label, n_rounds, work, state.owner())
