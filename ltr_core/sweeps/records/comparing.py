"""Each point of a sweep against one of them, query by query."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ...errors import ParameterError
from ...evaluation.significance import TIE, holm, t_test


def compare_points(by_query: Mapping[int, np.ndarray | None], baseline: int | None) -> pd.DataFrame:
    """Return every point against the baseline, from the values of each query; None: it has none."""
    values = {number: of_point for number, of_point in by_query.items() if of_point is not None}
    if baseline not in values:
        raise ParameterError(f"Point {baseline} has no values to compare with. Take one of {list(values)}.")
    rows = {}
    for number, of_point in values.items():
        if number == baseline:
            continue
        differences = of_point - values[baseline]
        differences = differences[~np.isnan(differences)]
        rows[number] = {
            "difference": differences.mean() if len(differences) else np.nan,
            "wins": int((differences > TIE).sum()),
            "ties": int((np.abs(differences) <= TIE).sum()),
            "losses": int((differences < -TIE).sum()),
            "p": t_test(differences).p,
        }
    columns = ["difference", "wins", "ties", "losses", "p"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("point")
    frame["p_holm"] = holm(frame["p"].to_numpy(dtype=float))
    return frame
