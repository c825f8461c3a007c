"""The folder for what lies on disk while the server runs: uploads, and data on their way to workers.

It goes when the server ends; one that was killed leaves it, and the next server sweeps it away. A lock that
ends with its process tells which is which.
"""

from __future__ import annotations

import atexit
import logging
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import IO

from ltr_core.files import try_lock

_LOG = logging.getLogger(__name__)
_PREFIX = "rankscope-"
_LOCK = ".lock"
_YOUNG = 3600.0  # seconds: a folder without a lock may be another server's that is just starting


@cache
def scratch() -> Path:
    """Return this process's folder."""
    path = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = open(path / _LOCK, "wb")  # noqa: SIM115 - held until the process ends
    try_lock(lock)
    atexit.register(_end, path, lock)
    return path


def _end(path: Path, lock: IO[bytes]) -> None:
    shutil.rmtree(path, ignore_errors=True)
    lock.close()


def sweep() -> int:
    """Delete the folders of servers that have ended without doing so; return how many there were."""
    swept = 0
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            if path.is_symlink() or not path.is_dir():
                continue
            if (path / _LOCK).exists():
                with open(path / _LOCK, "r+b") as lock:
                    dead = try_lock(lock) is True
            else:
                dead = time.time() - path.stat().st_mtime > _YOUNG
        except OSError:  # somebody else's, or gone meanwhile
            continue
        if dead:
            shutil.rmtree(path, ignore_errors=True)
            swept += 1
    if swept:
        _LOG.info("%d temporary folders of servers that were killed are swept away", swept)
    return swept
