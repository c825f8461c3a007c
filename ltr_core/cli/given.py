"""Where a command's data come from: a file, a LETOR folder, a set in ``data/``, or a generated one."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from ..data import (
    MISSING,
    FoldFiles,
    RankingData,
    align,
    find_folds,
    format_of,
    load,
    load_folds,
    say_formats,
    split,
)
from ..datasets import DATA_FOLDER, DATASETS, Found, found
from ..datasets.parts.base import SEED
from ..errors import DataError, ParameterError
from .parsing import PROGRAM, option_group
from .progress import tell
from .values import nearly, read_pairs, read_value

PARTS = ("train", "valid", "test")
EPILOG = f"""data sets by name:
  {", ".join(DATASETS)},
  and what lies in data/ (`{PROGRAM} datasets` lists them, with their sizes)
"""


@dataclass(frozen=True)
class Given:
    """A whole set, or folds that are cut already: (train, valid, test), None for what there is not."""

    whole: RankingData | None
    folds: list[tuple[RankingData | None, ...]]


def add_arguments(parser: argparse.ArgumentParser, cut_files: bool = True) -> None:
    """Add what says which data; `cut_files`: validation and test data may be files of their own."""
    add, many = option_group(parser, "data"), {"action": "extend", "nargs": "+", "default": []}
    where = "a folder with Fold1, Fold2, … or with train, vali and test files, or the name of a data set"
    add("--data", "WHAT", f"a file ({say_formats()}; may be .gz .bz2 .zst), {where}", required=True)
    add("--set", "NAME=VALUE", "sizes of a generated data set, such as n_queries=200", **many)
    add("--fold", "N", "which fold of a folder, counted from 1", type=int)
    what = "cut by query at random into training, validation and test data of these shares"
    add("--split", "A,B,C", f"{what} (--split alone: 0.6,0.2,0.2)", nargs="?", const="")
    if cut_files:
        add("--valid", "FILE|none", "validation data; none: a folder without such a file is not to be cut")
        add("--test", "FILE", "test data")
    add("--missing", "", "what a missing value becomes", choices=MISSING, default="error")
    add("--ignore", "COLUMN", "leave a table's column out; repeatable", action="append", default=[])
    add("--seed", "N", "the seed of everything drawn at random (default: 0)", type=as_seed, default=0)


def as_seed(text: str) -> int:
    """Return a seed, or refuse it."""
    try:
        return int(read_value(SEED, text, ""))
    except ParameterError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None


def open_data(args: argparse.Namespace, many: bool = False) -> Given:
    """Read or generate what the arguments say; `many`: all folds of a folder may be meant."""
    source = find_source(args.data)
    files = [name for name in ("valid", "test") if getattr(args, name, None)]
    if files and args.split is not None:
        raise ParameterError(f"--split makes the {files[0]} data: leave --{files[0]} or --split out.")
    if isinstance(source, str):
        return _cut(args, _generate(args, source), files)
    if args.set:
        raise ParameterError(f"--set is for generated data sets, and {args.data} is on disk: leave it out.")
    if source.is_dir():
        return _open_folder(args, source, files, many)
    if args.fold is not None:
        raise ParameterError(f"--fold chooses among a folder's folds, and {source} is a file: leave it out.")
    whole = load(source, missing=args.missing, ignore=args.ignore)
    return _cut(args, whole, files, source)


def find_source(text: str) -> Path | str:
    """Return the path that a text stands for, or the name of a generated set."""
    if text.lower() in DATASETS:
        return text.lower()
    path = Path(text)
    if path.exists():
        return path
    here: dict[str, Found] = {entry.name.lower(): entry for entry in found(DATA_FOLDER)}
    if text.lower() in here:
        return here[text.lower()].path
    near = nearly(text, [*DATASETS, *here])
    todo = f"check the path, or take a name that `{PROGRAM} datasets` lists"
    todo = f"{near}`{PROGRAM} datasets` lists the data sets" if near else todo
    raise DataError("there is no such file, folder or data set", todo, file=text)


def may_be_sparse(args: argparse.Namespace) -> bool:
    """Whether the data come from text, which need not mention features that are 0."""
    source = find_source(args.data)
    kind = format_of(source)
    return isinstance(source, Path) and (kind is None or kind.is_sparse)


def _generate(args: argparse.Namespace, name: str) -> RankingData:
    entry = DATASETS[name]
    if args.fold is not None:
        raise ParameterError(f"--fold chooses among a folder's folds, and {name} has none: take --split.")
    values = read_pairs(args.set, (*entry.params, SEED), f"The data set {name}", "--set")
    return entry.make(**{"seed": args.seed, **values})


def _open_folder(args: argparse.Namespace, folder: Path, files: list[str], many: bool) -> Given:
    uncut = getattr(args, "valid", None) == "none"
    files = [name for name in files if not (name == "valid" and uncut)]
    if files or args.split is not None:
        raise ParameterError(
            f"{folder} is cut into training, validation and test data already: leave "
            f"--{files[0] if files else 'split'} out, or give one of its files as --data."
        )
    folds = find_folds(folder)
    n_folds = len(folds)
    if args.fold is None and n_folds > 1 and not many:
        raise ParameterError(f"{folder} has {n_folds} folds: say which one with --fold, from 1 to {n_folds}.")
    if all(fold.valid is not None for fold in folds):
        if uncut:
            raise ParameterError(f"{folder} has files to validate with: leave --valid out.")
        return Given(None, list(load_folds(folder, missing=args.missing, only=args.fold)))
    if uncut:
        chosen = folds if args.fold is None else [folds[args.fold - 1]]
        return Given(None, [_uncut(args, fold) for fold in chosen])
    share = "a quarter of the training queries, drawn by --seed"
    tell(f"Note: {folder} has no file to validate with. It is {share}; --valid none trains on all of them.")
    return Given(
        None, list(load_folds(folder, missing=args.missing, only=args.fold, valid="cut", seed=args.seed))
    )


def _uncut(args: argparse.Namespace, fold: FoldFiles) -> tuple[RankingData | None, ...]:
    """Return training and test data alone."""
    train, test = align(
        [load(path, missing=args.missing) for path in (fold.train, fold.test)], [fold.train, fold.test]
    )
    return train, None, test


def _cut(args: argparse.Namespace, whole: RankingData, files: list[str], source: Path | None = None) -> Given:
    if files:
        paths = [Path(getattr(args, name)) for name in files]
        parts = [whole, *(load(path, missing=args.missing, ignore=args.ignore) for path in paths)]
        train, *others = align(parts, [source or Path(args.data), *paths])
        named = dict(zip(files, others, strict=True))
        return Given(None, [(train, named.get("valid"), named.get("test"))])
    if args.split is None:
        return Given(whole, [])
    return Given(None, [split(whole, _shares(args.split, args.data), args.seed)])


def _shares(text: str, name: str) -> tuple[float, ...]:
    if not text:
        return DATASETS[name.lower()].split if name.lower() in DATASETS else (0.6, 0.2, 0.2)
    try:
        shares = tuple(float(piece) for piece in text.split(","))
    except ValueError:
        shares = ()
    if len(shares) not in (2, 3):
        todo = "give the shares of training, validation and test data, such as 0.6,0.2,0.2"
        raise ParameterError(f"--split {text}: {todo}.")
    return shares


def one_part(args: argparse.Namespace, given: Given) -> RankingData:
    """Return the data that are looked at: the whole, or one part of a cut."""
    if given.whole is not None:
        if args.part is not None:
            what = f"--part {args.part}: {args.data} is not cut into parts."
            raise ParameterError(f"{what} Add --split, or leave it out.")
        return given.whole
    parts = given.folds[0]
    number = PARTS.index(args.part or "test")
    part = parts[number] if number < len(parts) else None
    if part is None:
        raise ParameterError("There is no test part: give --split three shares, or say --part valid.")
    return part
