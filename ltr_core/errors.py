"""The two errors that users meet: what is wrong, where, and what to do about it."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class _Sentence(ValueError):
    """A ValueError whose text is one clear sentence for the person in front of the screen."""


class ParameterError(_Sentence):
    """A parameter, a measure name or a combination of arguments that cannot be used."""


class DataError(_Sentence):
    """Data that cannot be used.

    Parameters
    ----------
    what : str
        What is wrong, without a full stop.
    todo : str
        What to do about it, a sentence fragment that starts with a verb.
    file, line, column
        Where: the file's name, the line counted from 1, and the column: a character position counted
        from 1 for text, a column's name for tables.
    """

    def __init__(
        self,
        what: str,
        todo: str = "",
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | str | None = None,
    ) -> None:
        self.what, self.todo, self.file, self.line, self.column = what, todo, file, line, column
        places = []
        if file is not None:
            places.append(str(file))
        if line is not None:
            places.append(f"line {line}")
        if column is not None:
            places.append(f"column {column}" if isinstance(column, int) else f"column “{column}”")
        where = ", ".join(places)
        text = f"{where}: {what}" if where else what
        super().__init__(f"{text}. {todo[:1].upper()}{todo[1:]}." if todo else f"{text}.")

    def __reduce__(self):
        # Errors cross process borders in sweeps; keyword-only arguments need this to be rebuilt.
        return _rebuild_data_error, (self.what, self.todo, self.file, self.line, self.column)


def _rebuild_data_error(what, todo, file, line, column) -> DataError:
    return DataError(what, todo, file=file, line=line, column=column)


def import_extra(package: str, extra: str, what: str) -> Any:
    """Import a package that only one of the extras brings, or no extra does, or say how to get it."""
    try:
        return import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        lacks = f"{what} needs the package {name}, which is not installed"
        brings = f"'rankscope[{extra}]'" if extra else name
        raise ParameterError(f"{lacks}. Bring it with: pip install {brings}.") from None
