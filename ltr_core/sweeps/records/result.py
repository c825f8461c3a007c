"""`Sweep`: what came of a sweep, as tables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...algorithms import ALGORITHMS, Ranker
from ...errors import DataError
from .comparing import compare_points
from .fit import WORST_FIRST, Fit, FitStatus, compared_round, unpack_values
from .record import Record, read_record

_FIRST = ("fold", "seed", "fit", "status")  # of a table without rows


class Sweep:
    """The result of a sweep.

    Attributes
    ----------
    table : DataFrame
        One row for each fit of each point: the swept parameters, `fold`, `seed`, `status` ("done", "pruned",
        "failed"), `error`, `value` (the first measure on the validation data, at the best of the point's
        rounds or after the last of them, as `score_at` says), every measure and the loss as ``valid_…`` and
        ``train_…`` after the last, the best iteration and its value, and `fit`: rows with the same number
        come from one training.
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

    def __init__(self, record: Record, stopped: FitStatus) -> None:
        self.header, self.stopped = record.header, stopped
        self._points, self._fits = dict(record.points), dict(record.fits)
        self.algorithm = ALGORITHMS[self.header["algorithm"]]
        self.measures: list[str] = [m["name"] for m in self.header["measures"]]
        self.score_at: str = self.header.get("score_at", "last")
        self.higher_is_better = bool(self.header["measures"][0]["higher_is_better"])
        self.names: list[str] = list(self.header["space"])
        self._fixed = dict(self.header["fixed"].items())
        folds, seeds = range(len(self.header["folds"])), self.header["seeds"]
        self.cuts = [(fold, seed) for fold in folds for seed in seeds]  # what each point is trained on
        rounds = self.algorithm.rounds_param
        self.rounds_name = rounds if rounds in self.names else None
        self.models: dict[tuple[int, int], Ranker] = {}
        self.test: pd.DataFrame | None = None
        self.table = self._tabulate()
        self.points = self._summarise()
        ranked = self.points.index[self.points["rank"] == 1]
        self.chosen = int(ranked[0]) if len(ranked) else None

    # Tables -----------------------------------------------------------------------------------------------

    def _numbered(self) -> list[tuple[int, dict[str, Any], Fit, int]]:
        """Return point, parameters, fit and the fit's number, in the order of the table."""
        numbers: dict[tuple[str, int, int], int] = {}
        rows = []
        for point, (params, key) in sorted(self._points.items()):
            for of_cut in ((key, *cut) for cut in self.cuts):
                if of_cut in self._fits:
                    number = numbers.setdefault(of_cut, len(numbers))
                    rows.append((point, params, self._fits[of_cut], number))
        return rows

    def _different(self) -> dict[int, Fit]:
        """Return each fit once, by its number."""
        return {number: fit for _, _, fit, number in self._numbered()}

    def _tabulate(self) -> pd.DataFrame:
        rows = []
        for point, params, fit, number in self._numbered():
            row = {"point": point, **params, "fold": fit.task.fold, "seed": fit.task.seed, "fit": number}
            row |= {"status": fit.status, "error": fit.error, "stopped": fit.stopped}
            rows.append(row | self._values(params, fit))
        return pd.DataFrame(rows, columns=None if rows else ["point", *self.names, *_FIRST])

    def _values(self, params: Mapping[str, Any], fit: Fit) -> dict[str, Any]:
        end = min(params.get(self.rounds_name or "", fit.n_iter), fit.n_iter)
        row: dict[str, Any] = {"n_iter": end, "value": np.nan}
        if not fit.curves:
            return row
        if fit.status == FitStatus.DONE and params.get(self.rounds_name or "", fit.n_iter) not in fit.queries:
            raise ValueError("a fit that is done has no values by query")  # of a file that was edited
        curve = fit.curve("valid", self.measures[0])[: end + 1]
        best = compared_round(curve, end, "best", self.higher_is_better)
        judged = compared_round(curve, end, self.score_at, self.higher_is_better)
        row |= {"value": curve[judged], "best_iteration": best, "best_value": curve[best]}
        for split in ("valid", "train"):
            row |= {f"{split}_{m}": fit.curve(split, m)[end] for m in ("loss", *self.measures)}
        return row

    def _summarise(self) -> pd.DataFrame:
        rows = {}
        for point, fits in self.table.groupby("point", sort=True):
            status = next((s for s in WORST_FIRST if (fits["status"] == s).any()), FitStatus.DONE)
            if status == FitStatus.DONE and len(fits) < len(self.cuts):
                status = FitStatus.UNFINISHED
            errors = fits["error"].dropna()
            rows[point] = {
                **self._points[int(point)][0],  # type: ignore[arg-type]
                "status": status,
                "n_fits": len(fits),
                "value": fits["value"].mean(),
                "deviation": fits["value"].std(ddof=1) if len(fits) > 1 else np.nan,
                "error": errors.iloc[0] if len(errors) else None,
            }
        columns = [*self.names, "status", "n_fits", "value", "deviation", "error", "rank"]
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("point")
        if len(frame):
            eligible = frame["value"].where(frame["status"] == FitStatus.DONE)
            frame["rank"] = eligible.rank(method="first", ascending=not self.higher_is_better)
        return frame

    @cached_property
    def curves(self) -> pd.DataFrame:
        """A curve for each fit; losses and the training data's measures only where the table has them."""
        pieces = []
        for number, fit in self._different().items():
            for split, curves in fit.curves.items():
                for measure, values in curves.items():
                    columns = {"fit": number, "iteration": np.arange(len(values)), "split": split}
                    curve = pd.DataFrame({**columns, "measure": measure, "value": values})
                    is_whole = split == "valid" and measure in self.measures
                    pieces.append(curve if is_whole else curve.dropna(subset=["value"]))
        names = ["fit", "iteration", "split", "measure", "value"]
        return pd.concat(pieces, ignore_index=True) if pieces else pd.DataFrame(columns=names)

    @cached_property
    def seconds(self) -> pd.Series:
        """What each fit took: not in the table, which is the same wherever the sweep has run."""
        seconds = {number: fit.seconds for number, fit in self._different().items()}
        return pd.Series(seconds, name="seconds", dtype=float).rename_axis("fit")

    @property
    def n_trained(self) -> int:
        """How many different fits there are."""
        return int(self.table["fit"].nunique())

    # The chosen point -------------------------------------------------------------------------------------

    @property
    def best_params(self) -> dict[str, Any] | None:
        """The chosen point's parameters, as the algorithm takes them."""
        return None if self.chosen is None else {**self._fixed, **self._points[self.chosen][0]}

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
        if self.points.loc[point, "status"] != FitStatus.DONE:
            return None
        params, key = self._points[point]
        of_fold: dict[int, list[np.ndarray]] = {}
        for fold, seed in self.cuts:
            fit = self._fits[key, fold, seed]
            rounds = params.get(self.rounds_name or "", fit.n_iter)
            of_fold.setdefault(fold, []).append(unpack_values(fit.queries[rounds]))
        # A query counts once, whatever the number of seeds: trainings of one query are not independent.
        return np.concatenate([np.mean(of_seed, axis=0) for of_seed in of_fold.values()])

    def __repr__(self) -> str:
        best = ""
        if self.chosen is not None:
            best = f", best {self.measures[0]} {self.best_value:.4f} at {self.best_params}"
        return f"Sweep({self.algorithm.__name__}, {len(self.points)} points, {self.stopped}{best})"


def load_sweep(path: str | os.PathLike, trust_edited: bool = False) -> Sweep:
    """Read a sweep's file, finished or not, whoever wrote it; one that was edited since only if trusted."""
    try:
        record = read_record(Path(path), trust_edited)
    except OSError as error:
        what = f"the file cannot be read ({error.strerror})"
        raise DataError(what, "check the path", file=str(path)) from None
    try:
        result = Sweep(record, FitStatus.DONE if record.chosen else FitStatus.UNFINISHED)
        if record.chosen and record.chosen.get("test") and record.chosen.get("point") == result.chosen:
            result.set_test(record.chosen["test"])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise DataError(f"not a usable sweep ({error!r})", "run it again", file=str(path)) from None
    return result
