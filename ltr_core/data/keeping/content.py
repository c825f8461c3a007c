"""What tells one content of a file from another: a hash of every byte, and when it need not be taken again.

As git does for its index: size, times and number of the file are noted beside the hash, and while they are
the same the content is. Nobody can set the time of a file's last change of state (ctime), so a file that is
written over in place, as long as before and dated back, is hashed again. A file that changed within a clock's
tick of the noting is hashed again too.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from ...files import whole_file
from .arrays import side_by_side

_BLOCK = 8 << 20
_SETTLED = 2_000_000_000  # ns: of two changes within it, the second need not show


def state_of(path: Path) -> list[int]:
    """Return what changes when a file does."""
    stat = os.stat(path)
    return [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino, stat.st_dev]


def hash_file(path: Path) -> str:
    """Return a hash of a file's content: of its blocks' hashes, taken on all cores."""
    with open(path, "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size

        def hash_block(start: int) -> bytes:
            with open(path, "rb", buffering=0) as own:
                own.seek(start)
                return hashlib.blake2b(own.read(_BLOCK), digest_size=16).digest()

        parts = side_by_side(hash_block, range(0, size, _BLOCK))
    return f"{size}-{hashlib.blake2b(b''.join(parts), digest_size=16).hexdigest()}"


@cache
def version_of(folder: Path) -> str:
    """Return a hash of the sources in a folder: what an edited reader reads is not what the old one did."""
    digest = hashlib.blake2b(digest_size=5)
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Notes:
    """Which content files have, as noted in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _place(self, path: Path) -> Path:
        name = hashlib.blake2b(os.fsencode(path.resolve()), digest_size=8).hexdigest()
        return self.folder / f"{name}.note"

    def known(self, path: Path, state: list[int]) -> str:
        """Return the content of a file in this state, "" when that is not known."""
        content, noted, settled = self._read(self._place(path))
        return content if settled and noted == state else ""

    def note(self, path: Path, state: list[int], content: str) -> list[str]:
        """Note the content of a file; return those contents that no file has any more."""
        place = self._place(path)
        before = self._read(place)[0]
        settled = time.time_ns() - max(state[1:3]) > _SETTLED
        with whole_file(place) as temporary:
            temporary.write_text(json.dumps([str(path.resolve()), content, state, settled]), encoding="utf-8")
        others = {self._read(other)[0] for other in self.folder.glob("*.note")}
        return [before] if before and before not in others else []

    @staticmethod
    def _read(place: Path) -> tuple[str, list[int], bool]:
        with suppress(OSError, ValueError, TypeError):
            _, content, state, settled = json.loads(place.read_text(encoding="utf-8"))
            return str(content), state, settled is True
        return "", [], False
