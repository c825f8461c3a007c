"""Where data come from: a path or an open buffer, compressed or not, and what it turns out to hold."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import DataError, ParameterError

TEXT, TABLE, PARQUET = "text", "table", "parquet"
KINDS = {
    ".txt": TEXT, ".dat": TEXT, ".svm": TEXT, ".letor": TEXT,
    ".csv": TABLE, ".tsv": TABLE, ".parquet": PARQUET,
}  # fmt: skip
COMPRESSIONS = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd"}

# What decompressors raise on damaged input. pyarrow's errors are OSError or ValueError.
DAMAGED = (OSError, EOFError, zlib.error, ValueError)

_HEAD = 65_536
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"}
_UNPACK = "unpack it and load the file inside"
_EXPORT = "save it as LETOR text, .csv, .tsv or .parquet"
_RUBBISH = {
    b"PK\x03\x04": ("this is a zip archive (or an Office document)", _UNPACK),
    b"PK\x05\x06": ("this is an empty zip archive", _UNPACK),
    b"7z\xbc\xaf\x27\x1c": ("this is a 7z archive", _UNPACK),
    b"\xfd7zXZ\x00": ("this is compressed by xz", "compress it as .gz, .bz2 or .zst, or not at all"),
    b"Rar!": ("this is a rar archive", _UNPACK),
    b"\x89PNG": ("this is a PNG picture", "load a data file"),
    b"\xff\xd8\xff": ("this is a JPEG picture", "load a data file"),
    b"GIF8": ("this is a GIF picture", "load a data file"),
    b"%PDF": ("this is a PDF document", "load a data file"),
    b"\x93NUMPY": ("this is a numpy array", _EXPORT),
    b"\x89HDF": ("this is an HDF5 file", _EXPORT),
    b"\x80\x02": ("this is a Python pickle, which is never opened", _EXPORT),
    b"\x80\x03": ("this is a Python pickle, which is never opened", _EXPORT),
    b"\x80\x04": ("this is a Python pickle, which is never opened", _EXPORT),
    b"\x80\x05": ("this is a Python pickle, which is never opened", _EXPORT),
    b"\x7fELF": ("this is a program", "load a data file"),
    b"\xff\xfe": ("this text is saved as UTF-16", "save it as UTF-8"),
    b"\xfe\xff": ("this text is saved as UTF-16", "save it as UTF-8"),
    b"{": ("this looks like JSON", _EXPORT),
    b"[": ("this looks like JSON", _EXPORT),
    b"<": ("this looks like a web page or XML", "load the data file itself"),
}


@dataclass
class Source:
    """An open stream of decompressed bytes, of which `head` has been read."""

    stream: Any
    file: str  # as errors call it
    stem: str  # the name without folders and known suffixes
    kind: str
    separator: str  # between the columns of a table
    path: Path | None
    head: bytes


@contextmanager
def open_source(source: Any, name: str | None = None) -> Iterator[Source]:
    """Open a path, bytes or a binary file object (read from its start) and see what it holds."""
    raw, file, path = _open_raw(source, name)
    try:
        inner, compression = _split_compression(file)
        stream = _decompress(raw, compression, file)
        head = _read_head(stream, file)
        kind, separator = _find_kind(head, Path(inner).suffix.lower(), file)
        stem = Path(inner).name
        stem = stem[: -len(Path(stem).suffix)] if Path(stem).suffix.lower() in KINDS else stem
        yield Source(stream, file, stem, kind, separator, path, head)
    finally:
        if path is not None:
            raw.close()


def _open_raw(source: Any, name: str | None) -> tuple[BinaryIO, str, Path | None]:
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if path.is_dir():
            raise DataError(
                "this is a folder",
                "load one file in it, or the folds of a LETOR folder with ltr.load_folds",
                file=str(path),
            )
        try:
            raw = open(path, "rb", buffering=0)  # noqa: SIM115 (closed by who asked for it)
            if raw.seekable():
                return raw, str(path), path
            with raw:  # a pipe
                return io.BytesIO(raw.read()), str(path), None
        except FileNotFoundError:
            raise DataError(
                "there is no such file", "check the name and the folder", file=str(path)
            ) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise DataError(
                f"the file cannot be opened ({reason})", "check the path and the rights", file=str(path)
            ) from None
    if isinstance(source, (bytes, bytearray, memoryview)):
        return io.BytesIO(source), name or "data", None
    if not hasattr(source, "read") or isinstance(source, io.TextIOBase):
        raise ParameterError(
            f"Data cannot be loaded from {type(source).__name__}. "
            "Give a path, bytes or a file opened in binary mode."
        )
    file = name or getattr(source, "name", None)
    file = file if isinstance(file, str) else "data"
    if hasattr(source, "readinto") and hasattr(source, "seekable") and source.seekable():
        source.seek(0)
        return source, file, None
    return io.BytesIO(source.read()), file, None


def _split_compression(file: str) -> tuple[str, str | None]:
    suffix = Path(file).suffix.lower()
    if suffix in COMPRESSIONS:
        return file[: -len(suffix)], COMPRESSIONS[suffix]
    return file, None


def _decompress(raw: BinaryIO, promised: str | None, file: str) -> Any:
    try:
        magic = raw.read(4) or b""
        raw.seek(0)
    except OSError as error:
        reason = error.strerror or error
        raise DataError(f"the file cannot be read ({reason})", "check the file", file=file) from None
    found = next((kind for start, kind in _PACKED.items() if magic.startswith(start)), None)
    if magic == b"":
        raise DataError("the file is empty", "load a file with at least one document", file=file, line=1)
    if promised is not None and found != promised:
        really = f"it is compressed by {found}" if found else "it is not compressed that way"
        raise DataError(
            f"the name promises {promised}, but {really}",
            "give the file the name that fits what it is",
            file=file,
            line=1,
        )
    if found == "gzip":
        return gzip.GzipFile(fileobj=raw)
    if found == "bzip2":
        return bz2.BZ2File(raw)
    if found == "zstd":
        import pyarrow

        return pyarrow.CompressedInputStream(pyarrow.PythonFile(raw, mode="r"), "zstd")
    return raw


def _read_head(stream: Any, file: str) -> bytes:
    head = b""
    try:
        while len(head) < _HEAD:
            more = read_some(stream, _HEAD - len(head))
            if not more:
                break
            head += more
    except DAMAGED as error:
        # Damage further on is met again by the reader, who knows the line.
        if not head:
            raise damaged(file, 1, error) from None
    if not head:
        raise DataError("the file is empty", "load a file with at least one document", file=file, line=1)
    return head


def read_some(stream: Any, n_bytes: int) -> bytes:
    """Return up to so many bytes, none at the end; what comes before damage is not lost."""
    return stream.read1(n_bytes) if hasattr(stream, "read1") else stream.read(n_bytes)


def damaged(file: str, line: int | None, error: Exception) -> DataError:
    """Return the error for a compressed file that ends early or is damaged at some line."""
    if isinstance(error, EOFError) or "runcated" in str(error):
        return DataError(
            "the compressed file ends too early", "fetch or compress it once more", file=file, line=line
        )
    return DataError(f"the file is damaged ({error})", "fetch or compress it once more", file=file, line=line)


def _find_kind(head: bytes, suffix: str, file: str) -> tuple[str, str]:
    """Return what kind of data this is, by its first bytes and its suffix, and the separator of a table."""
    separator = "\t" if suffix == ".tsv" else ","
    if head.startswith(b"PAR1"):
        return PARQUET, separator
    for start, (what, todo) in _RUBBISH.items():
        if head.lstrip().startswith(start) if start in b"{[<" else head.startswith(start):
            raise DataError(what, todo, file=file, line=1, column=1)
    if suffix == ".parquet":
        raise DataError(
            "this is not a Parquet file", "give the file the name that fits what it is", file=file, line=1
        )
    if b"\x00" in head[:4096]:
        place = head.index(b"\x00")
        line = head.count(b"\n", 0, place) + 1
        column = place - head.rfind(b"\n", 0, place)
        raise DataError(
            "this is not text: there is a zero byte",
            "load LETOR text, .csv, .tsv or .parquet",
            file=file,
            line=line,
            column=column,
        )
    kind = KINDS.get(suffix)
    if kind is None:
        kind, separator = _sniff(head)
    return kind, separator


def _sniff(head: bytes) -> tuple[str, str]:
    """Tell a table from LETOR text by the first line that is neither blank nor a comment."""
    text = head.decode("utf-8", errors="replace").lstrip("\ufeff")
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    line = next(lines, "")
    if re.match(r"\s*\S+(\s+[^\s:,;]+:[^\s,;]*)+\s*(#.*)?$", line) or not re.search(r"[,;\t]", line):
        return TEXT, ","
    return TABLE, "\t" if line.count("\t") > line.count(",") else ","
