"""Files that a visitor brings: the folder that goes with its session, and what may be wrong with a file.

Nothing of a file is executed or unpickled. An upload is called after its content: a link to it works for
whoever uploads the same file.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from ltr_core import DataError
from ltr_core.data import Problem, report
from ltr_core.data.reading.sources import open_source, read_some
from ltr_core.datasets import Found

from ..style.sentences import on_screen
from ..workers.scratch import scratch
from .catalog import UPLOAD, UPLOAD_CELLS, Entry, entries, fold_number
from .specs import DataSpec

MAX_MB = 200  # of a file as it is sent
MAX_UNPACKED = 1 << 30  # bytes, of a compressed file when it is unpacked
MOST = 6  # files that a session keeps
_GRACE = 150.0  # seconds that files outlive a lost connection: Streamlit keeps a session for 120
_BLOCK = 1 << 20
_COLUMNS = ["file", "line", "column", "problem"]


class Folder:
    """A session's folder; deleted some time after the session has gone, and when the server ends.

    `deleted` is told its path then: what was read from the files is given back.
    """

    def __init__(self, deleted: Callable[[Path], None] = lambda _: None) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="session-", dir=scratch()))
        self._deleted = deleted
        self._timer: threading.Timer | None = None

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
        self._deleted(self.path)
        shutil.rmtree(self.path, ignore_errors=True)


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
    for path in _files(entry, spec):
        found = _report_upload(path, missing) if entry.source == path else report(path, missing=missing)
        rows += [(path.name, p.line, p.column, _told(p, path)) for p in found]
    return pd.DataFrame(rows, columns=_COLUMNS, dtype=object)


def _files(entry: Entry, spec: DataSpec) -> list[Path]:
    source = entry.source
    if isinstance(source, Found) and source.folds:
        return source.folds[fold_number(spec) - 1].files
    path = source.path if isinstance(source, Found) else source
    return [path] if isinstance(path, Path) and path.is_file() else []


def _report_upload(path: Path, missing: str) -> list[Problem]:
    try:
        refuse_bomb(path)
    except DataError as error:
        return [Problem(error.line, error.column, str(error))]
    with open(path, "rb") as file:
        return report(file, name=path.name, missing=missing, max_cells=UPLOAD_CELLS)


def _told(problem: Problem, path: Path) -> str:
    """Return a sentence without the place that it begins with: that has columns of its own."""
    for file in (str(path), path.name):
        place = str(DataError("", file=file, line=problem.line, column=problem.column)).removesuffix(".")
        if problem.sentence.startswith(place):
            return on_screen(_capital(problem.sentence.removeprefix(place)))
    return on_screen(problem.sentence)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
