"""`PackedIds`: many short texts in one array of bytes, made into Python texts only when asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .copying import _gather_bytes

_WIDEST = 256  # a longer id makes an object array: fixed width would cost four bytes a character for all


class PackedIds:
    """Texts in UTF-8, end to end in `text`; the i-th is ``text[offsets[i]:offsets[i + 1]]``.

    Ids of 164,000 documents take 3 MB this way and 16 MB as a numpy array of fixed width.
    """

    def __init__(self, text: np.ndarray, offsets: np.ndarray) -> None:
        self.text, self.offsets = text, offsets

    @classmethod
    def join(cls, parts: Sequence[PackedIds]) -> PackedIds:
        """Return the ids of several arrays, one after the other."""
        starts = np.cumsum([0] + [len(part.text) for part in parts])
        offsets = [part.offsets[:-1] + start for part, start in zip(parts, starts[:-1], strict=True)]
        text = np.concatenate([part.text for part in parts])
        return cls(text, np.concatenate([*offsets, starts[-1:]]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def take(self, rows: np.ndarray) -> PackedIds:
        """Return the ids of some rows."""
        lengths = np.diff(self.offsets)[rows]
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        text = np.empty(offsets[-1], dtype=np.uint8)
        _gather_bytes(self.text, self.offsets[:-1][rows], lengths, offsets[:-1], text)
        return PackedIds(text, offsets)

    def unpack(self) -> np.ndarray:
        """Return the ids as an array of texts."""
        raw, offsets = self.text.tobytes(), self.offsets.tolist()
        if raw.isascii():
            text = raw.decode("ascii")
            ids = [text[a:b] for a, b in zip(offsets[:-1], offsets[1:], strict=True)]
        else:
            ids = [
                raw[a:b].decode("utf-8", "replace") for a, b in zip(offsets[:-1], offsets[1:], strict=True)
            ]
        widest = max(map(len, ids), default=0)
        return np.array(ids, dtype=object if widest > _WIDEST else f"U{max(widest, 1)}")
