"""LETOR's folders: Fold1 … Fold5 with a file each to train, to validate and to test."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import DataError, ParameterError
from .formats import format_of, stem_of
from .loading import load
from .reading.sources import split_compression
from .set.ranking_data import RankingData
from .set.splitting import split

Fold = tuple[RankingData, RankingData, RankingData]
ROLES = {
    "train": ("train", "training", "trainingset", "trainset"),
    "valid": ("vali", "valid", "val", "validation", "validationset", "valiset", "dev"),
    "test": ("test", "testing", "testset"),
}
CUT = (0.75, 0.25)  # of the training queries, where validation is cut from them: three to one, as in LETOR


@dataclass(frozen=True)
class FoldFiles:
    """Where the three parts of one fold are; `valid` is None where there is no such file."""

    name: str
    train: Path
    valid: Path | None
    test: Path

    @property
    def files(self) -> list[Path]:
        """The files that are there."""
        return [path for path in (self.train, self.valid, self.test) if path is not None]


def find_folds(path: str | os.PathLike) -> list[FoldFiles]:
    """Return the folds of a LETOR folder, without reading them.

    Parameters
    ----------
    path : path
        A folder with folders Fold1, Fold2, …, each with ``train.txt``, ``vali.txt`` (or ``valid.txt``) and
        ``test.txt``, or ``trainingset.txt``, ``validationset.txt``, ``testset.txt``, in any case and with
        any suffix that `load` knows; or a folder that holds such files itself: one fold. Where there are
        none of these, ``rank.train``, ``rank.vali``, ``rank.test`` will do.

    Returns
    -------
    list of FoldFiles
        In the order of their numbers. The file to validate with may be missing, the others may not.
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
    path: str | os.PathLike,
    *,
    missing: str = "error",
    only: Iterable[int] | int | None = None,
    valid: str = "file",
    seed: int = 0,
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
    valid : {"file", "cut"}
        What a fold without a file to validate with is: an error, or it validates with a quarter of its
        training queries, drawn by `seed`, and trains on the others.
    seed : int
        Of the cut.

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
    if valid not in ("file", "cut"):
        raise ParameterError(f"valid = {valid!r}: take 'file' or 'cut'.")
    for fold in files:
        if fold.valid is None and valid == "file":
            todo = f'add {_advice("valid")}, or cut it from the training queries (valid="cut")'
            raise DataError("there is no valid file", todo, file=str(fold.train.parent))
    folder = Path(path).resolve().name
    titles = [folder if fold.name == folder else f"{folder} {fold.name}" for fold in files]
    parts = []
    for fold, title in zip(files, titles, strict=True):
        for role in ROLES:
            source = getattr(fold, role)
            if source is not None:
                parts.append(load(source, missing=missing, name=f"{title} {role}"))
    rest = iter(align(parts, [source for fold in files for source in fold.files]))
    loaded: list[Fold] = []
    for fold, title in zip(files, titles, strict=True):
        train, *validation = (next(rest) for _ in fold.files[:-1])
        train, own = (train, validation[0]) if validation else _cut(train, title, seed)
        loaded.append((train, own, next(rest)))
    return loaded


def _cut(train: RankingData, title: str, seed: int) -> tuple[RankingData, RankingData]:
    """Return training queries as two parts, to train and to validate."""
    kept, cut = split(train, CUT, seed)
    kept.name, cut.name = f"{title} train", f"{title} valid"
    return kept, cut


def _fold_number(entry: Path) -> int | None:
    found = re.fullmatch(r"fold[ _-]?(\d+)", entry.name, re.IGNORECASE | re.ASCII)
    return int(found[1]) if found else None


def _find_parts(folder: Path, name: str) -> FoldFiles:
    parts: dict[str, Path | None] = {}
    for role in ROLES:
        found = _files_for(role, folder)
        if not found and role != "valid":
            raise DataError(f"there is no {role} file", f"add {_advice(role)}", file=str(folder))
        if len(found) > 1:
            names = ", ".join(entry.name for entry in found)
            raise DataError(f"{names} could all be the {role} file", "keep one of them", file=str(folder))
        parts[role] = found[0] if found else None
    return FoldFiles(name, **parts)  # type: ignore[arg-type]


def has_role(path: Path, role: str) -> bool:
    """Whether a file's name says that it is there to train, to validate or to test: train.txt, rank.train."""
    return stem_of(path) in ROLES[role] or _kind_of(path) in ROLES[role]


def _files_for(role: str, folder: Path) -> list[Path]:
    files = sorted(entry for entry in folder.iterdir() if entry.is_file() and has_role(entry, role))
    return [entry for entry in files if stem_of(entry) in ROLES[role]] or files


def _kind_of(path: Path) -> str:
    """Return what stands behind the point in the name of a file whose format it does not tell."""
    return "" if format_of(path) else Path(split_compression(path.name)[0]).suffix[1:].lower()


def _advice(role: str) -> str:
    first, *others = ROLES[role]
    return f"{first}.txt ({', '.join(others)} will do)"


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
