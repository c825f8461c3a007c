"""Data sets found in a folder: whatever a person dropped into ``data/`` appears by itself.

Found are LETOR folders (Fold1 … FoldN), folders with a file each to train, to validate and to test, and
single files of a known kind right in the folder. Nothing is read: a file is opened when it is used. Names
that start with a dot or an underscore are passed over (``.cache`` is the run store); symbolic links are
followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..data import FoldFiles, RankingData, find_folds, has_role, is_side_file, load, load_folds, stem_of
from ..errors import DataError

_BESIDE = Path(__file__).resolve().parents[2]
_IN_CLONE = (_BESIDE / "pyproject.toml").exists()
APP_FOLDER = (
    _BESIDE if _IN_CLONE else _BESIDE / "rankscope"
)  # of the dashboard: an installation keeps it apart
BUNDLED = APP_FOLDER / "data"  # what comes with Rankscope
_DEPTH = 3  # data/LETOR/MQ2008/Fold1 is as deep as sets are kept
_FOR_PEOPLE = ("readme", "license", "licence", "notes", "requirements")


def _data_folder() -> Path:
    """Return where people drop their data: `$RANKSCOPE_DATA`, a clone's data/, or a folder of their own."""
    given = os.environ.get("RANKSCOPE_DATA")
    if given or _IN_CLONE:
        return Path(given).expanduser().resolve() if given else BUNDLED
    told = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(told or Path.home() / ".local" / "share") / "rankscope" / "data"


DATA_FOLDER = _data_folder()  # what people drop there is found


@dataclass(frozen=True)
class Found:
    """A data set on disk.

    Attributes
    ----------
    name : str
        Its path below the searched folder, with "/": stable, good for a link.
    kind : {"folds", "split", "file"}
        LETOR's folds, one training/validation/test split, or a single file that is still to be split.
    path : Path
        The folder or file.
    folds : tuple of FoldFiles
        The files of each fold, in order; one for a "split", none for a "file".
    problem : str
        Why it cannot be used as it stands, e.g. a fold without its test file; empty if it can.
    """

    name: str
    kind: str
    path: Path
    folds: tuple[FoldFiles, ...] = ()
    problem: str = ""

    @property
    def label(self) -> str:
        """What to call it on screen."""
        return self.name

    @property
    def summary(self) -> str:
        """One sentence on what was found."""
        if self.problem:
            return self.problem
        none = " There is no file to validate with." if self.lacks_valid else ""
        if self.kind == "folds":
            return f"A LETOR folder with {len(self.folds)} fold{'s' if len(self.folds) != 1 else ''}.{none}"
        if self.kind == "split":
            validate = "and to test." if none else "to validate and to test."
            return f"A folder with a file each to train{' ' if none else ', '}{validate}{none}"
        return f"A file of {self.path.stat().st_size / 1e6:,.1f} MB."

    @property
    def lacks_valid(self) -> bool:
        """Whether a fold has no file to validate with."""
        return any(fold.valid is None for fold in self.folds)

    def load(self, missing: str = "error") -> RankingData:
        """Read a single file."""
        return load(self.path, missing=missing)

    def load_fold(
        self, number: int = 1, missing: str = "error", valid: str = "file", seed: int = 0
    ) -> tuple[RankingData, ...]:
        """Read the training, validation and test data of one fold, counted from 1; as `load_folds`."""
        return load_folds(self.path, missing=missing, only=number, valid=valid, seed=seed)[0]


def found(folder: str | Path) -> list[Found]:
    """Return the data sets in a folder, by name; none when there is no such folder.

    With those of `DATA_FOLDER` come the `BUNDLED` ones, wherever they lie.
    """
    folder = Path(folder)
    places = (BUNDLED, folder) if folder == DATA_FOLDER else (folder,)
    sets = {entry.name: entry for place in places for entry in _found(place)}
    return sorted(sets.values(), key=lambda entry: entry.name.lower())


def _found(folder: Path) -> Iterator[Found]:
    yield from _search(folder, "", _DEPTH)
    for path in _children(folder):
        if path.is_file() and stem_of(path) not in (None, *_FOR_PEOPLE) and not is_side_file(path):
            yield Found(path.name, "file", path)


def _search(folder: Path, name: str, depth: int) -> Iterator[Found]:
    """Yield the sets in the folders below, not looking into sets."""
    if not depth:
        return
    for child in _children(folder):
        if child.is_dir():
            path = f"{name}/{child.name}" if name else child.name
            entry = _as_set(child, path)
            if entry is not None:
                yield entry
            else:
                yield from _search(child, path, depth - 1)


def _as_set(folder: Path, name: str) -> Found | None:
    """Return the set that a folder is, also one that lacks a file; None if it is none."""
    inside = _children(folder)
    has_folds = any(re.fullmatch(r"fold[ _-]?\d+", path.name.lower()) and path.is_dir() for path in inside)
    if not has_folds and not any(path.is_file() and has_role(path, "train") for path in inside):
        return None
    kind = "folds" if has_folds else "split"
    try:
        return Found(name, kind, folder, tuple(find_folds(folder)))
    except (DataError, OSError) as error:
        return Found(name, kind, folder, problem=str(error))


def _children(folder: Path) -> list[Path]:
    """Return what is in a folder, by name; nothing when it may not be read."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [folder / name for name in names if not name.startswith((".", "_"))]
