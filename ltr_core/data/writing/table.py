"""Tables of a set: columns grade, qid, docid and the features, as CSV, TSV or Parquet."""

from __future__ import annotations

from typing import IO, Any

import numpy as np

from ...errors import DataError
from ..reading.table import ROLES
from ..set.ranking_data import RankingData


def write_separated(separator: str, data: RankingData, stream: IO[bytes], file: str) -> None:
    """Write CSV, or TSV, as the separator says."""
    import pyarrow.csv

    options = pyarrow.csv.WriteOptions(delimiter=separator, quoting_style="needed")
    pyarrow.csv.write_csv(_as_table(data, file), stream, options)


def write_parquet(data: RankingData, stream: IO[bytes], file: str) -> None:
    """Write Parquet."""
    import pyarrow.parquet

    pyarrow.parquet.write_table(_as_table(data, file), stream)


def _as_table(data: RankingData, file: str) -> Any:
    import pyarrow as pa

    reserved = {name for names in ROLES.values() for name in names}
    taken = [name for name in data.feature_names if name.strip().lower() in reserved or not name.strip()]
    if taken:
        what = f"a feature called “{taken[0]}” would be taken for something else when the table is loaded"
        raise DataError(what, "rename it", file=file)
    columns: dict[str, Any] = {"grade": data.y, "qid": data.qid}
    if data.doc_ids is not None:
        columns["docid"] = data.doc_ids.astype(object)
    for k, name in enumerate(data.feature_names):
        columns[name] = np.ascontiguousarray(data.X[:, k])
    if data.qid.dtype.kind not in "iu":
        columns["qid"] = data.qid.astype(str).astype(object)
    return pa.table({name: pa.array(values) for name, values in columns.items()})
