"""What each feature holds, and how its values lie in each grade."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .describe import MOST_GRADES
from .ranking_data import RankingData

_VALUES_AT_ONCE = 2_000_000  # taken to float64 at a time: 16 MB
MOST_GROUPS = 6  # more distinct grades than this are put into groups of about equally many documents


def describe_features(data: RankingData) -> pd.DataFrame:
    """Return a row for each feature: what values it has, and how it goes with the grade.

    Parameters
    ----------
    data : RankingData
        The set.

    Returns
    -------
    DataFrame
        ``feature``, ``low``, ``mean``, ``high``, ``deviation``, ``zeros`` (the share of values that are 0),
        ``constant``, and ``correlation``: Pearson's, of the values with the grades over all documents, NaN
        where one of the two does not vary.
    """
    y = data.y - data.y.mean()
    low, high, mean = data.X.min(axis=0), data.X.max(axis=0), data.X.mean(axis=0, dtype=np.float64)
    squares, products, filled = np.zeros(data.n_features), np.zeros(data.n_features), 0
    rows = max(1, _VALUES_AT_ONCE // data.n_features)
    for start in range(0, data.n_docs, rows):
        block = data.X[start : start + rows].astype(np.float64)
        filled = filled + np.count_nonzero(block, axis=0)
        block -= mean
        squares += np.einsum("ij,ij->j", block, block)
        products += np.einsum("i,ij->j", y[start : start + rows], block)
    constant = low == high
    squares[constant] = 0.0
    bottom = np.sqrt(squares) * float(np.sqrt(np.einsum("i,i->", y, y)))
    correlation = np.divide(products, bottom, out=np.full(len(low), np.nan), where=bottom > 0.0)
    columns = {
        "feature": list(data.feature_names),
        "low": low.astype(np.float64),
        "mean": mean,
        "high": high.astype(np.float64),
        "deviation": np.sqrt(squares / data.n_docs),
        "zeros": 1.0 - filled / data.n_docs,
        "constant": constant,
        "correlation": np.clip(correlation, -1.0, 1.0),
    }
    return pd.DataFrame(columns)


def grade_groups(y: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Return the group of each document and the groups' names: the grades, or ranges of many grades."""
    grades = np.unique(y)
    if len(grades) <= MOST_GROUPS:
        return np.searchsorted(grades, y), [f"{grade:g}" for grade in grades]
    cuts = np.unique(np.quantile(y, np.arange(1, MOST_GROUPS - 1) / (MOST_GROUPS - 1), method="higher"))
    codes = np.searchsorted(cuts, y, side="left")
    used, codes = np.unique(codes, return_inverse=True)
    names = [_range_name(y[codes == group]) for group in range(len(used))]
    return codes, names


def histogram_by_grade(data: RankingData, feature: int, n_bins: int = 40) -> pd.DataFrame:
    """Return how many documents of each grade have values of a feature in each of some equal intervals.

    Parameters
    ----------
    data : RankingData
        The set.
    feature : int
        The feature's position.
    n_bins : int
        Into how many intervals its range is cut; a constant feature has one.

    Returns
    -------
    DataFrame
        ``grade`` (a text: the grade, or a range where there are many), ``left``, ``right``, ``documents``,
        and ``share``: of the documents of the grade.
    """
    values = data.X[:, feature].astype(np.float64)
    low, high = float(values.min()), float(values.max())
    edges = np.linspace(low, high, n_bins + 1) if high > low else np.array([low - 0.5, low + 0.5])
    codes, names = grade_groups(data.y)
    parts = []
    for group, name in enumerate(names):
        counts = np.histogram(values[codes == group], edges)[0]
        columns = {"grade": name, "left": edges[:-1], "right": edges[1:], "documents": counts}
        parts.append(pd.DataFrame({**columns, "share": counts / counts.sum()}))
    return pd.concat(parts, ignore_index=True)


def grade_counts(data: RankingData, n_bins: int = 30) -> pd.DataFrame:
    """Return ``grade`` (a text), ``left``, ``right``, ``documents``; intervals where grades are many."""
    grades, counts = np.unique(data.y, return_counts=True)
    if len(grades) <= MOST_GRADES:
        names = [f"{grade:g}" for grade in grades]
        return pd.DataFrame({"grade": names, "left": grades, "right": grades, "documents": counts})
    counts, edges = np.histogram(data.y, n_bins)
    names = [f"{a:.3g} – {b:.3g}" for a, b in zip(edges[:-1], edges[1:], strict=True)]
    return pd.DataFrame({"grade": names, "left": edges[:-1], "right": edges[1:], "documents": counts})


def query_sizes(data: RankingData, n_bins: int = 40) -> pd.DataFrame:
    """Return how many queries have from ``low`` to ``high`` documents: ``low``, ``high``, ``queries``."""
    sizes = np.diff(data.offsets)
    low, high = int(sizes.min()), int(sizes.max())
    width = max(1, -(-(high - low + 1) // n_bins))
    counts = np.bincount((sizes - low) // width)
    starts = low + width * np.arange(len(counts))
    return pd.DataFrame({"low": starts, "high": starts + width - 1, "queries": counts})


def _range_name(y: np.ndarray) -> str:
    low, high = float(y.min()), float(y.max())
    return f"{low:.3g}" if low == high else f"{low:.3g} – {high:.3g}"
