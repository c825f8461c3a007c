"""`warmup`: have the kernels of this package compiled, or fetched from numba's cache, on a few bytes."""

from __future__ import annotations

from importlib.util import find_spec

from .loading import load
from .set.ordering import by_content
from .writing.letor import letor_pieces

_TEXT = (
    b"2 qid:1 1:0.5 2:-1e-3 # docid = a\r\n"
    b"1 qid:2 1:1.5 2:0.30000000000000000001 #docid = b\r\n"
    b"0 qid:1 2:NULL # docid = c\r\n"
    b"0 qid:+2 1:3 2:4 # docid = d\r\n"
)


def warmup() -> None:
    """Compile every kernel that reading and writing use; with a filled cache this takes milliseconds."""
    data = load(_TEXT, name="warm.txt", missing="query_min")
    by_content(data)
    if find_spec("pyarrow") is not None:  # without it nothing is written
        for _ in letor_pieces(data, "warm.txt"):
            pass
