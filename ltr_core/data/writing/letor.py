"""LETOR text of a set, which is read back to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import numpy as np
from numba import njit

from ...errors import DataError
from ..reading.table_text import pack_texts
from ..set.packed_ids import PackedIds
from ..set.ranking_data import RankingData

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


def write_letor(data: RankingData, stream: IO[bytes], file: str) -> None:
    """Write LETOR text, a piece at a time."""
    for piece in letor_pieces(data, file):
        stream.write(piece)


def letor_pieces(data: RankingData, file: str) -> Iterator[bytes]:
    """Yield the text of a set; an error names `file`."""
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
            what = (
                f"the doc id “{name[:40]}” has a line end or a quotation mark, which LETOR text cannot hold"
            )
            raise DataError(what, "save as .csv or .parquet", file=file)
        tails.append(f" #docid = {name}\n" if plain else f' #docid = "{name}"\n' if name else "\n")
    return tails


def _pack(texts: list[str]) -> PackedIds:
    raw = [text.encode("utf-8", "replace") for text in texts]
    offsets = np.cumsum([0] + [len(text) for text in raw])
    return PackedIds(np.frombuffer(b"".join(raw), dtype=np.uint8), offsets)


def _pack_floats(values: np.ndarray) -> PackedIds:
    """Return the shortest texts that are read back as the same float32."""
    import pyarrow as pa

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
