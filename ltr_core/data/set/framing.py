"""A set as a table of pandas, from one, and as a few lines of HTML for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...errors import DataError

if TYPE_CHECKING:
    from .ranking_data import RankingData

ROLES = {
    "grade": ("grade", "label", "relevance"),
    "query id": ("qid", "query_id", "query"),
    "doc id": ("docid", "doc_id", "docno", "document"),
}


def as_frame(data: RankingData) -> pd.DataFrame:
    """Return grade, qid, docid and features, rows as they were given."""
    known: dict[str, Any] = {"grade": data.y, "qid": data.qid}
    if data.doc_ids is not None:
        known["docid"] = data.doc_ids
    taken = [name for name in data.feature_names if name in known]
    if taken:
        what = f"a feature is called “{taken[0]}”, as a column of the table is"
        raise DataError(what, "rename it with with_names")
    columns = {name: data.given(values) for name, values in known.items()}
    features = pd.DataFrame(data.given(data.X), columns=list(data.feature_names))
    return pd.concat([pd.DataFrame(columns), features], axis=1)


def from_frame(frame: pd.DataFrame, ignore: Sequence[str]) -> tuple[Any, Any, Any, Any]:
    """Return features, grades, query ids and doc ids (or None) of a table."""
    ignore = (ignore,) if isinstance(ignore, str) else tuple(ignore)
    unknown = [name for name in ignore if name not in frame.columns]
    if unknown:
        shown = ", ".join(f"“{name}”" for name in frame.columns[:8])
        raise DataError(f"there is no column “{unknown[0]}” to ignore", f"choose from {shown}")
    frame = frame.drop(columns=list(ignore))
    places = {role: _find(role, frame) for role in ROLES}
    features = frame.drop(columns=[name for name in places.values() if name is not None])
    if not features.shape[1]:
        raise DataError("there is no feature column", "add one column for each feature")
    texts = [name for name in features.columns if features[name].dtype.kind not in "biuf"]
    if texts:
        what = f"the column “{texts[0]}” holds no numbers"
        raise DataError(what, f"turn it into numbers, or leave it out with ignore=[{texts[0]!r}]")
    doc_ids = None if places["doc id"] is None else frame[places["doc id"]].astype(str).to_numpy(str)
    return features, frame[places["grade"]].to_numpy(), frame[places["query id"]].to_numpy(), doc_ids


def _find(role: str, frame: pd.DataFrame) -> Any:
    """Return the one column of a role; only the doc id may be missing."""
    found = [name for name in frame.columns if str(name).strip().lower() in ROLES[role]]
    if len(found) > 1:
        both = " and ".join(f"“{name}”" for name in found)
        raise DataError(f"{both} could both be the {role}", "leave one out with ignore=…")
    if not found and role != "doc id":
        first, second, third = ROLES[role]
        raise DataError(f"there is no column with the {role}", f"call it {first}, {second} or {third}")
    return found[0] if found else None


def as_html(data: RankingData) -> str:
    """Return what a set holds as a small table."""
    sizes, grades = np.diff(data.offsets), np.unique(data.y)
    few = ", ".join(f"{grade:g}" for grade in grades)
    rows = {
        "queries": f"{data.n_queries:,}",
        "documents": f"{data.n_docs:,} ({sizes.min():,} to {sizes.max():,} a query)",
        "features": f"{data.n_features:,}",
        "grades": few if len(grades) <= 10 else f"{len(grades):,}, from {grades[0]:g} to {grades[-1]:g}",
    }
    cells = "".join(f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in rows.items())
    return f"<table><caption>RankingData {escape(data.name)}</caption>{cells}</table>"
