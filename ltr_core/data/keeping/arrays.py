"""Arrays in a file of their own: a line that says which, then their bytes, to be mapped into memory.

The line begins with its own checksum and holds those of all blocks: whoever maps a file looks at every byte
of it once, and nothing that is damaged is taken for whole. Pages of a mapped file are in memory once for all
processes, and the system takes them back when memory gets short.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...files import whole_file

_BLOCK = 16 << 20  # bytes with a checksum of their own
_ALIGNED = 64
_HEAD = 4096  # the line is a multiple of it, filled up with blanks
_MOST_HEAD = 1 << 26
_KINDS = "biufU"
_MOST_THREADS = 4

Arrays = Mapping[str, np.ndarray]
T = TypeVar("T")


class Damaged(ValueError):
    """A file that is not as it was written."""


def write_arrays(path: Path, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Write arrays and plain facts about them; the file appears when it is complete."""
    flat = {name: np.ascontiguousarray(array).reshape(-1).view(np.uint8) for name, array in arrays.items()}
    place, listed = 0, {}
    for name, array in arrays.items():
        checksums = side_by_side(zlib.crc32, _blocks(flat[name]))
        listed[name] = [array.dtype.str, list(array.shape), place, checksums]
        place += -(-flat[name].size // _ALIGNED) * _ALIGNED
    text = json.dumps({"facts": facts, "arrays": listed}).encode()
    head = text.ljust(-(-(len(text) + 10) // _HEAD) * _HEAD - 10) + b"\n"
    with whole_file(path) as temporary, open(temporary, "wb") as file:
        file.write(b"%08x " % zlib.crc32(head) + head)
        for array in flat.values():
            file.write(array.data)
            file.write(bytes(-array.size % _ALIGNED))


def read_arrays(path: Path, looked_at: bool = True) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the facts and the arrays of a file, mapped; an OSError or `Damaged` where there are none.

    `looked_at`: every byte is; without it who wrote the file a moment ago opens it.
    """
    with open(path, "rb") as file:
        line = file.readline(_MOST_HEAD)
        start = file.tell()
        try:
            if int(line[:8], 16) != zlib.crc32(line[9:]):
                raise Damaged("its first line is damaged")
            told = json.loads(line[9:])
            facts, listed = told["facts"], told["arrays"]
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise Damaged(str(error) or "it is cut short") from None
    arrays = {}
    for name, (kind, shape, place, checksums) in listed.items():
        dtype, size = np.dtype(kind), int(np.prod(shape, dtype=np.int64))
        if dtype.kind not in _KINDS or start + place + size * dtype.itemsize > len(mapped):
            raise Damaged("it is cut short")
        if size == 0:
            arrays[name] = np.empty(shape, dtype)
            continue
        arrays[name] = np.frombuffer(mapped, dtype, size, start + place).reshape(shape)
        blocks = _blocks(arrays[name].reshape(-1).view(np.uint8))
        if looked_at and side_by_side(zlib.crc32, blocks) != checksums:
            raise Damaged(f"{name} is damaged")
    return facts, arrays


def _blocks(flat: np.ndarray) -> list[np.ndarray]:
    return [flat[start : start + _BLOCK] for start in range(0, flat.size, _BLOCK)]


def side_by_side(function: Callable[[Any], T], values: Iterable[Any]) -> list[T]:
    """Return what a function that lets the interpreter go makes of each value, on all cores."""
    with ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_THREADS)) as pool:
        return list(pool.map(function, values))
