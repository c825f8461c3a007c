"""The formats that data come in, each described once: its suffixes, who reads it and who writes it.

A new format is a file with its reader and its writer, and one entry here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from .reading.letor_file import read_letor
from .reading.options import Options
from .reading.sources import Source, split_compression
from .reading.table_parquet import read_parquet
from .reading.table_text import read_table
from .set.ranking_data import RankingData
from .writing.letor import write_letor
from .writing.table import write_parquet, write_separated


@dataclass(frozen=True)
class Format:
    """A format of files.

    Attributes
    ----------
    label : str
        What sentences call it.
    suffixes : tuple of str
        How its files' names end, in small letters.
    read : callable
        ``read(source, name, options) -> RankingData``; problems go through the options.
    write : callable
        ``write(data, stream, file)``; `file` is for errors.
    magic : bytes
        What its content begins with; empty for text.
    is_sparse : bool
        Whether features that are 0 need not be mentioned.
    """

    label: str
    suffixes: tuple[str, ...]
    read: Callable[[Source, str, Options], RankingData]
    write: Callable[[RankingData, IO[bytes], str], None]
    magic: bytes = b""
    is_sparse: bool = False


LETOR = Format("LETOR text", (".txt", ".dat", ".svm", ".letor"), read_letor, write_letor, is_sparse=True)
CSV = Format(".csv", (".csv",), partial(read_table, ","), partial(write_separated, ","))
TSV = Format(".tsv", (".tsv",), partial(read_table, "\t"), partial(write_separated, "\t"))
PARQUET = Format(".parquet", (".parquet",), read_parquet, write_parquet, magic=b"PAR1")
FORMATS = (LETOR, CSV, TSV, PARQUET)


def format_of(path: str | Path) -> Format | None:
    """Return the format that a file's name promises, with or without the suffix of a compression."""
    suffix = Path(split_compression(str(path))[0]).suffix.lower()
    return next((one for one in FORMATS if suffix in one.suffixes), None)


def title_of(file: str | Path) -> str:
    """Return a file's name without folders and the suffixes that are known."""
    inner = Path(split_compression(str(file))[0])
    return inner.stem if format_of(file) else inner.name


def stem_of(path: Path) -> str | None:
    """Return a data file's title in small letters; None if it is no data file."""
    return title_of(path).lower() if format_of(path) else None


def say_formats(last: str = ", ") -> str:
    """Say which formats there are; `last` stands before the last one."""
    *others, end = (one.label for one in FORMATS)
    return ", ".join(others) + last + end
