"""Sizes: ``python -m tests.project.sizes``, part of `make check`, lists the files that ask to be cut."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.sources import SHIPPED, kernels_in, name_of, tree_of

Function = ast.FunctionDef | ast.AsyncFunctionDef

MOST_FILES = 15  # of a room
MOST_FILE_LINES = 300  # advice
MOST_FUNCTION_LINES = 60  # without the documentation


def long_functions() -> Iterator[tuple[str, int]]:
    """Yield the functions past the house's size that are no kernels, with their lines."""
    for path in SHIPPED:
        kernels = {node for node, _ in kernels_in(path)}
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, Function) or node in kernels:
                continue
            lines = lines_of(node)
            if lines > MOST_FUNCTION_LINES:
                yield f"{name_of(path)}:{node.name}", lines


def lines_of(node: Function) -> int:
    """Return the lines of a function, from its name to its end, without its documentation."""
    first = node.body[0]
    documented = ast.get_docstring(node) is not None
    return node.end_lineno - node.lineno + 1 - (first.end_lineno - first.lineno + 1 if documented else 0)


def long_files() -> Iterator[tuple[str, int]]:
    """Yield the files past the advised size with their lines."""
    for path in SHIPPED:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_FILE_LINES:
            yield name_of(path), lines


if __name__ == "__main__":
    for name, lines in long_files():
        print(f"warning: {name} has {lines} lines: cut it by noun, if a noun stands out")
