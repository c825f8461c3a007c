"""`Sweep`: what came of a sweep, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from ..algorithms import ALGORITHMS, Ranker
from .choosing import compare_points
from .work import Outcome, unpack_values

Outcomes = Mapping[tuple[str, int, int], Outcome]
Points = Mapping[int, tuple[dict[str, Any], str]]


class Sweep:
    """The result of a sweep.

    Attributes
    ----------
    table : DataFrame
        One row for each fit of each point: the swept parameters, `fold`, `seed`, `status` ("done", "pruned",
        "failed"), `error`, `value` (the first measure on the validation data, after the point's number of
        rounds), every measure and the loss as ``valid_…`` and ``train_…``, the best iteration and its
        value, and `fit`: rows with the same number come from one training.
    points : DataFrame
        One row for each point: parameters, status, mean and deviation of `value` over fits, and the rank.
    curves : DataFrame
        fit, iteration, split, measure, value.
    chosen : int or None
        The point with the best mean validation value; only points whose fits are all done are looked at.
    best_params : dict
        Its parameters, as the algorithm takes them; `best_rounds` its number of rounds where that was swept.
    best_value : float
        Its mean validation value.
    test : DataFrame or None
        fold, seed, measure, value on the test data, of the chosen point alone; `test_value` is the first
        measure's mean.
    models : dict
        The chosen point's models by (fold, seed), where they are at hand.
    stopped : str
        "done" or "cancelled".
    """

    def __init__(self, header: Mapping[str, Any], points: Points, outcomes: Outcomes, stopped: str) -> None:
        self.header, self.stopped = header, stopped
        self._points, self._outcomes = dict(points), dict(outcomes)
        self.algorithm = ALGORITHMS[header["algorithm"]]
        self.measures: list[str] = [m["name"] for m in header["measures"]]
        self.higher_is_better = bool(header["measures"][0]["higher_is_better"])
        rounds = self.algorithm.rounds_param
        self.rounds_name = rounds if rounds in header["space"] else None
        self.names: list[str] = list(header["space"])
        self.models: dict[tuple[int, int], Ranker] = {}
        self.test: pd.DataFrame | None = None
        self.table = self._tabulate()
        self.points = self._summarise()
        ranked = self.points.index[self.points["rank"] == 1]
        self.chosen = int(ranked[0]) if len(ranked) else None

    # Tables -----------------------------------------------------------------------------------------------

    def _fits(self) -> list[tuple[int, dict[str, Any], Outcome, int]]:
        """Return (point, parameters, outcome, number of the fit) in the order of the table."""
        numbers: dict[tuple[str, int, int], int] = {}
        found = []
        for point, (params, key) in sorted(self._points.items()):
            for fold in range(len(self.header["folds"])):
                for seed in self.header["seeds"]:
                    outcome = self._outcomes.get((key, fold, seed))
                    if outcome is not None:
                        number = numbers.setdefault((key, fold, seed), len(numbers))
                        found.append((point, params, outcome, number))
        return found

    def _tabulate(self) -> pd.DataFrame:
        rows = []
        for point, params, outcome, number in self._fits():
            row = {"point": point, **params, "fold": outcome.task.fold, "seed": outcome.task.seed}
            row |= {
                "fit": number,
                "status": outcome.status,
                "error": outcome.error,
                "stopped": outcome.stopped,
            }
            rows.append(row | self._values(params, outcome))
        return pd.DataFrame(
            rows, columns=None if rows else ["point", *self.names, "fold", "seed", "fit", "status"]
        )

    def _values(self, params: Mapping[str, Any], outcome: Outcome) -> dict[str, Any]:
        end = min(params.get(self.rounds_name or "", outcome.n_iter), outcome.n_iter)
        row: dict[str, Any] = {"n_iter": end, "value": np.nan}
        if outcome.curves:
            curve = outcome.curve("valid", self.measures[0])[: end + 1]
            at = (
                int(np.nanargmax(curve if self.higher_is_better else -curve))
                if not np.isnan(curve).all()
                else 0
            )
            row |= {"value": curve[end], "best_iteration": at, "best_value": curve[at]}
            for split in ("valid", "train"):
                for measure in ("loss", *self.measures):
                    row[f"{split}_{measure}"] = outcome.curve(split, measure)[end]
        return row

    def _summarise(self) -> pd.DataFrame:
        columns = [*self.names, "status", "n_fits", "value", "deviation", "error", "rank"]
        wanted = len(self.header["folds"]) * len(self.header["seeds"])
        rows = {}
        for point, found in self.table.groupby("point", sort=True):
            status = next((s for s in ("failed", "pruned") if (found["status"] == s).any()), "done")
            if status == "done" and len(found) < wanted:
                status = "unfinished"
            errors = found["error"].dropna()
            rows[point] = {
                **self._points[int(point)][0],  # type: ignore[arg-type]
                "status": status,
                "n_fits": len(found),
                "value": found["value"].mean(),
                "deviation": found["value"].std(ddof=1) if len(found) > 1 else np.nan,
                "error": errors.iloc[0] if len(errors) else None,
            }
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
        frame.index.name = "point"
        if not len(frame):
            return frame
        eligible = frame["value"].where(frame["status"] == "done")
        frame["rank"] = eligible.rank(method="first", ascending=not self.higher_is_better)
        return frame

    @cached_property
    def curves(self) -> pd.DataFrame:
        """A curve for each fit; losses and the training data's measures only where the table has them."""
        pieces, seen = [], set()
        for _, _, outcome, number in self._fits():
            if number in seen:
                continue
            seen.add(number)
            for split, found in outcome.curves.items():
                for measure, values in found.items():
                    columns = {"fit": number, "iteration": np.arange(len(values)), "split": split}
                    curve = pd.DataFrame({**columns, "measure": measure, "value": values})
                    is_whole = split == "valid" and measure in self.measures
                    pieces.append(curve if is_whole else curve.dropna(subset=["value"]))
        names = ["fit", "iteration", "split", "measure", "value"]
        return pd.concat(pieces, ignore_index=True) if pieces else pd.DataFrame(columns=names)

    @cached_property
    def seconds(self) -> pd.Series:
        """What each fit took: not in the table, which is the same wherever the sweep has run."""
        found = {number: outcome.seconds for _, _, outcome, number in self._fits()}
        return pd.Series(found, name="seconds", dtype=float).rename_axis("fit")

    # The chosen point -------------------------------------------------------------------------------------

    @property
    def best_params(self) -> dict[str, Any] | None:
        """The chosen point's parameters, as the algorithm takes them."""
        return None if self.chosen is None else {**self.header["fixed"], **self._points[self.chosen][0]}

    @property
    def best_rounds(self) -> int | None:
        """The chosen point's number of rounds, where that was swept."""
        return None if self.chosen is None else self._points[self.chosen][0].get(self.rounds_name or "")

    @property
    def best_value(self) -> float | None:
        """The chosen point's mean validation value."""
        return None if self.chosen is None else float(self.points.loc[self.chosen, "value"])  # type: ignore[arg-type]

    @property
    def test_value(self) -> float | None:
        """The chosen point's mean test value of the first measure."""
        if self.test is None:
            return None
        return float(self.test.loc[self.test["measure"] == self.measures[0], "value"].mean())

    def set_test(self, rows: list[list[Any]]) -> None:
        """Take in the chosen point's test values."""
        self.test = pd.DataFrame(rows, columns=["fold", "seed", "measure", "value"])

    def against(self, point: int | None = None) -> pd.DataFrame:
        """Compare every point with one of them (the chosen one), query by query on the validation data.

        Returns
        -------
        DataFrame
            A row for each other point: `difference` of the means over queries, `wins`, `ties`, `losses`, `p`
            (paired t-test, two-sided) and `p_holm`. Queries of all folds count, with the mean over seeds.
        """
        baseline = self.chosen if point is None else point
        return compare_points({number: self._by_query(number) for number in self.points.index}, baseline)

    def _by_query(self, point: int) -> np.ndarray | None:
        if self.points.loc[point, "status"] != "done":
            return None
        params, key = self._points[point]
        pieces = []
        for fold in range(len(self.header["folds"])):
            of_seed = []
            for seed in self.header["seeds"]:
                outcome = self._outcomes[key, fold, seed]
                rounds = params.get(self.rounds_name or "", outcome.n_iter)
                of_seed.append(unpack_values(outcome.queries[rounds]))
            # A query counts once, whatever the number of seeds: trainings of one query are not independent.
            pieces.append(np.mean(of_seed, axis=0))
        return np.concatenate(pieces)

    def __repr__(self) -> str:
        best = (
            ""
            if self.chosen is None
            else f", best {self.measures[0]} {self.best_value:.4f} at {self.best_params}"
        )
        return f"Sweep({self.algorithm.__name__}, {len(self.points)} points, {self.stopped}{best})"
