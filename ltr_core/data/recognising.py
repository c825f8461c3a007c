"""What a content is by its first bytes and its name: the format that reads it, or what it is instead."""

from __future__ import annotations

import re

from ..errors import DataError
from .formats import CSV, FORMATS, LETOR, TSV, Format, format_of, say_formats

_UNPACK = "unpack it and load the file inside"
_EXPORT = f"save it as {say_formats(' or ')}"
_PICKLE = "this is a Python pickle, which is never opened"
_RUBBISH = {
    b"PK\x03\x04": ("this is a zip archive (or an Office document)", _UNPACK),
    b"PK\x05\x06": ("this is an empty zip archive", _UNPACK),
    b"7z\xbc\xaf\x27\x1c": ("this is a 7z archive", _UNPACK),
    b"\xfd7zXZ\x00": ("this is compressed by xz", "compress it as .gz, .bz2 or .zst, or not at all"),
    b"Rar!": ("this is a rar archive", _UNPACK),
    b"\x89PNG": ("this is a PNG picture", "load a data file"),
    b"\xff\xd8\xff": ("this is a JPEG picture", "load a data file"),
    b"GIF8": ("this is a GIF picture", "load a data file"),
    b"%PDF": ("this is a PDF document", "load a data file"),
    b"\x93NUMPY": ("this is a numpy array", _EXPORT),
    b"\x89HDF": ("this is an HDF5 file", _EXPORT),
    **{b"\x80" + bytes([version]): (_PICKLE, _EXPORT) for version in (2, 3, 4, 5)},
    b"\x7fELF": ("this is a program", "load a data file"),
    b"\xff\xfe": ("this text is saved as UTF-16", "save it as UTF-8"),
    b"\xfe\xff": ("this text is saved as UTF-16", "save it as UTF-8"),
    b"{": ("this looks like JSON", _EXPORT),
    b"[": ("this looks like JSON", _EXPORT),
    b"<": ("this looks like a web page or XML", "load the data file itself"),
}


def recognise(head: bytes, file: str) -> Format:
    """Return the format of a content by its first bytes and the file's name, or say what it is instead."""
    for one in FORMATS:
        if one.magic and head.startswith(one.magic):
            return one
    for start, (what, todo) in _RUBBISH.items():
        if head.lstrip().startswith(start) if start in b"{[<" else head.startswith(start):
            raise DataError(what, todo, file=file, line=1, column=1)
    promised = format_of(file)
    if promised is not None and promised.magic:
        what = f"this is not a {promised.label.lstrip('.').capitalize()} file"
        raise DataError(what, "give the file the name that fits what it is", file=file, line=1)
    place = head.find(b"\x00", 0, 4096)
    if place >= 0:
        line = head.count(b"\n", 0, place) + 1
        column = place - head.rfind(b"\n", 0, place)
        what, todo = "this is not text: there is a zero byte", f"load {say_formats(' or ')}"
        raise DataError(what, todo, file=file, line=line, column=column)
    return promised or _sniff(head)


def _sniff(head: bytes) -> Format:
    """Tell a table from LETOR text by the first line that is neither blank nor a comment."""
    text = head.decode("utf-8", errors="replace").lstrip("\ufeff")
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    line = next(lines, "")
    if re.match(r"\s*\S+(\s+[^\s:,;]+:[^\s,;]*)+\s*(#.*)?$", line) or not re.search(r"[,;\t]", line):
        return LETOR
    return TSV if line.count("\t") > line.count(",") else CSV
