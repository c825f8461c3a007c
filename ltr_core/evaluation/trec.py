"""Rankings and grades as TREC's tools read them: trec_eval, pytrec_eval, ir_measures.

trec_eval sorts a run by its scores alone, as float32, and puts equal ones in the order of their names,
backwards. So scores of a query are written strictly decreasing, also as float32: exact where they decrease by
themselves, and the least bit below the one before where they do not.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..data import RankingData


def trec_run(data: RankingData, scores: np.ndarray, tag: str) -> str:
    """Return rankings, a line for each document: query, Q0, document, rank, score, tag.

    Parameters
    ----------
    data : RankingData
        The documents; one without an id is called after its row, from row1 on.
    scores : array
        One for each row, in the order in which the rows were given. Equal ones stay in file order.
    tag : str
        What to call the system.
    """
    scores, tag = data.grouped(np.asarray(scores, dtype=np.float64)), _one_word(tag)
    lines = []
    for query, docs, at in queries_of(data):
        own = scores[at]
        order = np.argsort(-own, kind="stable")
        told = zip(order, _decreasing(own[order]), strict=True)
        lines += [f"{query} Q0 {docs[i]} {n} {score!r} {tag}\n" for n, (i, score) in enumerate(told, 1)]
    return "".join(lines)


def trec_grades(data: RankingData) -> str:
    """Return the grades of the same documents, a line for each: query, 0, document, grade."""
    lines = []
    for query, docs, at in queries_of(data):
        lines += [f"{query} 0 {doc} {grade:g}\n" for doc, grade in zip(docs, data.y[at], strict=True)]
    return "".join(lines)


def _decreasing(scores: np.ndarray) -> list[float]:
    """Return scores that do not increase as ones that decrease, also when they are read as float32."""
    told, above = [], np.float32(np.inf)
    with np.errstate(over="ignore", under="ignore"):
        for score in scores.tolist():
            told.append(
                score if np.float32(score) < above else float(np.nextafter(above, -np.float32(np.inf)))
            )
            above = np.float32(told[-1])
    # Below the lowest float32 nothing is left: then the ranks themselves, backwards.
    return told if np.isfinite(above) else [float(n) for n in range(len(scores), 0, -1)]


def queries_of(data: RankingData) -> Iterator[tuple[str, list[str], slice]]:
    """Yield each query's id, its documents' ids and where they are; ids as TREC's files have them."""
    names = [f"row{row + 1}" for row in data.order.tolist()] if data.doc_ids is None else data.doc_ids
    names = list(map(_one_word, names))
    for query, start, end in zip(data.query_ids, data.offsets[:-1], data.offsets[1:], strict=True):
        yield _one_word(query), names[start:end], slice(int(start), int(end))


def _one_word(text: object) -> str:
    return "_".join(str(text).split()) or "_"
