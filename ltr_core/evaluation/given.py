"""Rankings of any system that were brought along as files: TREC runs, or one score on each line.

A TREC run is known by the six words of its first line: query, Q0, document, rank, score, tag. Queries and
documents are called in it as `trec_run` writes them; its scores count, not its ranks. Beside what is trained
here such a ranking stands as a model of no rounds.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..data import RankingData
from ..errors import DataError
from ..measures import Measure, as_scores
from ..params import Param
from .trec import queries_of

_WORDS = 6  # of a line of a TREC run
TrecRun = dict[str, dict[str, float]]  # by query and document


class Given:
    """A ranking that was brought along, with what is asked of a trained model: its scores, and no rounds.

    Parameters
    ----------
    scores : mapping
        Scores by the fingerprint of the data that they are of, in the order of its `y`; NaN for data that the
        file says nothing of.
    history : DataFrame
        iteration (0), split, measure, value.
    """

    label, summary = "Given ranking", "A ranking that was brought along as a file; nothing is trained."
    params = (
        Param("name", "text", "", help="What the ranking is called."),
        Param("file", "text", "", help="What the file holds, in short: equal files have equal texts."),
    )
    rounds_param, renamed = None, dict[str, str]()
    additive, n_iter_, stopped_, feature_names_ = False, 0, "given", ()

    def __init__(self, scores: Mapping[str, np.ndarray], history: pd.DataFrame) -> None:
        self._scores, self.history_ = dict(scores), history

    @classmethod
    def all_params(cls) -> tuple[Param, ...]:
        """Return what says which ranking it is."""
        return cls.params

    def predict(self, data: RankingData, iteration: int | str | None = None) -> np.ndarray:
        """Return the scores of data that were given with it, in the order of `y`."""
        return self._scores[data.fingerprint]

    def staged_predict(self, data: RankingData) -> Iterator[np.ndarray]:
        """Yield the scores: there is only one iteration."""
        yield self.predict(data)


def read_given(path: str | os.PathLike, parts: Mapping[str, RankingData], watch: Measure) -> Given:
    """Read a ranking of the parts of a data set: all of "test", and of the others what it has in full.

    Parameters
    ----------
    path : path
        A TREC run, whose queries all have to be in one of the parts; or scores, one on each line: of the test
        part or of the whole set, in the order of their files.
    parts : mapping
        The data by "train", "valid" and "test".
    watch : Measure
        What its history holds.
    """
    path, run = Path(path), None
    if is_trec_run(path):
        run = read_trec_run(path)
        _refuse_unknown(run, [query for part in parts.values() for query, _, _ in queries_of(part)], path)
        found = {split: _of_part(run, part, split, path) for split, part in parts.items()}
    else:
        found = _of_lines(read_scores(path), parts, path)
    rows = []
    for split, part in parts.items():
        value = watch.on(part).mean(found[split]) if _is_there(found[split]) else math.nan
        rows.append((0, split, watch.name, value))
    history = pd.DataFrame(rows, columns=["iteration", "split", "measure", "value"])
    return Given({part.fingerprint: found[split] for split, part in parts.items()}, history)


def _is_there(scores: np.ndarray) -> bool:
    return not np.isnan(scores).any()


def is_trec_run(path: Path) -> bool:
    """Whether a file's first line is one of a TREC run."""
    with _opened(path) as file:
        line = file.readline(1 << 16)
        while line and not line.strip():
            line = file.readline(1 << 16)
    return len(line.split()) == _WORDS


def _opened(path: Path) -> Any:
    try:
        return open(path, "rb")
    except OSError as error:
        what = f"the file cannot be read ({error.strerror})"
        raise DataError(what, "check its name", file=path.name) from None


def read_trec_run(path: Path) -> TrecRun:
    """Return a TREC run's scores."""
    run: TrecRun = {}
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            words = line.decode("utf-8", "replace").split()
            if not words:
                continue
            if len(words) != _WORDS:
                what = f"{len(words)} words, and a line of a TREC run has {_WORDS}"
                todo = "give query, Q0, document, rank, score, tag"
                raise DataError(what, todo, file=path.name, line=number)
            query, _, doc, _, score, _ = words
            own = run.setdefault(query, {})
            if doc in own:
                what = f"document {doc} of query {query} stands there twice"
                raise DataError(what, "leave one out", file=path.name, line=number)
            own[doc] = _number(score, "give a finite number", path, number)
    return run


def _number(text: str, todo: str, path: Path, line: int) -> float:
    try:
        value = math.nan if "_" in text else float(text)  # Python alone takes 1_000 for a number
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        shown = f"“{text[:40]}{'…' if len(text) > 40 else ''}”" if text else "an empty line"
        raise DataError(f"{shown} is not a score", todo, file=path.name, line=line)
    return value


def read_scores(path: str | os.PathLike) -> np.ndarray:
    """Return the scores of a text file with one finite number on each line."""
    path = Path(path)
    with _opened(path) as file:
        lines = file.read().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    while lines and not lines[-1].strip():
        lines.pop()
    texts = (line.strip().decode("utf-8", "replace") for line in lines)
    todo = "put one finite number on each line"
    return np.array([_number(text, todo, path, number) for number, text in enumerate(texts, 1)], dtype=float)


def _refuse_unknown(run: TrecRun, known: list[str], path: Path) -> None:
    strange = run.keys() - set(known)
    if strange:
        query = next(query for query in run if query in strange)
        more = f" (as are {len(strange) - 1} more)" if len(strange) > 1 else ""
        raise DataError(
            f"query {query} is not in these data{more}", "give their queries by their ids", file=path.name
        )


def _of_part(run: TrecRun, part: RankingData, split: str, path: Path) -> np.ndarray:
    """Return a run's scores of a part; NaN where it lacks a query, which the test part does not let pass."""
    lacking = [query for query, _, _ in queries_of(part) if query not in run]
    if not lacking:
        return of_trec_run(run, part, path)
    if split == "test":
        _refuse_gap(lacking[0], len(lacking), part, path)
    return np.full(part.n_docs, np.nan)


def _refuse_gap(query: str, n: int, part: RankingData, path: Path) -> None:
    what = f"{n} of the {part.n_queries} queries are missing, query {query} among them"
    raise DataError(what, "give every query its documents", file=path.name)


def of_trec_run(run: TrecRun, data: RankingData, path: Path) -> np.ndarray:
    """Return a run's scores in the order of `y`; it has to have every document, and no other."""
    scores = np.empty(data.n_docs)
    for query, docs, at in queries_of(data):
        own = run.get(query)
        if own is None:
            lacking = [name for name, _, _ in queries_of(data) if name not in run]
            _refuse_gap(query, len(lacking), data, path)
        else:
            _refuse_documents(query, own, docs, path)
            scores[at] = [own[doc] for doc in docs]
    return as_scores(scores, data.n_docs)


def _refuse_documents(query: str, own: Mapping[str, float], docs: list[str], path: Path) -> None:
    missing = [doc for doc in docs if doc not in own]
    if missing:
        more = f" and {len(missing) - 1} more are" if len(missing) > 1 else " is"
        what = f"query {query}: document {missing[0]}{more} missing"
        raise DataError(what, "give every document of the data a line", file=path.name)
    strange = own.keys() - set(docs)
    if strange:
        doc = next(doc for doc in own if doc in strange)
        what = f"query {query}: document {doc} is not in these data"
        todo = "name documents as the data do; those without a name are row1, row2 …"
        raise DataError(what, todo, file=path.name)


def _of_lines(scores: np.ndarray, parts: Mapping[str, RankingData], path: Path) -> dict[str, np.ndarray]:
    """Return the scores of each part, of lines for the test part or for the whole set."""
    test, whole = parts["test"], sum(part.n_docs for part in parts.values())
    rows = np.concatenate([part.order for part in parts.values()])
    is_cut = len(np.unique(rows)) == whole  # parts of one file, whose rows they know
    if is_cut and len(scores) == whole:
        return {split: scores[part.order] for split, part in parts.items()}
    if len(scores) != test.n_docs:
        also = f" or the {whole} of the whole set" if is_cut else ""
        what = f"{len(scores)} scores, and there are {test.n_docs} test documents{also}"
        todo = "give one line for each document, in the order of the data's file"
        raise DataError(what, todo, file=path.name)
    own = scores[test.order] if test.order.max() < test.n_docs else scores
    return {split: own if split == "test" else np.full(part.n_docs, np.nan) for split, part in parts.items()}
