"""A LETOR file as a whole: its lines, the number of documents of each query beside it, the set they make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DataError
from ..set.ranking_data import RankingData
from .letor import Parsed, parse_text
from .letor_join import assemble
from .letor_line import Rules
from .options import MAX_FEATURES, Options
from .sources import Source, open_source, split_compression


def read_letor(source: Source, name: str, options: Options) -> RankingData:
    """Read LETOR or SVMlight text."""
    width, first = options.n_features, options.first_index
    rules = Rules(options.missing, limit=MAX_FEATURES if width is None else width - (first == 0))
    counts = _Counts(source, options.query_file)
    parsed = parse_text(source, rules, options.most_cells, options.limit, counts.exist)
    options.problems += parsed.problems
    options.end()
    return assemble(parsed, name, width, first, counts.check(parsed))


class _Counts:
    """The number of documents of each query, from a file beside the data."""

    def __init__(self, source: Source, query_file: Any) -> None:
        self.query_file = query_file if query_file is not None else find_query_file(source.path)

    def exist(self) -> bool:
        return self.query_file is not None

    def check(self, parsed: Parsed) -> np.ndarray | None:
        """Return the counts when the lines have no query ids; they must add up to the documents."""
        if parsed.rules.wants_qid:
            return None
        with open_source(self.query_file) as opened:
            file, text = opened.file, opened.read_all().decode("utf-8", "replace").lstrip("\ufeff")
        counts = []
        for number, line in enumerate(text.splitlines(), 1):
            word = line.strip()
            if not word:
                continue
            if not (word.isascii() and word.isdigit() and 0 < int(word) < 2**40):
                what = f"“{word[:30]}” is not a number of documents"
                todo = "write one whole number above 0 a line, one for each query"
                raise DataError(what, todo, file=file, line=number, column=line.index(word) + 1)
            counts.append(int(word))
        if sum(counts) != parsed.n_docs:
            what = f"the numbers add up to {sum(counts):,} documents, but {parsed.file} has {parsed.n_docs:,}"
            todo = "give each query its number of documents, in the order of the file"
            raise DataError(what, todo, file=file, line=len(counts))
        return np.array(counts, dtype=np.int64)


def find_query_file(path: Path | None) -> Path | None:
    """Return the file of the queries' sizes that lies beside a file."""
    if path is None:
        return None
    stems = sorted({str(path), split_compression(str(path))[0]})
    places = (Path(stem + suffix) for stem in stems for suffix in (".query", ".group"))
    return next((place for place in places if place.is_file()), None)
