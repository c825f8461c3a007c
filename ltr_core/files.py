"""Files as other processes see them: whole or not at all, and one writer at a time.

A file is written under another name beside its place and renamed. Whoever is killed meanwhile, or finds the
disk full, leaves what was there as it was; what a killed writer leaves beside it, `tidy` deletes.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_SUFFIX = ".tmp"
_OLD = 3600.0  # seconds after which nobody writes to such a file any more


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield where to write what `path` will be when the block ends; after an error nothing of it is left."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}{_SUFFIX}")
    try:
        yield temporary
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def tidy(folder: Path) -> None:
    """Delete what killed writers have left in a folder."""
    for path in folder.glob(f".*{_SUFFIX}"):
        with suppress(OSError):  # somebody else's, or gone meanwhile
            if time.time() - path.stat().st_mtime > _OLD:
                path.unlink(missing_ok=True)


def try_lock(file: IO[bytes]) -> bool | None:
    """Lock an open file until it is closed; False when somebody else has, None where there are no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without them
        return None
    return True


def unlock(file: IO[bytes]) -> None:
    """Give a lock back, also for processes that were forked meanwhile."""
    if fcntl is not None:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def taking_turns(folder: Path) -> Iterator[None]:
    """Let one process after another change the files of a folder; where that cannot be, all at once."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open(folder / ".lock", "ab")  # noqa: SIM115 - closed below
    except OSError:  # read-only: nobody changes anything
        yield
        return
    with lock:
        if fcntl is not None:
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield
