"""What a Parquet file says of its columns' sizes, read here from its footer.

pyarrow ends the process where a hostile footer makes it throw while it describes a column (26.0.1, on size
statistics of a column that has none); when it reads one it says so. The footer is Thrift's compact protocol:
structs of numbered fields, of which three are wanted here.
"""

from __future__ import annotations

from typing import Any

_MAGIC = b"PAR1"
_DEEPEST = 32  # structs in structs; Parquet's own have less than ten
_ROW_GROUPS, _COLUMNS, _ABOUT, _PATH, _UNPACKED = 4, 1, 3, 3, 6  # numbers of fields, on the way down


def column_sizes(content: bytes) -> dict[str, int]:
    """Return how many bytes each column takes unpacked; an OSError where the footer is damaged."""
    end = len(content) - 8
    begin = end - int.from_bytes(content[end : end + 4], "little") if end >= 0 else -1
    if begin < 0 or content[-4:] != _MAGIC:
        raise OSError("it has no footer")
    sizes: dict[str, int] = {}
    try:
        for group in _Reader(content[begin:end]).struct()[_ROW_GROUPS]:
            for column in group[_COLUMNS]:
                about = column[_ABOUT]
                path = ".".join(part.decode() for part in about[_PATH])
                sizes[path] = sizes.get(path, 0) + int(about[_UNPACKED])
    except (IndexError, KeyError, TypeError, AttributeError, ValueError):
        raise OSError("its footer is damaged") from None
    return sizes


class _Reader:
    """Reads values one after another; an IndexError at the end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.depth = data, 0, 0

    def struct(self) -> dict[int, Any]:
        """Return a struct's fields by their numbers."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("too deep")
        fields, number = {}, 0
        while kind := (head := self._byte()) & 15:
            number = number + (head >> 4) if head >> 4 else self._signed()
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind)
        self.depth -= 1
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (1, 2, 3):  # in a list a truth value is a byte
            return self._byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind == 7:
            return self._bytes(8)
        if kind == 8:
            return self._bytes(self._unsigned())
        if kind in (9, 10):
            head = self._byte()
            size = head >> 4 if head >> 4 < 15 else self._unsigned()
            return [self._element(head & 15) for _ in range(size)]
        if kind == 11:
            return self._map()
        if kind == 12:
            return self.struct()
        raise ValueError(f"there is no type {kind}")

    def _element(self, kind: int) -> Any:
        self.data[self.at]  # each takes a byte at least: a list is not longer than what is left
        return self._value(kind)

    def _map(self) -> dict[int, Any]:
        size = self._unsigned()
        kinds = self._byte() if size else 0
        for _ in range(size):
            self._element(kinds >> 4), self._element(kinds & 15)
        return {}

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, size: int) -> bytes:
        self.at += size
        if self.at > len(self.data):
            raise IndexError
        return self.data[self.at - size : self.at]

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number of more than 64 bits")

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)
