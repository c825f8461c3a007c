"""What is measured: a model's file, or a file of scores, told apart by what is in it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..algorithms import Ranker, load_model
from ..data import RankingData
from ..errors import DataError, ParameterError
from ..evaluation import scores_of
from . import given, measuring
from .parsing import add_trust


def add_arguments(parser: argparse.ArgumentParser, what: str) -> None:
    """Add which iteration of a model is meant, on which part of which data, by which measures."""
    rounds = "a model as it was after so many rounds, or at its best round of the validation data"
    default = "(default: the last, or the best of a model that was trained with early stopping)"
    parser.add_argument("--iteration", metavar="N|best|last", help=f"{rounds} {default}")
    add_trust(parser)
    given.add_arguments(parser, cut_files=False)
    parts = "which part of data that are cut (default: test)"
    parser.add_argument("--part", choices=given.PARTS, help=parts)
    measuring.add_arguments(parser, what)


def open_system(path: str, trust_edited: bool = False) -> Ranker | Path:
    """Return the model in a file, or the path of a file of scores."""
    try:
        with open(path, "rb") as file:
            head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise DataError(f"the file cannot be read ({error.strerror})", "check the path", file=path) from None
    return load_model(path, trust_edited) if head.startswith(b"{") else Path(path)


def name_systems(words: Sequence[str]) -> dict[str, str]:
    """Return paths by name: NAME=PATH, or the file's own name without its suffix."""
    paths = [word if Path(word).exists() or "=" not in word else word.partition("=")[2] for word in words]
    own = [word.partition("=")[0] if path != word else "" for word, path in zip(words, paths, strict=True)]
    stems = ["" if name else Path(path).stem for name, path in zip(own, paths, strict=True)]
    names = [
        name or (stem if stems.count(stem) == 1 else path)
        for name, stem, path in zip(own, stems, paths, strict=True)
    ]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"Two systems are called {twice!r}. Name them: A={twice} B=….")
    return dict(zip(names, paths, strict=True))


def with_features_of(model: Ranker, data: RankingData, sparse: bool) -> RankingData:
    """Return the data with the model's features in the model's order.

    Sparse text need not mention the last features, or the first: they are 0. The columns of a table may be in
    another order. Other features are left to the model, which says that they are not its own.
    """
    names, own = model.feature_names_, data.feature_names
    numbered = sparse and all(name[:1] == "f" and name[1:].isdigit() for name in names)
    if own == names or not (set(own) == set(names) or (numbered and set(own) < set(names))):
        return data
    X = np.zeros((data.n_docs, len(names)), dtype=np.float32)
    X[:, [names.index(name) for name in own]] = data.X
    return data.with_features(X, names)


def scores_by(system: Ranker | Path, data: RankingData, iteration: str | None, sparse: bool) -> np.ndarray:
    """Return one score for each row, as the rows were given; `sparse`: it may lack features that are 0."""
    if isinstance(system, Path):
        return scores_of(system, data)
    data = with_features_of(system, data, sparse)
    return system.predict(data, iteration=_as_iteration(iteration))


def _as_iteration(text: str | None) -> int | str | None:
    if text is None or text in ("best", "last"):
        return text
    if not text.isdigit():
        raise ParameterError(f"--iteration {text}: give a number of rounds, best or last.")
    return int(text)


def round_of(system: Ranker | Path, iteration: str | None) -> int | None:
    """Return the round of a model that is meant; None for a file of scores."""
    return None if isinstance(system, Path) else system._iteration(_as_iteration(iteration))


def say_round(system: Ranker | Path, iteration: str | None) -> str:
    """Say which round of a model is meant, where it is not the only one."""
    at = round_of(system, iteration)
    if at is None or isinstance(system, Path) or not system.rounds_param:
        return ""
    why = ", the best on validation" if at == system.best_iteration_ and at < system.n_iter_ else ""
    return f"round {at} of {system.n_iter_}{why}"
