"""LETOR / SVMlight text as it really occurs, read in blocks of whole lines by one or two threads.

The text is never held as a whole: a block of it is read, its lines become rows of a small matrix, and at
the end each block's rows are copied to their places, queries together. So the width of the matrix, whether
indices start at 0, and which rows belong together need no first pass over the file. The threads are Python's
and the kernels serial: they need no lock, but ask for it all the same, so as not to take a core from others.
"""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial

import numba
import numpy as np

from ...errors import DataError
from ...threads import may_run_parallel
from .letor_block import Block, parse_block, too_large
from .letor_kernels import _NEWLINE
from .letor_line import Rules
from .sources import DAMAGED, Source, damaged, read_some

BLOCK = 1 << 20  # bytes of text; 2 MB take 0.97 of the time on an idle machine, 1.1 on a busy one
MAX_LINE = 1 << 26
PARALLEL_FROM = 60_000  # bytes; a shorter file is one block
_PLAIN = (io.FileIO, io.BytesIO, io.BufferedReader)  # read straight into a block
PAD = 16  # line feeds behind a block, so that the kernels may look a few bytes ahead


@dataclass
class Parsed:
    """All rows of a file, in the order of its lines."""

    file: str
    rules: Rules
    max_cells: int
    max_problems: int
    blocks: list[Block] = field(default_factory=list)
    n_lines: int = 0
    n_docs: int = 0
    largest: int = -1
    zero_seen: bool = False
    problems: list[DataError] = field(default_factory=list)
    failure: DataError | None = None  # why reading ended early; its line counts from the last whole block

    def take(self, get_block: Callable[[], Block]) -> None:
        """Append the rows of a stretch of text, and what was wrong in it."""
        try:
            block = get_block()
        except DataError as error:
            raise self.place(error) from None
        for problem in block.problems[: self.max_problems - len(self.problems)]:
            self.problems.append(self.place(problem))
        self.n_lines += block.n_lines
        self.n_docs += len(block.y)
        self.largest = max(self.largest, block.largest)
        self.zero_seen |= block.zero_seen
        self.blocks.append(block)
        if self.n_docs * (self.largest + 1) > self.max_cells:
            columns = f"features up to index {self.largest:,}"
            raise too_large(self.n_docs, columns, self.max_cells, file=self.file, line=self.n_lines)

    def place(self, problem: DataError) -> DataError:
        """Return a problem whose line counts from the next block as one of the file."""
        line = self.n_lines + (problem.line or 1)
        return DataError(problem.what, problem.todo, file=self.file, line=line, column=problem.column)

    @property
    def is_full(self) -> bool:
        """Whether as many problems have been found as were asked for."""
        return len(self.problems) >= self.max_problems


def parse_text(
    source: Source,
    rules: Rules,
    max_cells: int,
    max_problems: int = 1,
    has_counts: Callable[[], bool] = lambda: False,
) -> Parsed:
    """Read all lines and collect up to `max_problems` of them.

    `has_counts` is asked when the first document has no query id: whether the queries are given elsewhere.
    """
    parsed = Parsed(source.file, rules, max_cells, max_problems)
    try:
        with may_run_parallel(len(source.head), PARALLEL_FROM) as parallel:
            _parse_blocks(source, parsed, n_threads(parallel), has_counts)
        if parsed.failure is not None and not parsed.is_full:
            parsed.problems.append(parsed.place(parsed.failure))
    except DataError as error:
        parsed.problems.append(error)
    if parsed.n_docs == 0 and not parsed.problems:
        what = "the file holds no document" + (", only blank lines or comments" if parsed.n_lines else "")
        todo = "load a file with lines of the form <grade> qid:<number> <index>:<value> …"
        parsed.problems.append(DataError(what, todo, file=parsed.file, line=max(parsed.n_lines, 1)))
    return parsed


def n_threads(parallel: bool) -> int:
    """Return how many threads read: beyond four the one that cuts the file into blocks cannot keep up."""
    return min(numba.get_num_threads(), 4) if parallel else 1


def _parse_blocks(source: Source, parsed: Parsed, threads: int, has_counts: Callable[[], bool]) -> None:
    started = False
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque = deque()
        for text, end in _cut_blocks(source, parsed):
            if not started:
                first = _find_document(text[:end].tobytes())
                if first is not None:
                    started = True
                    indices = re.findall(rb"[ \t](\d{1,6}):", first)
                    here = min(max(map(int, indices), default=0), parsed.rules.limit)
                    parsed.largest = max(parsed.largest, here)
                    if b"qid" not in first and has_counts():
                        parsed.rules = replace(parsed.rules, wants_qid=False)
            width = max(parsed.largest, 0) + 1
            job = (text, end, width, parsed.n_docs, parsed.rules, parsed.max_problems, parsed.max_cells)
            if threads == 1:
                parsed.take(partial(parse_block, *job))
            else:
                waiting.append(pool.submit(parse_block, *job))
                # One block is read ahead for each thread and one more: memory stays at a few MB.
                while len(waiting) > threads:
                    parsed.take(waiting.popleft().result)
            if parsed.is_full:
                break
        while waiting and not parsed.is_full:
            parsed.take(waiting.popleft().result)


def _find_document(text: bytes) -> bytes | None:
    """Return the first line that is neither blank nor a comment, without a comment of its own."""
    found = re.search(rb"(?:^|[\r\n])[ \t]*([^#\s][^\r\n#]*)", text)
    return None if found is None else found[1]


def _cut_blocks(source: Source, parsed: Parsed) -> Iterator[tuple[np.ndarray, int]]:
    """Yield blocks of whole lines: an array with line feeds behind its end, and the end.

    Damage, or a line without end, is left in ``parsed.failure``.
    """
    carry = source.head.removeprefix(b"\xef\xbb\xbf")
    at_end = False
    while not at_end:
        text = np.empty(max(BLOCK, 2 * len(carry)) + PAD, dtype=np.uint8)
        text[: len(carry)] = np.frombuffer(carry, dtype=np.uint8)
        filled = len(carry)
        while filled < len(text) - PAD and not at_end:
            try:
                n_bytes = _read_into(source.stream, text[filled : len(text) - PAD])
            except DAMAGED as error:
                line = 1 + int(np.count_nonzero(text[:filled] == _NEWLINE))
                parsed.failure = damaged("", line, error)
                return
            filled += n_bytes
            at_end = n_bytes == 0
        end = filled if at_end else _find_cut(text, filled)
        carry = text[end:filled].tobytes()
        if len(carry) > MAX_LINE:
            parsed.failure = DataError(
                f"the line is longer than {MAX_LINE >> 20} MB", "write one document a line", line=1
            )
            return
        text[end : end + PAD] = _NEWLINE
        if end:
            yield text, end


def _read_into(stream, out: np.ndarray) -> int:
    if isinstance(stream, _PLAIN):
        return stream.readinto(out.data) or 0
    some = read_some(stream, len(out))
    out[: len(some)] = np.frombuffer(some, dtype=np.uint8)
    return len(some)


def _find_cut(text: np.ndarray, filled: int) -> int:
    """Return the position after the last line end, 0 when there is none."""
    raw = text[:filled].data.cast("B")
    for length in (4096, filled):  # the line end is nearly always close
        start = max(filled - length, 0)
        place = bytes(raw[start:filled]).rfind(b"\n")
        if place >= 0:
            return start + place + 1
    # Old Macintosh files have carriage returns only. One at the very end might be half of a pair.
    return bytes(raw[: max(filled - 1, 0)]).rfind(b"\r") + 1
