"""The files of rankings: those that lie in the folder for data, and what a file is called.

A file is called after its content: a link to it works wherever the same file is.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ...style.methods import GIVEN
from ..specs import Recipe, recipe_of

SUFFIXES = (".run", ".trec", ".scores")  # of files that are rankings, not data
_DEPTH = 4  # folders below data/, as deep as sets are found
_BLOCK = 1 << 20
_LONGEST = 60  # characters of a name


def recipe_for(key: str, path: Path) -> Recipe:
    """Return the recipe of a ranking: its name is the file's."""
    name = " ".join(path.stem.split())[:_LONGEST] or "ranking"
    return recipe_of(GIVEN, {"name": name, "file": key})


def found_rankings(folder: Path) -> dict[str, Path]:
    """Return the rankings in a folder and below, by what they are called."""
    listed = {}
    for path in _candidates(folder):
        with suppress(OSError):  # gone meanwhile, or not ours to read
            state = path.stat()
            listed[_key(path, state.st_size, state.st_mtime_ns)] = path
    return listed


def _candidates(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder, followlinks=True):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = [name for name in folders if depth < _DEPTH and not name.startswith((".", "_"))]
        yield from sorted(Path(place, name) for name in files if name.lower().endswith(SUFFIXES))


@lru_cache(maxsize=256)
def _key(path: Path, size: int, changed: int) -> str:
    digest = hashlib.blake2b(digest_size=8)
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
