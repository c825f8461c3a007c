"""LETOR's folders: Fold1 … Fold5 with a file each to train, to validate and to test."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import DataError
from .formats import stem_of
from .loading import load
from .set.ranking_data import RankingData

Fold = tuple[RankingData, RankingData, RankingData]
ROLES = {
    "train": ("train", "training", "trainingset", "trainset"),
    "valid": ("vali", "valid", "val", "validation", "validationset", "valiset", "dev"),
    "test": ("test", "testing", "testset"),
}


@dataclass(frozen=True)
class FoldFiles:
    """Where the three parts of one fold are."""

    name: str
    train: Path
    valid: Path
    test: Path


def find_folds(path: str | os.PathLike) -> list[FoldFiles]:
    """Return the folds of a LETOR folder, without reading them.

    Parameters
    ----------
    path : path
        A folder with folders Fold1, Fold2, …, each with ``train.txt``, ``vali.txt`` (or ``valid.txt``) and
        ``test.txt``, or ``trainingset.txt``, ``validationset.txt``, ``testset.txt``, in any case and with
        any suffix that `load` knows; or a folder that holds such files itself: one fold.

    Returns
    -------
    list of FoldFiles
        In the order of their numbers.
    """
    folder = Path(path)
    if not folder.is_dir():
        what = "this is a file, not a folder" if folder.exists() else "there is no such folder"
        raise DataError(what, "give the folder that holds Fold1, Fold2, …", file=str(folder))
    numbered = [(_fold_number(entry), entry) for entry in folder.iterdir() if entry.is_dir()]
    found = sorted((number, entry.name, entry) for number, entry in numbered if number is not None)
    if found:
        return [_find_parts(entry, entry.name) for _, _, entry in found]
    return [_find_parts(folder, folder.name)]


def load_folds(
    path: str | os.PathLike, *, missing: str = "error", only: Iterable[int] | int | None = None
) -> list[Fold]:
    """Load LETOR's folds as they are given; see `find_folds` for what is found.

    Parameters
    ----------
    path : path
        A folder with Fold1, Fold2, …, or with one fold's files.
    missing : {"error", "zero", "query_min"}
        As in `load`.
    only : int or sequence of int, optional
        Which folds to load, counted from 1. Without it: all.

    Returns
    -------
    list of (train, valid, test)
        All with the same features: what one file does not mention is 0 there.
    """
    files = find_folds(path)
    if only is not None:
        wanted = [only] if isinstance(only, int) else list(only)
        wrong = [number for number in wanted if not 1 <= number <= len(files)]
        if wrong:
            raise DataError(f"there is no fold {wrong[0]}", f"choose from 1 to {len(files)}", file=str(path))
        files = [files[number - 1] for number in wanted]
    folder = Path(path).resolve().name
    parts = []
    for fold in files:
        title = folder if fold.name == folder else f"{folder} {fold.name}"
        for role in ROLES:
            parts.append(load(getattr(fold, role), missing=missing, name=f"{title} {role}"))
    parts = align(parts, [getattr(fold, role) for fold in files for role in ROLES])
    return list(zip(parts[0::3], parts[1::3], parts[2::3], strict=True))


def _fold_number(entry: Path) -> int | None:
    found = re.fullmatch(r"fold[ _-]?(\d+)", entry.name, re.IGNORECASE | re.ASCII)
    return int(found[1]) if found else None


def _find_parts(folder: Path, name: str) -> FoldFiles:
    parts = {}
    for role, stems in ROLES.items():
        found = sorted(entry for entry in folder.iterdir() if entry.is_file() and stem_of(entry) in stems)
        if not found:
            todo = f"add {stems[0]}.txt ({', '.join(stems[1:])} will do)"
            raise DataError(f"there is no {role} file", todo, file=str(folder))
        if len(found) > 1:
            names = ", ".join(entry.name for entry in found)
            raise DataError(f"{names} could all be the {role} file", "keep one of them", file=str(folder))
        parts[role] = found[0]
    return FoldFiles(name, **parts)


def align(parts: list[RankingData], files: list[Path]) -> list[RankingData]:
    """Give all parts the same features."""
    names = [part.feature_names for part in parts]
    if len(set(names)) == 1:
        return parts
    if not all(own in (_count_from(0, len(own)), _count_from(1, len(own))) for own in names):
        odd = next(i for i, own in enumerate(names) if own != names[0])
        what = f"its feature columns are not those of {files[0].name}"
        raise DataError(what, "give all files the same columns", file=str(files[odd]))
    first = min(int(own[0][1:]) for own in names)
    last = max(int(own[-1][1:]) for own in names)
    wanted = _count_from(first, last + 1 - first)
    return [part if part.feature_names == wanted else _widen(part, wanted) for part in parts]


def _count_from(first: int, n_features: int) -> tuple[str, ...]:
    return tuple(f"f{k}" for k in range(first, first + n_features))


def _widen(part: RankingData, names: tuple[str, ...]) -> RankingData:
    X = np.zeros((part.n_docs, len(names)), dtype=np.float32)
    start = names.index(part.feature_names[0])
    X[:, start : start + part.n_features] = part.X
    return part.with_features(X, names)
