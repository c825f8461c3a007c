"""`load`: a file, or an open buffer, becomes `RankingData`, or one sentence on what is wrong and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import DataError
from .formats import LETOR, title_of
from .kept_sets import keeping
from .known_features import recognise_features
from .reading.options import MAX_CELLS, Options
from .reading.sources import open_source
from .recognising import recognise
from .set.ranking_data import RankingData


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a file: where, and the sentence to show."""

    line: int | None
    column: int | str | None
    sentence: str


def load(
    source: Any,
    *,
    missing: str = "error",
    name: str | None = None,
    n_features: int | None = None,
    first_index: int | None = None,
    query_file: Any = None,
    ignore: Sequence[str] = (),
    max_cells: int = MAX_CELLS,
) -> RankingData:
    """Load a set of queries from a file.

    LETOR / SVMlight text (``.txt .dat .svm .letor``): a line is ``grade qid:id index:value … # comment``;
    features left out are 0; an id written ``#docid = …`` is kept. Tables (``.csv .tsv .parquet``): a column
    called grade, label or relevance, one called qid, query_id or query, at most one called docid, doc_id,
    docno or document; every other column is a feature and must hold numbers. All may be compressed
    (``.gz .bz2 .zst``). What the suffix leaves open is found out from the content.

    What a large file holds, 100 MB of features or more, is kept in a folder ``.rankscope`` beside it, with
    its binned features once a training has binned them: the next start maps it into memory and reads no text.
    A file that has changed is read anew. In the environment ``RANKSCOPE_KEEP=0`` keeps nothing, and
    ``RANKSCOPE_KEEP=FOLDER`` keeps it there.

    Parameters
    ----------
    source : path, bytes, or a file opened in binary mode
        What to read. A file object is read from its start.
    missing : {"error", "zero", "query_min"}
        What a feature value of ``NULL`` or ``NaN``, or an empty cell, becomes: an error, 0, or the smallest
        value of the feature in the query (0 if the query has none), as in LETOR's own -min files.
    name : str, optional
        What to call the set; for bytes and file objects also the file name in messages, whose suffix tells
        the format. Without it the file's name, less the suffix.
    n_features : int, optional
        How many features there are: sparse text need not mention the last ones. An index beyond is an
        error, a table with another number of feature columns too.
    first_index : {0, 1}, optional
        Whether text numbers its features from 0 or 1. Without it: from 0 if an index 0 occurs in the file.
    query_file : path, bytes or file, optional
        The number of documents of each query, one a line, for text whose lines have no ``qid``. Without it
        a file of the same name plus ``.query`` (LightGBM's) or ``.group`` (XGBoost's) is looked for.
    ignore : sequence of str
        Columns of a table to leave out.
    max_cells : int
        The most documents × features that are read.

    Returns
    -------
    RankingData

    Raises
    ------
    DataError
        With file, line and column, when anything in the file cannot be used.
    """
    options = Options(missing, n_features, first_index, query_file, ignore, max_cells)
    return keeping(source, name, options, lambda: _read(source, name, options))


def report(source: Any, *, name: str | None = None, limit: int = 100, **how: Any) -> list[Problem]:
    """Return what is wrong with a file, line by line, up to `limit` problems; an empty list if nothing is.

    The other arguments are those of `load`. A line is reported for the first thing that is wrong in it.
    """
    options = Options(limit=limit, **how)
    try:
        _read(source, name, options)
    except DataError as error:
        options.problems.append(error)
    return [Problem(error.line, error.column, str(error)) for error in options.problems[:limit]]


def _read(source: Any, name: str | None, options: Options) -> RankingData:
    with open_source(source, name) as opened:
        title = title_of(opened.file) if name is None else name
        form = recognise(opened.head, opened.file)
        data = form.read(opened, title, options)
    known = recognise_features(data) if form is LETOR else None
    data.top_grade = None if known is None else float(known.top)
    return data
