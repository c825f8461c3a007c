"""What people keep beside their data: names of features, texts of queries, titles of documents.

``features.txt`` has a name on each line, with the feature's number before it or not; ``features.csv`` the
same as columns, ``features.json`` a list, or an object by number. ``queries.tsv`` has an id and a text on
each line, ``docs.tsv`` an id, a title and perhaps a text (or id, URL, title, text, as in MS MARCO). They lie
in the set's folder, or in a fold's; beside a file ``set.txt`` they may be called ``set.features.txt`` …

Nothing here is needed: a file that is damaged is a sentence, and the data are as they were.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import DataError
from .fold_files import has_role
from .formats import LETOR, format_of, title_of
from .known_features import recognise_features
from .set.checking import as_names
from .set.ranking_data import RankingData

NAMES = ("features.txt", "features.csv", "features.json")
QUERIES, DOCS = "queries.tsv", "docs.tsv"
_ALL = (*NAMES, QUERIES, DOCS)
_MOST_BYTES = 256 << 20
_HEADS = ("id", "qid", "query_id", "query", "docid", "doc_id", "document")
_TOLD = ("title", "text", "body", "url", "name", "feature", "description")
_NUMBERED = re.compile(r"\s*f?(\d+)\s*[\t:,;.)=\s]\s*(\S.*)")


@dataclass(frozen=True)
class Beside:
    """What is known of a set beside its numbers.

    `names` are its features, and `source` says where they are from; None where they keep their own. `queries`
    are texts and `docs` titles and texts, by id. `problems` are sentences on what could not be used.
    """

    names: tuple[str, ...] | None = None
    source: str = ""
    queries: dict[str, str] = field(default_factory=dict)
    docs: dict[str, tuple[str, str]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def is_side_file(path: Path) -> bool:
    """Whether a file lies beside data, and is none itself."""
    return any(path.name.lower() == name or path.name.lower().endswith(f".{name}") for name in _ALL)


def side_files(path: Path) -> list[Path]:
    """Return the files that lie beside a set, a folder or a file."""
    return [found for name in _ALL if (found := _find(path, name)) is not None]


def read_beside(path: Path, data: RankingData) -> Beside:
    """Return what lies beside a set (a folder, or a file), and the names that its shape tells.

    Parameters
    ----------
    path : Path
        The set's folder or file.
    data : RankingData
        The set, or a part of it. The columns of a table keep their names.
    """
    problems: list[str] = []
    is_text = not _is_table(path)
    names, source = _read_names(path, data, problems) if is_text else (None, "")
    known = recognise_features(data) if is_text and names is None else None
    if known is not None:
        names, source = known.names, f"as in {known.label}, recognised by their number"
    queries = _read_pairs(_find(path, QUERIES), problems)
    docs = _read_pairs(_find(path, DOCS), problems)
    texts = {key: " ".join(cells) for key, cells in queries.items()}
    pages = {key: _title_and_text(cells) for key, cells in docs.items()}
    return Beside(names, source, texts, pages, tuple(problems))


def _is_table(path: Path) -> bool:
    """Whether a set, a file or a folder of them, has columns with names."""
    if path.is_dir():
        inside = [*path.glob("*"), *path.glob("*/*")]
        files = [entry for entry in inside if has_role(entry, "train") and entry.is_file()]
    else:
        files = [path]
    return any(format_of(file) not in (None, LETOR) for file in files)


def _title_and_text(cells: Sequence[str]) -> tuple[str, str]:
    if len(cells) == 1:
        return cells[0], ""
    return (cells[1], cells[2]) if len(cells) > 2 else (cells[0], cells[1])


def _find(path: Path, name: str) -> Path | None:
    """Return the side file of a set: in its folder, in a fold's, or by the name of a file."""
    if path.is_dir():
        inside = [path, *sorted(entry for entry in path.iterdir() if entry.is_dir())]
        places = [folder / name for folder in inside]
    else:
        places = [path.with_name(f"{title_of(path)}.{name}"), path.with_name(name)]
    return next((place for place in places if place.is_file()), None)


def _read_names(path: Path, data: RankingData, problems: list[str]) -> tuple[tuple[str, ...] | None, str]:
    file = next((found for name in NAMES if (found := _find(path, name)) is not None), None)
    if file is None:
        return None, ""
    try:
        told = _READERS[file.suffix.lower()](_text(file), file.name)
        return _fitted(told, data, file.name), f"from {file.name}"
    except (DataError, OSError) as error:
        problems.append(_sentence(error, file))
        return None, ""


def _fitted(told: dict[int, str] | list[str], data: RankingData, file: str) -> tuple[str, ...]:
    """Return a name for each feature, by its number or its place; those without one keep their own."""
    own = data.feature_names
    if isinstance(told, dict):
        numbers = {int(name[1:]): name for name in own}
        beyond = [number for number in told if number not in numbers]
        if beyond:
            what = f"it names feature {beyond[0]}, and the data have {min(numbers)} to {max(numbers)}"
            raise DataError(what, "give the names of these features", file=file)
        names = [told.get(number, name) for number, name in numbers.items()]
    elif len(told) != len(own):
        what = f"it has {len(told)} names for {len(own)} features"
        raise DataError(what, "give one name for each feature", file=file)
    else:
        names = told
    try:
        return as_names(names, len(own))
    except DataError as error:
        raise DataError(error.what, error.todo, file=file) from None


def _text(file: Path) -> str:
    if file.stat().st_size > _MOST_BYTES:
        raise DataError(
            f"it is larger than {_MOST_BYTES >> 20} MB", "leave out what is not needed", file=file.name
        )
    try:
        return file.read_bytes().removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise DataError("this is not UTF-8 text", "save it as UTF-8", file=file.name, line=line) from None


def _by_number(pairs: Sequence[tuple[str | None, str]], file: str) -> dict[int, str] | list[str]:
    """Return names by number where all have one, else in their order."""
    if not pairs:
        raise DataError("there is no name in it", "give one for each feature", file=file)
    if any(number is None for number, _ in pairs):
        return [name for _, name in pairs]
    named = {int(number or 0): name for number, name in pairs}
    if len(named) < len(pairs):
        raise DataError("two lines have the same number", "number each feature once", file=file)
    return named


def _names_of_text(text: str, file: str) -> dict[int, str] | list[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    numbered = [_NUMBERED.fullmatch(line) for line in lines]
    if lines and all(numbered):
        return _by_number([(found[1], found[2].strip()) for found in numbered if found], file)
    return _by_number([(None, line) for line in lines], file)


def _names_of_csv(text: str, file: str) -> dict[int, str] | list[str]:
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text)) if any(row)]
    except csv.Error as error:
        raise DataError(
            f"this is no table ({error})", "give columns with number and name", file=file
        ) from None
    if (
        rows
        and not rows[0][0].lstrip("f").isdigit()
        and {cell.lower() for cell in rows[0]} & {*_HEADS, *_TOLD}
    ):
        rows = rows[1:]
    numbered = all(len(row) > 1 and row[0].lstrip("f").isdigit() for row in rows)
    return _by_number([(row[0].lstrip("f"), row[1]) if numbered else (None, row[0]) for row in rows], file)


def _names_of_json(text: str, file: str) -> dict[int, str] | list[str]:
    todo = 'give a list of names, or an object such as {"1": "BM25"}'
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise DataError("this is no JSON", todo, file=file, line=line) from None
    if isinstance(told, list) and all(isinstance(name, str) for name in told):
        return _by_number([(None, name) for name in told], file)
    keys = [key.lstrip("f") for key in told] if isinstance(told, dict) else []
    if keys and all(key.isdigit() for key in keys) and all(isinstance(name, str) for name in told.values()):
        return _by_number(list(zip(keys, told.values(), strict=True)), file)
    raise DataError("there are no names in it", todo, file=file)


_READERS: dict[str, Callable[[str, str], dict[int, str] | list[str]]] = {
    ".txt": _names_of_text,
    ".csv": _names_of_csv,
    ".json": _names_of_json,
}


def _read_pairs(file: Path | None, problems: list[str]) -> dict[str, list[str]]:
    """Return what a file of ids and texts has, by id; a line without a text is left out, and said."""
    if file is None:
        return {}
    try:
        found: dict[str, list[str]] = {}
        bad = []
        for number, cells in _rows(_text(file)):
            if len(cells) < 2 or not cells[0]:
                bad.append(number)
            elif not (number == 1 and cells[0].lower() in _HEADS):
                found[cells[0]] = cells[1:]
    except (DataError, OSError) as error:
        problems.append(_sentence(error, file))
        return {}
    if bad:
        what = f"{len(bad)} line{'s have' if len(bad) > 1 else ' has'} no id and text with a tab between"
        todo = "put both on each line; the others are used"
        problems.append(str(DataError(what, todo, file=file.name, line=bad[0])))
    return found


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, [cell.strip() for cell in line.split("\t")]


def _sentence(error: DataError | OSError, file: Path) -> str:
    if isinstance(error, DataError):
        return str(error)
    return str(DataError(f"the file cannot be read ({error.strerror})", "check it", file=file.name))
