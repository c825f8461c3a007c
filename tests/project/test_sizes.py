"""How large rooms and functions may be, and where the formatter looks away."""

from __future__ import annotations

import ast
import re

from tests.project.layers import folders
from tests.project.sizes import MOST_FILES, MOST_FUNCTION_LINES, long_functions
from tests.sources import none_of, place, tracked_files, tree_of

# Functions past the size of the house, by file and name, each with its reason.
LONG: dict[str, str] = {}
MOST_FORMATTED_BY_HAND = 58


def test_no_room_has_more_files_than_one_overlooks():
    none_of(f"{room}: {len(files)} files" for room, files in folders().items() if len(files) > MOST_FILES)


def test_functions_outside_kernels_fit_on_a_screen():
    """Their documentation aside; who is on the list is longer, or is taken off it."""
    sizes = dict(long_functions())
    none_of(
        f"{name}: {lines} lines, past {MOST_FUNCTION_LINES}"
        for name, lines in sizes.items()
        if name not in LONG
    )
    none_of(f"{name} is on the list and short" for name in LONG.keys() - sizes.keys())


def test_the_formatter_looks_away_at_tables_of_constants_only():
    places = [
        offender for path in tracked_files() if path.suffix == ".py" for offender in _looking_away(path)
    ]
    none_of(where for where, is_table in places if not is_table)
    assert len(places) <= MOST_FORMATTED_BY_HAND


def _looking_away(path):
    text = path.read_text(encoding="utf-8")
    marked = [n for n, line in enumerate(text.splitlines(), 1) if re.search(r"#\s*fmt:\s*(skip|off)", line)]
    if not marked:
        return
    tables = {
        node.end_lineno
        for node in ast.walk(tree_of(path))
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and _is_table(node.value)
    }
    for number in marked:
        yield f"{place(path, ast.Pass(lineno=number))}", number in tables


def _is_table(value):
    """Whether an expression only lists: constants, names and entries, or the same for each of a list."""
    nodes = list(ast.walk(value))
    over = [node.iter for node in nodes if isinstance(node, ast.comprehension)]
    return (
        any(isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Call)) for node in nodes)
        and not any(isinstance(node, (ast.IfExp, ast.Lambda, ast.NamedExpr)) for node in nodes)
        and all(isinstance(written, (ast.List, ast.Tuple)) for written in over)
    )
