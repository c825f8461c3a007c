"""Sets of data as they are kept: what `load` returned, mapped, the next time and from every process."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from .formats import title_of
from .keeping.content import Notes, hash_file, state_of
from .keeping.kept import Kept, folder_for, forget, has_size
from .reading.letor_file import find_query_file
from .reading.options import Options
from .set.packed_ids import PackedIds
from .set.ranking_data import RankingData

_LARGE_FILE = 16 << 20  # bytes; smaller ones are read in no time, and are not looked for
_LARGE = 100 << 20  # bytes of features from which a set is kept
_DATA = "data"


def keeping(source: Any, name: str | None, options: Options, read: Callable[[], RankingData]) -> RankingData:
    """Return the set of a file as it was read before in the same way, or `read` it and keep it."""
    path = None if options.query_file is not None else _large_file(source)
    folder = None if path is None else folder_for(path)
    if path is None or folder is None:
        return read()
    form = "".join(path.suffixes).lower()
    how = form, options.missing, options.n_features, options.first_index, options.ignore
    manner = hashlib.blake2b(repr(how).encode(), digest_size=8)
    notes, state = Notes(folder), state_of(path)
    content = notes.known(path, state)
    known = bool(content)
    if not known and has_size(folder, state[0]):
        content = hash_file(path)
    found = _read(Kept(folder, f"{content}-{manner.hexdigest()}")) if content else None
    if found is None or found.X.size > options.max_cells:
        found = read()
        if found.X.nbytes < _LARGE:
            return found
        content = content or hash_file(path)
        kept = Kept(folder, f"{content}-{manner.hexdigest()}")
        if state_of(path) != state or not _write(found, kept):
            return found
        found = _read(kept, looked_at=False) or found  # mapped: in memory once, with whoever else maps it
        known = False
    if not known:
        with suppress(OSError):
            for gone in notes.note(path, state, content):
                forget(folder, gone)
    found.name = title_of(path) if name is None else name
    return found


def _large_file(source: Any) -> Path | None:
    if not isinstance(source, (str, os.PathLike)):
        return None
    path = Path(source)
    with suppress(OSError, ValueError):
        if path.is_file() and path.stat().st_size >= _LARGE_FILE and find_query_file(path) is None:
            return path
    return None


def is_kept(kept: Kept) -> bool:
    """Whether a set is where it was kept: somebody may have deleted it."""
    return kept.path(_DATA).exists()


def open_kept(kept: Kept) -> RankingData:
    """Return a set that another process has kept and looked at, or raise an OSError."""
    data = _read(kept, looked_at=False)
    if data is None:
        raise FileNotFoundError(kept.path(_DATA))
    return data


def _write(data: RankingData, kept: Kept) -> bool:
    arrays = {"X": data.X, "y": data.y, "qid": data.qid, "offsets": data.offsets}
    if data._order is not None:
        arrays["order"] = data._order
    if isinstance(data._doc_ids, PackedIds):
        arrays |= {"ids": data._doc_ids.text, "id_offsets": data._doc_ids.offsets}
    elif data._doc_ids is not None:
        arrays["doc_ids"] = data._doc_ids
    if any(array.dtype.kind == "O" for array in arrays.values()):
        return False
    facts = {
        "names": data.feature_names,
        "name": data.name,
        "named": data.named,
        "fingerprint": data.fingerprint,
        "top_grade": data.top_grade,
    }
    return kept.write(_DATA, facts, arrays)


def _read(kept: Kept, looked_at: bool = True) -> RankingData | None:
    found = kept.read(_DATA, looked_at)
    if found is None:
        return None
    facts, arrays = found
    try:
        data = _assemble(facts, arrays)
    except (KeyError, TypeError, ValueError) as error:
        kept.drop(_DATA, error)
        return None
    data.kept = kept
    return data


def _assemble(facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> RankingData:
    """Return the set of kept arrays, none of which may lead a kernel beyond another."""
    X, y, qid, offsets, order = (arrays.get(name) for name in ("X", "y", "qid", "offsets", "order"))
    names = tuple(map(str, facts["names"]))
    if X is None or y is None or qid is None or offsets is None:
        raise ValueError("something is missing")
    n = len(y)
    fits = (
        X.dtype == np.float32 and X.shape == (n, len(names)) and y.dtype == np.float64 and qid.shape == (n,)
    )
    fits = fits and offsets.dtype == np.int64 and offsets[0] == 0 and offsets[-1] == n
    if not fits or (np.diff(offsets) <= 0).any():
        raise ValueError("its arrays do not fit together")
    ids: Any = arrays.get("doc_ids")
    if "ids" in arrays:
        ids = PackedIds(arrays["ids"], arrays["id_offsets"])
        if len(ids) != n or ids.offsets[0] != 0 or ids.offsets[-1] != len(ids.text):
            raise ValueError("its doc ids do not fit")
    if order is not None and (order.shape != (n,) or order.min() < 0 or order.max() >= n):
        raise ValueError("its order does not fit")
    data = RankingData.from_parts(X, y, qid, offsets, order, names, ids, facts["name"], facts["named"])
    data.__dict__["fingerprint"] = str(facts["fingerprint"])
    data.top_grade = None if facts["top_grade"] is None else float(facts["top_grade"])
    return data
