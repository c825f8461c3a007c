"""`save`: a set becomes a file that `load` reads back, to the last bit."""

from __future__ import annotations

import bz2
import gzip
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from ..errors import DataError
from .reading.sources import COMPRESSIONS, KINDS, PARQUET, TABLE
from .reading.table import ROLES
from .set.packed_ids import PackedIds
from .set.ranking_data import RankingData

_CELLS = 1 << 18  # written at a time


@njit(nogil=True, cache=True)
def _copy(text, start, stop, place, out):
    for b in range(start, stop):
        out[place + b - start] = text[b]
    return place + stop - start


@njit(nogil=True, cache=True)
def _join_lines(heads, head_ends, keys, key_ends, values, value_ends, tails, tail_ends, out):
    """Write each row as head, then key and value of each feature, then tail; return the length.

    Texts lie end to end: the i-th stretches from ends[i] to ends[i + 1]. Keys are those of one row.
    """
    place = 0
    width = len(key_ends) - 1
    for i in range(len(head_ends) - 1):
        place = _copy(heads, head_ends[i], head_ends[i + 1], place, out)
        for k in range(width):
            place = _copy(keys, key_ends[k], key_ends[k + 1], place, out)
            cell = i * width + k
            place = _copy(values, value_ends[cell], value_ends[cell + 1], place, out)
        place = _copy(tails, tail_ends[i], tail_ends[i + 1], place, out)
    return place


def save(data: RankingData, path: str | os.PathLike) -> None:
    """Write a set to a file, in the format of its suffix.

    ``.csv``, ``.tsv`` and ``.parquet`` hold everything. LETOR text (any other suffix) holds numbers as the
    shortest text that gives the same float32, and doc ids as ``#docid = …``; it cannot hold names of
    features other than f1, f2, … (or f0, f1, …), and query ids that are not whole numbers: such queries are
    numbered from 1, with their ids in comment lines. With ``.gz``, ``.bz2`` or ``.zst`` behind, it is
    compressed. The file appears under its name only when it is complete.

    Parameters
    ----------
    data : RankingData
        What to write; rows in its own order, queries together.
    path : path
        Where to.
    """
    path = Path(path)
    inner = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
    kind = KINDS.get(inner.suffix.lower())
    if path.is_dir() or not path.parent.is_dir():
        what = "this is a folder" if path.is_dir() else "there is no such folder"
        raise DataError(what, "give a file name in a folder that exists", file=str(path))
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        with _open(temporary, path.suffix.lower()) as stream:
            if kind in (TABLE, PARQUET):
                _write_table(data, stream, inner.suffix.lower(), str(path))
            else:
                for piece in _letor_pieces(data, str(path)):
                    stream.write(piece)
        os.replace(temporary, path)
    except OSError as error:
        raise DataError(
            f"the file cannot be written ({error.strerror or error})",
            "check the disk and the rights",
            file=str(path),
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def _open(path: Path, suffix: str) -> Any:
    if suffix == ".gz":
        # Without name and time inside: the same data give the same bytes.
        return _Gzip(path)
    if suffix == ".bz2":
        return bz2.BZ2File(path, "wb")
    if suffix == ".zst":
        import pyarrow

        return pyarrow.output_stream(str(path), compression="zstd")
    return open(path, "wb")


class _Gzip(gzip.GzipFile):
    def __init__(self, path: Path) -> None:
        self._raw = open(path, "wb")  # noqa: SIM115 (closed below)
        super().__init__("", "wb", 6, self._raw, mtime=0)

    def close(self) -> None:
        super().close()
        self._raw.close()


def _letor_pieces(data: RankingData, file: str) -> Iterator[bytes]:
    import pyarrow as pa

    width = data.n_features
    first = 0 if data.feature_names[0] == "f0" else 1
    keys = _pack([f" {k}:" for k in range(first, first + width)])
    qid = data.qid
    queries = np.repeat(np.arange(data.n_queries), np.diff(data.offsets))
    numbered = not _are_int64(qid)
    tails = _tails(data, file)
    step = max(_CELLS // width, 1)
    for start in range(0, data.n_docs, step):
        rows = slice(start, min(start + step, data.n_docs))
        values = _pack_floats(data.X[rows].ravel())
        grades = pa.array(data.y[rows]).cast(pa.string()).to_pylist()
        ids = (queries[rows] + 1 if numbered else qid[rows]).tolist()
        heads = [f"{grade} qid:{own}" for grade, own in zip(grades, ids, strict=True)]
        if numbered:
            for i in range(rows.start, rows.stop):
                if i == data.offsets[queries[i]]:
                    title = " ".join(str(qid[i]).split())
                    heads[i - start] = f"# qid {queries[i] + 1} is {title}\n" + heads[i - start]
        head, tail = _pack(heads), _pack(tails[rows] if tails else ["\n"] * (rows.stop - rows.start))
        size = len(head.text) + len(tail.text) + len(values.text) + len(keys.text) * (rows.stop - rows.start)
        out = np.empty(size, dtype=np.uint8)
        parts = (head.text, head.offsets, keys.text, keys.offsets, values.text, values.offsets)
        yield out[: _join_lines(*parts, tail.text, tail.offsets, out)].tobytes()


def _are_int64(qid: np.ndarray) -> bool:
    return qid.dtype.kind in "iu" and (qid.dtype != np.uint64 or qid.max() < 2**63)


def _tails(data: RankingData, file: str) -> list[str]:
    """Return what follows the features of each document, none when there are no doc ids."""
    if data.doc_ids is None:
        return []
    tails = []
    for name in map(str, data.doc_ids):
        plain = name and not any(c in ' \t\r\n"' for c in name)
        if not plain and any(c in '\r\n"' for c in name):
            raise DataError(
                f"the doc id “{name[:40]}” has a line end or a quotation mark, which LETOR text cannot hold",
                "save as .csv or .parquet",
                file=file,
            )
        tails.append(f" #docid = {name}\n" if plain else f' #docid = "{name}"\n' if name else "\n")
    return tails


def _pack(texts: list[str]) -> PackedIds:
    raw = [text.encode("utf-8", "replace") for text in texts]
    offsets = np.cumsum([0] + [len(text) for text in raw])
    return PackedIds(np.frombuffer(b"".join(raw), dtype=np.uint8), offsets)


def _pack_floats(values: np.ndarray) -> PackedIds:
    """Return the shortest texts that are read back as the same float32."""
    import pyarrow as pa

    from .reading.table_text import pack_texts

    texts = pa.array(values).cast(pa.string())
    # A reader goes by way of double, which rounds twice: some shortest text might end up next door.
    with np.errstate(over="ignore"):
        back = texts.cast(pa.float64()).to_numpy().astype(np.float32)
    wrong = np.flatnonzero(back.view(np.uint32) != values.view(np.uint32))
    if len(wrong):
        fixed = texts.to_pylist()
        for i in wrong:
            fixed[i] = f"{float(values[i]):.9g}"
        texts = pa.array(fixed, pa.string())
    return pack_texts(texts)


def _write_table(data: RankingData, stream: Any, suffix: str, file: str) -> None:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    reserved = {name for names in ROLES.values() for name in names}
    taken = [name for name in data.feature_names if name.strip().lower() in reserved or not name.strip()]
    if taken:
        raise DataError(
            f"a feature called “{taken[0]}” would be taken for something else when the table is loaded",
            "rename it",
            file=file,
        )
    columns: dict[str, Any] = {"grade": data.y, "qid": data.qid}
    if data.doc_ids is not None:
        columns["docid"] = data.doc_ids.astype(object)
    for k, name in enumerate(data.feature_names):
        columns[name] = np.ascontiguousarray(data.X[:, k])
    if data.qid.dtype.kind not in "iu":
        columns["qid"] = data.qid.astype(str).astype(object)
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    if suffix == ".parquet":
        pyarrow.parquet.write_table(table, stream)
    else:
        options = pyarrow.csv.WriteOptions(
            delimiter="\t" if suffix == ".tsv" else ",", quoting_style="needed"
        )
        pyarrow.csv.write_csv(table, stream, options)
