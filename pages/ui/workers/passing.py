"""Sets of data on their way to worker processes: small ones over the line, large ones as mapped files.

A file is written once, however many workers map it, and what they read of it is in memory once. What is kept
beside a file of the user's is mapped from there, by the server and by the workers, with its bins.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ltr_core.data import Kept, RankingData, is_kept, open_kept
from ltr_core.files import whole_file

from .scratch import scratch

_LOG = logging.getLogger(__name__)
_SMALL = 4 << 20  # bytes of features

Parts = tuple[RankingData, ...]
# Features, grades, queries and their offsets, each an array or the file of one, or where all are kept; the
# features' names, and whether they were given; the set's name; the highest grade of its scale.
Handle = tuple[tuple[np.ndarray | str, ...] | Kept, tuple[str, ...], bool, str, float | None]


def hand_over(parts: Parts, number: int) -> list[Handle]:
    """Return what stands for sets of data on the line."""
    return [_hand_over(data, folder_of(number) / str(place)) for place, data in enumerate(parts)]


def _hand_over(data: RankingData, begin: Path) -> Handle:
    about = data.feature_names, data.named, data.name, data.top_grade
    if data.kept is not None and is_kept(data.kept):
        return data.kept, *about
    arrays = data.X, data.y, data.qid, data.offsets
    files: list[np.ndarray | str] = []
    if data.X.nbytes > _SMALL:
        try:
            begin.parent.mkdir(parents=True, exist_ok=True)
            for name, array in zip("Xyqo", arrays, strict=True):
                path = begin.with_name(f"{begin.name}{name}.npy")
                if not path.exists():
                    with whole_file(path) as temporary, open(temporary, "wb") as file:
                        _write(array, file)
                files.append(str(path))
        except OSError as error:  # a full disk: the line takes them as well, each worker its own copy
            _LOG.warning("Data go to a worker without a file: %s", error)
            files = []
    return tuple(files or arrays), *about


def _write(array: np.ndarray, file: BinaryIO) -> None:
    """Write an array as `np.save` does, which on a full disk may lose the last bytes in silence."""
    array = np.ascontiguousarray(array)
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
    file.write(array.data)


def receive(handles: list[Handle]) -> Parts:
    """Return the sets of data that handles stand for."""
    return tuple(_receive(*handle) for handle in handles)


def _receive(
    arrays: tuple[np.ndarray | str, ...] | Kept,
    names: tuple[str, ...],
    named: bool,
    name: str,
    top_grade: float | None,
) -> RankingData:
    if isinstance(arrays, Kept):
        kept, whole = arrays, open_kept(arrays)
        X, y, qid, offsets = whole.X, whole.y, whole.qid, whole.offsets
    else:
        kept = None
        X, y, qid, offsets = (
            np.load(array, mmap_mode="r").view(np.ndarray) if isinstance(array, str) else array
            for array in arrays
        )
    data = RankingData.from_parts(X, y, qid, offsets, None, names, None, name, named)
    data.kept, data.top_grade = kept, top_grade
    return data


def folder_of(number: int) -> Path:
    """Return where the files of a set of data are."""
    return scratch() / f"data-{number}"
