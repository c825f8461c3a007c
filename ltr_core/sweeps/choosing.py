"""What is worked out of the fits: the chosen point on the test data, and each point against another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..algorithms import Ranker
from ..errors import ParameterError
from ..evaluation.significance import TIE, holm, t_test
from ..measures import Measure
from .parts import Fold


def values_on_test(
    models: Mapping[tuple[int, int], Ranker],
    cuts: Sequence[Fold],
    measures: Sequence[Measure],
    rounds: int | None,
) -> list[list[Any]]:
    """Return fold, seed, measure and value on the test data."""
    rows = []
    for (fold, seed), model in sorted(models.items()):
        test = cuts[fold].test
        assert test is not None
        end = model.n_iter_ if rounds is None else min(rounds, model.n_iter_)
        scores = model.predict(test, iteration=end)
        rows += [[fold, seed, m.name, m.mean(test.y, scores, test.offsets)] for m in measures]
    return rows


def compare_points(by_query: Mapping[int, np.ndarray | None], baseline: int | None) -> pd.DataFrame:
    """Return every point against the baseline, from the values of each query; None: it has none."""
    values = {number: found for number, found in by_query.items() if found is not None}
    if baseline not in values:
        raise ParameterError(f"Point {baseline} has no values to compare with. Take one of {list(values)}.")
    rows = {}
    for number, found in values.items():
        if number == baseline:
            continue
        differences = found - values[baseline]
        differences = differences[~np.isnan(differences)]
        rows[number] = {
            "difference": differences.mean() if len(differences) else np.nan,
            "wins": int((differences > TIE).sum()),
            "ties": int((np.abs(differences) <= TIE).sum()),
            "losses": int((differences < -TIE).sum()),
            "p": t_test(differences).p,
        }
    columns = ["difference", "wins", "ties", "losses", "p"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    frame.index.name = "point"
    frame["p_holm"] = holm(frame["p"].to_numpy(dtype=float))
    return frame
