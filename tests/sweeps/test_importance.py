"""The importance of parameters, where it is known beforehand."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.sweeps import importances


class Points:
    """As much of a sweep as is looked at."""

    def __init__(self, rows: list[dict]) -> None:
        self.points = pd.DataFrame(rows)
        self.names = [name for name in self.points if name not in ("value", "status")]


def grid(value) -> Points:
    axes = {"a": [0.0, 1.0, 2.0, 3.0], "b": [0.0, 1.0, 2.0, 3.0], "c": ["x", "y", "z"]}
    rows = [dict(zip(axes, point, strict=True)) for point in itertools.product(*axes.values())]
    return Points([{**row, "value": value(**row), "status": "done"} for row in rows])


def test_shares_of_an_additive_function_are_its_variances():
    found = importances(grid(lambda a, b, c: 3 * a + b + (0.5 if c == "y" else 0.0)))
    variances = pd.Series({"a": 9 * 1.25, "b": 1.25, "c": 0.25 * 2 / 9})
    wanted = variances / variances.sum()
    assert list(found.index) == ["a", "b", "c"]
    np.testing.assert_allclose(found[wanted.index], wanted, atol=0.04)


def test_what_has_no_effect_alone_has_no_share():
    found = importances(grid(lambda a, b, c: float(a == b)))  # only together, and symmetric
    assert found.max() < 0.1
    found = importances(grid(lambda a, b, c: float(len(c) + 7 * (c == "z"))))
    assert found["c"] > 0.95 and found[["a", "b"]].max() < 0.01


def test_unfinished_points_and_constant_parameters_do_not_count():
    whole = grid(lambda a, b, c: a + b)
    odd = whole.points.assign(d=5.0, status="done")
    odd.loc[::4, ["value", "status"]] = [1e6, "pruned"]
    held = Points([])
    held.points, held.names = odd, ["a", "b", "c", "d"]
    found = importances(held)
    assert set(found.index) == {"a", "b", "c"} and found["c"] < 0.05
    pd.testing.assert_series_equal(found, importances(held))  # the same again


def test_too_few_points_are_a_sentence():
    few = grid(lambda a, b, c: a)
    few.points = few.points.head(3)
    with pytest.raises(ltr.ParameterError, match="3 finished points are too few"):
        importances(few)
