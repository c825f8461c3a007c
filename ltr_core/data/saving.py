"""`save`: a set becomes a file that `load` reads back, to the last bit."""

from __future__ import annotations

import bz2
import gzip
import os
from pathlib import Path
from typing import Any

from ..errors import DataError, import_extra
from ..files import whole_file
from .formats import LETOR, format_of
from .set.ranking_data import RankingData


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
    if path.is_dir() or not path.parent.is_dir():
        what = "this is a folder" if path.is_dir() else "there is no such folder"
        raise DataError(what, "give a file name in a folder that exists", file=str(path))
    import_extra("pyarrow", "tables", "Writing data")
    try:
        with whole_file(path) as temporary, _open(temporary, path.suffix.lower()) as stream:
            (format_of(path) or LETOR).write(data, stream, str(path))
    except OSError as error:
        what = f"the file cannot be written ({error.strerror or error})"
        raise DataError(what, "check the disk and the rights", file=str(path)) from None


def _open(path: Path, suffix: str) -> Any:
    if suffix == ".gz":
        # Without name and time inside: the same data give the same bytes.
        return _Gzip(path)
    if suffix == ".bz2":
        return bz2.BZ2File(path, "wb")
    if suffix == ".zst":
        pyarrow = import_extra("pyarrow", "tables", "zstd")
        return pyarrow.output_stream(str(path), compression="zstd")
    return open(path, "wb")


class _Gzip(gzip.GzipFile):
    def __init__(self, path: Path) -> None:
        self._raw = open(path, "wb")  # noqa: SIM115 (closed below)
        super().__init__("", "wb", 6, self._raw, mtime=0)

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._raw.close()
