"""Files that a visitor brings: kept in the session's own temporary folder, gone when the session is.

Nothing of a file is executed or unpickled. An upload is called after its content: a link to it works for
whoever uploads the same file.
"""

from __future__ import annotations

import atexit
import hashlib
import re
import shutil
import tempfile
import threading
from pathlib import Path
from typing import BinaryIO

import pandas as pd
import streamlit as st

from ltr_core import DataError
from ltr_core.data import report
from ltr_core.data.reading.sources import open_source, read_some

from ..session import state
from .catalog import FILES, UPLOAD, UPLOAD_CELLS, Entry, entries
from .specs import DataSpec

MAX_MB = 200  # of a file as it is sent
MAX_UNPACKED = 1 << 30  # bytes, of a compressed file when it is unpacked
MOST = 6  # files that a session keeps
_GRACE = 600.0  # seconds that files outlive a lost connection
_BLOCK = 1 << 20
_COLUMNS = ["file", "line", "column", "problem"]


class Folder:
    """A session's folder; deleted some time after the session has gone, and when the server ends."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="rankscope-"))
        self._timer: threading.Timer | None = None
        atexit.register(self.delete)

    def keep(self) -> Folder:
        """Note that the session is there."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        return self

    def left(self) -> None:
        """Start the grace period."""
        self._timer = threading.Timer(_GRACE, self.delete)
        self._timer.daemon = True
        self._timer.start()

    def delete(self) -> None:
        """Delete the files."""
        shutil.rmtree(self.path, ignore_errors=True)
        atexit.unregister(self.delete)


@st.cache_resource(scope="session", show_spinner=False, on_release=Folder.left)
def _held(owner: str, _folder: Folder) -> Folder:
    return _folder


def folder() -> Folder:
    """Return this session's folder."""
    return _held(state.owner(), state.upload_folder(Folder)).keep()


def arrive(file: BinaryIO, name: str) -> None:
    """Take in a file that was sent: it is checked when the page is drawn. A callback's work."""
    digest = hashlib.blake2b(digest_size=8)
    file.seek(0)
    while block := file.read(_BLOCK):
        digest.update(block)
    place = folder().path / digest.hexdigest()
    place.mkdir(exist_ok=True)
    path = place / safe_name(name)
    file.seek(0)
    with open(path, "wb") as out:
        shutil.copyfileobj(file, out, _BLOCK)
    state.set_pending(digest.hexdigest(), path)


def accept(key: str, path: Path) -> str:
    """Put a file that has been read into the list of data sets; the oldest makes room. Return its name."""
    held = state.uploads()
    held[key] = path
    for old in [k for k in held if UPLOAD + k not in (state.get("data"), UPLOAD + key)]:
        if len(held) > MOST:
            discard(held.pop(old))
    state.set_pending()
    return UPLOAD + key


def entry_of(key: str, path: Path) -> Entry:
    """Return the entry that an upload would have in the list."""
    return entries({key: path})[UPLOAD + key]


def discard(path: Path) -> None:
    """Delete a file."""
    shutil.rmtree(path.parent, ignore_errors=True)


def safe_name(name: str) -> str:
    """Return a file's name without folders and odd characters, its suffixes kept."""
    plain = re.sub(r"[^\w.() -]", "_", name.replace("\\", "/").rpartition("/")[2]).strip(". ")
    return plain[-80:] or "file"


def refuse_bomb(path: Path) -> None:
    """Raise a `DataError` when a file would unpack to more than is taken."""
    with open(path, "rb") as file, open_source(file, path.name) as opened:
        if opened.stream is file:
            return
        size = len(opened.head)
        try:
            while block := read_some(opened.stream, _BLOCK):
                size += len(block)
                if size > MAX_UNPACKED:
                    raise DataError(
                        f"the file unpacks to more than {MAX_UNPACKED >> 20:,} MB",
                        "put it unpacked into the folder data/, or upload a part of it",
                        file=path.name,
                    )
        except (OSError, EOFError):
            return  # damage: the reader knows the line
        except ValueError as error:
            if isinstance(error, DataError):
                raise


def problems(entry: Entry, spec: DataSpec) -> pd.DataFrame:
    """Return what is wrong with a set's files, line by line: columns file, line, column, problem."""
    missing = dict(spec.size).get("missing", "error")
    rows: list[tuple] = []
    if isinstance(entry.source, Path) and entry.source.exists():
        try:
            refuse_bomb(entry.source)
        except DataError as error:
            rows = [
                (
                    entry.source.name,
                    error.line,
                    error.column,
                    _capital(f"{error.what}. {_capital(error.todo)}."),
                )
            ]
            return pd.DataFrame(rows, columns=_COLUMNS, dtype=object)
    for path in _files(entry, spec):
        found = _report_upload(path, missing) if entry.source == path else report(path, missing=missing)
        rows += [(path.name, p.line, p.column, _told(p.sentence, path, p.line, p.column)) for p in found]
    return pd.DataFrame(rows, columns=_COLUMNS, dtype=object)


def _files(entry: Entry, spec: DataSpec) -> list[Path]:
    if entry.name.startswith(FILES) and not isinstance(entry.source, Path):
        folds = getattr(entry.source, "folds", ())
        if folds:
            one = folds[0 if spec.fold == "split" else int(spec.fold) - 1]
            return [one.train, one.valid, one.test]
        path = getattr(entry.source, "path", None)
        return [path] if path is not None and path.is_file() else []
    return [entry.source] if isinstance(entry.source, Path) and entry.source.exists() else []


def _report_upload(path: Path, missing: str) -> list:
    with open(path, "rb") as file:
        return report(file, name=path.name, missing=missing, max_cells=UPLOAD_CELLS)


def _told(sentence: str, path: Path, line: int | None, column: int | str | None) -> str:
    """Return a sentence without the place that it begins with: that has columns of its own."""
    where = [str(path), path.name]
    spot = "" if line is None else f", line {line}"
    spot += (
        "" if column is None else f", column {column}" if isinstance(column, int) else f", column “{column}”"
    )
    for start in where:
        if sentence.startswith(f"{start}{spot}: "):
            rest = sentence[len(start) + len(spot) + 2 :]
            return _capital(rest)
    return sentence


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
