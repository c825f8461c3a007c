"""The data sets one can pick: generated, found in `data/`, uploaded. Reads them and cuts them into three."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import ltr_core as ltr
from ltr_core import DataError, Param, RankingData
from ltr_core.data import MISSING as GAPS
from ltr_core.data import Beside, read_beside, side_files
from ltr_core.datasets import DATA_FOLDER, DATASETS, DataSet, Found, found

from .process.room import most_cells
from .specs import DataSpec, settings

N_FOLDS = 5
_CUTS = ("split", *map(str, range(1, N_FOLDS + 1)))
MAX_CELLS = 100_000_000  # 400 MB of features: more than that is made outside the browser
UPLOAD_CELLS = 50_000_000  # of an upload: a few kB of sparse text can ask for 4 GB
FILES = "files/"  # what a found set's name begins with
UPLOAD = "upload/"
_SETTLED = (
    1_000_000_000  # ns: a folder that changed less long ago may change again within one tick of its clock
)
_DEPTH = 4  # folders below data/ that a set may have: data/LETOR/MQ2008/Fold1

MISSING = Param(
    "missing", "choice", "error", choices=GAPS,
    help="What an empty cell, NULL or NaN in a file becomes: an error, 0, or the smallest value of the "
    "feature in the query.",
)  # fmt: skip
VALID = Param(
    "valid", "choice", "file", choices=("file", "cut"),
    help="Where validation comes from: a file, or a quarter of the training queries, drawn by the seed of "
    "the cut.",
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One line of the data picker."""

    name: str
    label: str
    summary: str
    folds: tuple[str, ...]
    source: DataSet | Found | Path
    problem: str = ""

    @property
    def params(self) -> tuple[Param, ...]:
        """A generator's parameters; none for files."""
        return self.source.params if isinstance(self.source, DataSet) else ()

    @property
    def settings(self) -> tuple[Param, ...]:
        """What can be set about it: a generator's parameters, or how files are read."""
        return self.params or ((MISSING, VALID) if self.lacks_valid else (MISSING,))

    @property
    def lacks_valid(self) -> bool:
        """Whether it is a folder without a file to validate with."""
        return isinstance(self.source, Found) and self.source.lacks_valid

    def fold(self, wanted: str) -> str:
        """Return the fold asked for, or the first one where there is no such fold."""
        return wanted if wanted in self.folds else self.folds[0]


@dataclass(frozen=True)
class Splits:
    """Training, validation and test data, and what is known of them beside their numbers."""

    train: RankingData
    valid: RankingData
    test: RankingData
    beside: Beside = field(default_factory=Beside)

    def __getitem__(self, split: str) -> RankingData:
        return {"train": self.train, "valid": self.valid, "test": self.test}[split]

    @property
    def n_bytes(self) -> float:
        """What the features take, but for those that are mapped from a file: the system takes these back."""
        parts = (self.train, self.valid, self.test)
        return float(sum(part.X.nbytes for part in parts if part.kept is None))

    @property
    def n_cells(self) -> float:
        """How much there is to look at in a round: long queries count more, for their pairs."""
        longest = int(np.diff(self.train.offsets).max())
        return self.train.X.size * max(1.0, longest / 100)

    @property
    def max_grade(self) -> float:
        """The highest grade in any part."""
        return max(float(part.y.max()) for part in (self.train, self.valid, self.test))


def entries(uploads: Mapping[str, Path] | None = None) -> dict[str, Entry]:
    """Return all data sets by name: generated ones, those found in `data/`, this session's uploads."""
    listed = {d.name: Entry(d.name, d.label, d.summary, _CUTS, d) for d in DATASETS.values()}
    listed |= _found(DATA_FOLDER)
    for name, path in (uploads or {}).items():
        listed[UPLOAD + name] = Entry(
            UPLOAD + name, f"{path.name} (yours)", "What you uploaded.", _CUTS, path
        )
    return listed


_searched: dict[
    Path, tuple[dict[str, int], dict[str, Entry]]
] = {}  # folder: see `_stamps`, and what was found


def _found(folder: Path) -> dict[str, Entry]:
    """Return the sets in a folder, which is searched again when something in it has changed."""
    before, listed = _searched.get(folder, ({}, {}))
    if before and before == _stamps(before):
        return listed
    stamps, listed = (
        _stamps(_watched(folder)),
        {},
    )  # in this order: a change meanwhile is noticed the next time
    for one in found(folder):
        numbers = tuple(str(i + 1) for i in range(len(one.folds))) or ("1",)
        folds = {"file": _CUTS, "split": ("split",), "folds": numbers}[one.kind]
        name = FILES + one.name
        listed[name] = Entry(name, one.label, one.summary, folds, one, one.problem)
    if max(stamps.values()) < time.time_ns() - _SETTLED:
        _searched[folder] = stamps, listed
    return listed


def _watched(folder: Path) -> list[str]:
    """Return the folder, its files, and the folders below, as deep as sets are found."""
    paths = [str(folder)]
    for place, folders, files in os.walk(folder, followlinks=True):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = [name for name in folders if depth < _DEPTH and not name.startswith((".", "_"))]
        paths += [os.path.join(place, name) for name in [*folders, *(files if not depth else ())]]
    return paths


def _stamps(paths: Iterable[str]) -> dict[str, int]:
    """Return when each has last changed; 0 when it is not there."""
    stamps = dict.fromkeys(paths, 0)
    for path in stamps:
        with suppress(OSError):
            stamps[path] = os.stat(path).st_ctime_ns
    return stamps


def spec_of(entry: Entry, size: Mapping[str, Any], seed: int, fold: str, shuffle: int) -> DataSpec:
    """Return the spec of a data set with these settings, checked: a generator's, or a file's gaps."""
    fold = entry.fold(fold)
    own_cut = isinstance(entry.source, DataSet | Path) or entry.source.kind == "file"
    own_cut = own_cut or size.get("valid") == "cut"
    return DataSpec(
        entry.name,
        settings(entry.settings, size, entry.label),
        seed if entry.params else 0,
        fold,
        shuffle if own_cut else 0,
        _stamp(entry),
    )


def load(spec: DataSpec, entry: Entry) -> Splits:
    """Read or generate a data set and cut it. Raises a `DataError` or `ParameterError` with its sentence."""
    # As parts: scores are in the order of `y` here, wherever rows of a query stood in the file.
    parts = tuple(part.as_part() for part in _load(spec, entry))
    if isinstance(entry.source, DataSet):
        return Splits(parts[0], parts[1], parts[2])
    path = entry.source if isinstance(entry.source, Path) else entry.source.path
    beside = read_beside(path, parts[0])
    if beside.names is not None:
        parts = tuple(part.with_names(beside.names) for part in parts)
    return Splits(parts[0], parts[1], parts[2], beside)


def _load(spec: DataSpec, entry: Entry) -> tuple[RankingData, ...]:
    if entry.problem:
        raise DataError(entry.problem.rstrip("."), "complete the folder, or pick another set")
    source, missing = entry.source, dict(spec.size).get("missing", MISSING.default)
    if isinstance(source, Found) and source.kind != "file":
        number, valid = fold_number(spec), dict(spec.size).get("valid", VALID.default)
        if valid == "file" and source.folds[number - 1].valid is None:
            raise DataError(f"{entry.label} has no file to validate with", "cut it from training, or add one")
        return source.load_fold(number, missing, valid, spec.shuffle)
    if isinstance(source, DataSet):
        size = dict(spec.size)
        _refuse_huge(source, size)
        data = source.make(spec.seed, **size)
        fractions = source.split
    else:
        data = load_upload(source, missing) if isinstance(source, Path) else source.load(missing)
        fractions = (0.6, 0.2, 0.2)
    if spec.fold == "split":
        return ltr.split(data, fractions, spec.shuffle)
    return ltr.folds(data, N_FOLDS, spec.shuffle)[int(spec.fold) - 1]


def fold_number(spec: DataSpec) -> int:
    """Return which of a folder's folds is meant, counted from 1."""
    return 1 if spec.fold == "split" else int(spec.fold)


def load_upload(path: Path, missing: str) -> RankingData:
    """Read an upload: sentences call it by its name, not by where it lies."""
    try:
        with open(path, "rb") as file:
            return ltr.load(file, name=path.name, missing=missing, max_cells=most_cells(UPLOAD_CELLS))
    except FileNotFoundError:
        raise DataError(f"{path.name} is no longer here", "upload it once more on Data") from None


def _refuse_huge(source: DataSet, size: Mapping[str, Any]) -> None:
    values = source.checked(dict(size))
    cells = 1.0
    for name in ("n_queries", "n_docs", "n_features"):
        cells *= values.get(name) or 50
    most = most_cells(MAX_CELLS)
    if cells > most:
        who = "the dashboard makes" if most == MAX_CELLS else "the server has memory for"
        raise DataError(
            f"{source.label} of this size has {cells / 1e6:,.1f} million feature values, and {who} "
            f"at most {most / 1e6:,.1f} million",
            "take fewer queries, documents or features",
        )


def _stamp(entry: Entry) -> str:
    """Return what tells one state of a set's files from another, without reading them."""
    if isinstance(entry.source, DataSet):
        return ""
    if isinstance(entry.source, Path):
        return f"upload {entry.name}"
    digest, source = hashlib.blake2b(digest_size=8), entry.source.path
    paths = sorted(source.rglob("*")) if source.is_dir() else [source, *side_files(source)]
    for path in paths:
        if path.is_file() and not path.parent.name.startswith("."):  # as what is kept beside the files
            state = os.stat(path)
            digest.update(f"{os.path.relpath(path, source)} {state.st_size} {state.st_mtime_ns}".encode())
    return digest.hexdigest()
