"""Where data come from: a path or an open buffer, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import DataError, ParameterError, import_extra

COMPRESSIONS = {".gz": "gzip", ".bz2": "bzip2", ".zst": "zstd"}

# What decompressors raise on damaged input. pyarrow's errors are OSError or ValueError.
DAMAGED = (OSError, EOFError, zlib.error, ValueError)

_HEAD = 65_536
_MOST_UNPACKED, _MOST_TIMES = 512 << 20, 100  # beyond both a compressed file is a bomb, or better unpacked
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"}


@dataclass
class Source:
    """An open stream of decompressed bytes, of which `head` has been read."""

    stream: Any
    file: str  # as errors call it
    path: Path | None
    head: bytes

    def read_all(self, has_lines: bool = True) -> bytes:
        """Return the whole content; `has_lines`: errors can name one."""
        parts = [self.head]
        try:
            while parts[-1]:
                parts.append(read_some(self.stream, 1 << 20))
        except DAMAGED as error:
            line = 1 + sum(part.count(b"\n") for part in parts) if has_lines else None
            raise damaged(self.file, line, error) from None
        return b"".join(parts)


@contextmanager
def open_source(source: Any, name: str | None = None) -> Iterator[Source]:
    """Open a path, bytes or a binary file object (read from its start), compressed or not."""
    raw, file, path = _open_raw(source, name)
    try:
        stream = _decompress(raw, split_compression(file)[1], file)
        yield Source(stream, file, path, _read_head(stream, file))
    finally:
        if path is not None:
            raw.close()


def _open_raw(source: Any, name: str | None) -> tuple[BinaryIO, str, Path | None]:
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if path.is_dir():
            todo = "load one file in it, or the folds of a LETOR folder with ltr.load_folds"
            raise DataError("this is a folder", todo, file=str(path))
        try:
            raw = open(path, "rb", buffering=0)  # noqa: SIM115 (closed by who asked for it)
            if raw.seekable():
                return raw, str(path), path
            with raw:  # a pipe
                return io.BytesIO(raw.read()), str(path), None
        except FileNotFoundError:
            what, todo = "there is no such file", "check the name and the folder"
            raise DataError(what, todo, file=str(path)) from None
        except (OSError, ValueError) as error:
            what = f"the file cannot be opened ({getattr(error, 'strerror', None) or error})"
            raise DataError(what, "check the path and the rights", file=str(path)) from None
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


def split_compression(file: str) -> tuple[str, str | None]:
    """Return a file's name without the suffix of a compression, and which that promises."""
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
        what = f"the name promises {promised}, but {really}"
        raise DataError(what, "give the file the name that fits what it is", file=file, line=1)
    if found is None:
        return raw
    packed = raw.seek(0, os.SEEK_END)
    raw.seek(0)
    if found == "gzip":
        return _Unpacked(gzip.GzipFile(fileobj=raw), packed)
    if found == "bzip2":
        return _Unpacked(_Bzip2(raw), packed)
    pyarrow = import_extra("pyarrow", "tables", "zstd")
    return _Unpacked(pyarrow.CompressedInputStream(pyarrow.PythonFile(raw, mode="r"), "zstd"), packed)


class _Unpacked:
    """A decompressed stream that ends where it turns out to be a bomb."""

    def __init__(self, stream: Any, packed: int) -> None:
        self._stream, self._left = stream, max(_MOST_UNPACKED, _MOST_TIMES * packed)
        self._damage: Exception | None = None

    def read1(self, n_bytes: int) -> bytes:
        """Return up to so many bytes; after damage there are none, however often one asks.

        gzip's reader forgets a header that was cut short, and says next time that the file has ended.
        """
        if self._damage is not None:
            raise self._damage
        try:
            some = read_some(self._stream, n_bytes)
        except DAMAGED as error:
            self._damage = error
            raise
        self._left -= len(some)
        if self._left < 0:
            size = f"{_MOST_UNPACKED >> 20} MB and {_MOST_TIMES} times its size"
            todo = "unpack it yourself and load what comes out, if it really is that large"
            raise DataError(f"the compressed file unpacks to more than {size}", todo)
        return some


class _Bzip2:
    """A bzip2 file of one stream or several; Python's own reader drops what follows a damaged one's start."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw, self._unpack = raw, bz2.BZ2Decompressor()

    def read1(self, n_bytes: int) -> bytes:
        """Return up to so many bytes."""
        while True:
            packed = b""
            if self._unpack.eof or self._unpack.needs_input:
                packed = self._unpack.unused_data or self._raw.read(_HEAD)
                if not packed and self._unpack.eof:
                    return b""
                if not packed:
                    raise EOFError("truncated")
            if self._unpack.eof:
                self._unpack = bz2.BZ2Decompressor()
            if some := self._unpack.decompress(packed, n_bytes):
                return some


def has_checksum(path: str | os.PathLike) -> bool:
    """Whether damage inside a file of this kind would show: zstd leaves its checksum out unless asked."""
    with open(path, "rb") as file:
        head = file.read(5)
    return not (head.startswith(b"\x28\xb5\x2f\xfd") and len(head) == 5 and not head[4] & 4)


def _read_head(stream: Any, file: str) -> bytes:
    head = b""
    try:
        while len(head) < _HEAD and (more := read_some(stream, _HEAD - len(head))):
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
    if isinstance(error, DataError):
        return DataError(error.what, error.todo, file=file, line=line)
    is_short = isinstance(error, EOFError) or "runcated" in str(error)
    what = "the compressed file ends too early" if is_short else f"the file is damaged ({error})"
    return DataError(what, "fetch or compress it once more", file=file, line=line)
