"""The blocks of a LETOR file become one set: rows copied to their places, queries together."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ...errors import DataError
from ...threads import may_run_parallel
from ..set.checking import refuse_tiny
from ..set.copying import _place_rows
from ..set.grouping import _fill_query_minimum, group_rows
from ..set.packed_ids import PackedIds
from ..set.ranking_data import RankingData
from .letor import Parsed, n_threads
from .letor_block import Block, too_large


def assemble(
    parsed: Parsed,
    name: str = "",
    n_features: int | None = None,
    first_index: int | None = None,
    counts: np.ndarray | None = None,
) -> RankingData:
    """Join the rows of a file, queries together, and forget the blocks.

    `counts` are the documents of each query when lines have no query id. Features are numbered from 0
    when an index 0 occurs or `first_index` says so.
    """
    first = first_index if first_index is not None else 0 if parsed.zero_seen else 1
    width = parsed.largest + 1 - first if n_features is None else n_features
    if (first == 1 and parsed.zero_seen) or parsed.largest + 1 - first > width:
        what = f"feature indices run from {0 if parsed.zero_seen else 1} to {parsed.largest}"
        what += f", but {width} features from index {first} on were announced"
        raise DataError(what, "announce what the file holds", file=parsed.file)
    if width <= 0:
        what, todo = "no line has a feature", "write each feature as <index>:<value>"
        raise DataError(what, todo, file=parsed.file, line=parsed.n_lines)
    if parsed.n_docs * width > parsed.max_cells:
        raise too_large(parsed.n_docs, f"{width:,} features", parsed.max_cells, file=parsed.file)
    y = np.concatenate([block.y for block in parsed.blocks])
    refuse_tiny(y, parsed.file)
    if counts is None:
        qid = np.concatenate([block.qid for block in parsed.blocks])
    else:
        qid = np.repeat(np.arange(1, len(counts) + 1), counts)
    order, offsets = group_rows(qid)
    ids = PackedIds.join([block.ids for block in parsed.blocks])
    places = np.arange(len(y))
    if order is not None:
        places[order] = np.arange(len(y))
        y, qid, ids = y[order], qid[order], ids.take(order)
    has_nan = any(block.nan_seen for block in parsed.blocks)
    X = _join_rows(parsed.blocks, first, places, width)
    if has_nan:
        _fill_query_minimum(offsets, X)
    names = tuple(f"f{k}" for k in range(first, first + width))
    return RankingData.from_parts(X, y, qid, offsets, order, names, ids if len(ids.text) else None, name)


def _join_rows(blocks: list[Block], first: int, places: np.ndarray, width: int) -> np.ndarray:
    """Copy the rows of all blocks to their places in one matrix; the blocks are used up."""
    X = np.empty((len(places), width), dtype=np.float32)
    with (
        may_run_parallel(X.size, threshold=1_000_000) as parallel,
        ThreadPoolExecutor(n_threads(parallel)) as pool,
    ):
        start = 0
        copying: deque = deque()
        blocks.reverse()
        while blocks:
            block = blocks.pop()
            rows = places[start : start + len(block.y)]
            copying.append(pool.submit(_place_rows, block.X, first, rows, X))
            start += len(block.y)
            while len(copying) > 8:
                copying.popleft().result()
        for future in copying:
            future.result()
    return X
