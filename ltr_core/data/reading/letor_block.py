"""A block of LETOR text becomes rows: the kernels read it, what they are not sure of is read slowly."""

from __future__ import annotations

import mmap
from dataclasses import dataclass, field

import numpy as np

from ...errors import DataError
from ..set.copying import _count_line_ends, _gather_bytes, _replace_lone_returns
from ..set.packed_ids import PackedIds
from . import letor_kernels as k
from .letor_line import Rules, read_line

_CELLS = 1 << 24  # a matrix that may get larger is measured first
_MAPPED = 1 << 17  # bytes of a matrix that gets memory of its own
_MISSING = {"error": k.MISSING_ERROR, "zero": k.MISSING_ZERO, "query_min": k.MISSING_NAN}


@dataclass
class Block:
    """The rows of some lines: feature index i is column i of X. Lines of problems count from the first."""

    X: np.ndarray
    y: np.ndarray
    qid: np.ndarray
    ids: PackedIds
    n_lines: int
    largest: int
    zero_seen: bool
    nan_seen: bool
    problems: list[DataError] = field(default_factory=list)


def parse_block(
    text: np.ndarray, end: int, width: int, n_docs: int, rules: Rules, max_problems: int, max_cells: int
) -> Block:
    """Read whole lines into a matrix that is at least `width` columns wide, up to `max_problems` problems.

    `n_docs` is how many documents come before: a DataError is raised when all would make too many cells.
    """
    rows, returns = _count_line_ends(text, end)
    if returns:
        rows = _replace_lone_returns(text, end)
    rows += 1  # for a last line without end, and because a bad line is written to before it is refused
    while True:
        if rows * width > _CELLS:
            # Lines of few features and large indices: find out what it would take before taking it.
            count = _parse_rows(text, end, rows, 0, rules, max_problems)
            rows, width = len(count.y) + 1, max(width, count.largest + 1)
            if (n_docs + len(count.y)) * width > max_cells:
                columns = f"features up to index {width - 1:,}"
                raise too_large(n_docs + len(count.y), columns, max_cells, line=count.n_lines)
        block = _parse_rows(text, end, rows, width, rules, max_problems)
        if block.largest < width:
            return block
        width = block.largest + 1


def too_large(n_docs: int, columns: str, max_cells: int, **where) -> DataError:
    """Return the error for a matrix of more than `max_cells` cells."""
    what = f"{n_docs:,} documents × {columns} make a matrix of more than {max_cells:,} cells"
    what += ", the most that max_cells and the memory that is free allow"
    todo = "number the features without large gaps, or load fewer documents"
    return DataError(what, todo, **where)


def _parse_rows(text, end, rows, width, rules, max_problems) -> Block:
    """Read all lines into a matrix of this shape; what lies beyond its width is checked, not stored."""
    X = _zeros(rows, width)
    y = np.empty(rows)
    qid = np.zeros(rows, dtype=np.int64)
    spans = np.zeros((rows, 2), dtype=np.int64)
    last_line = np.full(width, -1, dtype=np.int64)
    state = np.zeros(k.N_OUT, dtype=np.int64)
    state[k.LARGEST] = -1
    problems: list[DataError] = []
    missing = _MISSING[rules.missing]
    while True:
        k._parse_lines(text, end, rules.wants_qid, missing, rules.limit, X, y, qid, spans, last_line, state)
        if state[k.STATUS] == k.DONE:
            break
        try:
            _read_unsure(text, rules, X, y, qid, spans, state)
        except DataError as problem:
            line = int(state[k.LINE]) + 1
            problems.append(DataError(problem.what, problem.todo, line=line, column=problem.column))
            X[state[k.ROW]] = 0.0
            if len(problems) >= max_problems:
                break
        state[k.POS] = _line_end(text, state[k.POS]) + 1
        state[k.LINE] += 1
    n, n_lines, largest = (int(state[place]) for place in (k.ROW, k.LINE, k.LARGEST))
    zero_seen, nan_seen = (bool(state[place]) for place in (k.ZERO_SEEN, k.NAN_SEEN))
    ids = _pack(text, spans[:n])
    return Block(X[:n], y[:n], qid[:n], ids, n_lines, largest, zero_seen, nan_seen, problems)


def _zeros(rows: int, width: int) -> np.ndarray:
    """Return a matrix of zeros whose memory goes back to the system with it.

    The blocks of a large file are held until its end. From the heap they would leave a hole as large as the
    matrix that they become: reading 2.7 GB of text then took 2.3 times what the matrix takes.
    """
    size = 4 * rows * width
    if size < _MAPPED or not hasattr(mmap, "MAP_ANONYMOUS"):
        return np.zeros((rows, width), dtype=np.float32)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(memory, dtype=np.float32).reshape(rows, width)


def _read_unsure(text, rules, X, y, qid, spans, state) -> None:
    """Read the line at which the kernel stopped into the next row, or raise what is wrong with it."""
    start, row = int(state[k.POS]), state[k.ROW]
    raw = text[start : _line_end(text, start)].tobytes()
    line = read_line(raw, rules)
    if line is None:
        return
    X[row] = 0.0
    y[row], qid[row] = line.grade, line.qid
    for index, value in line.values.items():
        if index < X.shape[1]:
            X[row, index] = value
        state[k.LARGEST] = max(state[k.LARGEST], index)
        state[k.ZERO_SEEN] |= index == 0
        state[k.NAN_SEEN] |= bool(np.isnan(value))
    if b"#" in raw:
        spans[row] = k._find_doc_id(text, start + raw.index(b"#") + 1)
    state[k.ROW] += 1


def _line_end(text: np.ndarray, pos: int) -> int:
    """Return where the next line feed is."""
    length = 1024
    while True:
        found = np.flatnonzero(text[pos : pos + length] == k._NEWLINE)
        if len(found):
            return int(pos + found[0])
        length *= 4


def _pack(text: np.ndarray, spans: np.ndarray) -> PackedIds:
    starts = np.ascontiguousarray(spans[:, 0])
    lengths = spans[:, 1] - starts
    offsets = np.zeros(len(spans) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    out = np.empty(offsets[-1], dtype=np.uint8)
    if len(out):
        _gather_bytes(text, starts, lengths, offsets[:-1], out)
    return PackedIds(out, offsets)
