"""Where things are kept, how much of them, and what becomes of those that are old or damaged.

`.rankscope` beside the file, or the folder that `$RANKSCOPE_KEEP` names; with `RANKSCOPE_KEEP=0` nothing is
kept, and where nothing can be written neither. Files appear whole, whoever else writes the same: processes
need not wait for each other. All of it may be deleted at any time.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...files import tidy
from .arrays import Arrays, Damaged, read_arrays, write_arrays
from .content import version_of

_LOG = logging.getLogger(__name__)
FOLDER, VARIABLE = ".rankscope", "RANKSCOPE_KEEP"
MOST_BYTES = 20 << 30  # in a folder; what was used longest ago goes first
_VERSION = version_of(Path(__file__).resolve().parents[1])


def folder_for(path: Path) -> Path | None:
    """Return where things about a file are kept, None when they are not to be."""
    given = os.environ.get(VARIABLE, "")
    if given.lower() in ("0", "off", "no"):
        return None
    return Path(given).expanduser() if given else path.parent / FOLDER


@dataclass(frozen=True)
class Kept:
    """What is kept about a content that was read in one way: things by name, each a file of arrays.

    Attributes
    ----------
    folder : Path
        Where.
    key : str
        The content and how it was read; the version of the readers stands before it.
    """

    folder: Path
    key: str

    def path(self, name: str) -> Path:
        """Return the file of a thing."""
        return self.folder / f"{_VERSION}-{self.key}.{name}"

    def read(self, name: str, looked_at: bool = True) -> tuple[dict[str, Any], dict[str, np.ndarray]] | None:
        """Return facts and mapped arrays, None where there are none; damaged ones are deleted."""
        path = self.path(name)
        try:
            found = read_arrays(path, looked_at)
        except OSError:
            return None
        except Damaged as error:
            self.drop(name, error)
            return None
        with suppress(OSError):
            os.utime(path)  # used now
        return found

    def write(self, name: str, facts: Mapping[str, Any], arrays: Arrays) -> bool:
        """Keep a thing, unless the disk would be more than half full of it; return whether it is kept."""
        size = sum(array.nbytes for array in arrays.values())
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if size > MOST_BYTES or shutil.disk_usage(self.folder).free < 2 * size:
                return False
            tidy(self.folder)
            prune(self.folder, MOST_BYTES - size)
            write_arrays(self.path(name), facts, arrays)
        except OSError as error:
            _LOG.info("%s is not kept: %s", self.path(name).name, error)
            return False
        return True

    def drop(self, name: str, why: object) -> None:
        """Delete a thing that cannot be used."""
        _LOG.warning("%s is read anew: %s", self.path(name).name, why)
        _delete(self.path(name))


def prune(folder: Path, budget: int) -> None:
    """Delete what another version wrote, and what was used longest ago beyond the budget."""
    found = []
    for path in folder.glob("*-*.*"):
        with suppress(OSError):
            stat = path.stat()
            found.append((path.name.startswith(f"{_VERSION}-"), stat.st_mtime, path, stat.st_size))
    total = 0
    for is_ours, _, path, size in sorted(found, reverse=True):
        total += size
        if total > budget or not is_ours:
            _delete(path)


def forget(folder: Path, content: str) -> None:
    """Delete what is kept about a content."""
    for path in folder.glob(f"{_VERSION}-{content}-*.*"):
        _delete(path)


def has_size(folder: Path, size: int) -> bool:
    """Whether anything is kept about a content of so many bytes."""
    return next(folder.glob(f"{_VERSION}-{size}-*.*"), None) is not None


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
