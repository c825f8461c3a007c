"""The project's own source files and their syntax trees, for tests that read code instead of running it."""

from __future__ import annotations

import ast
import importlib
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent

CORE = sorted(ROOT.glob("ltr_core/**/*.py"))
PAGES = sorted(p for p in ROOT.glob("pages/*.py") if p.name != "__init__.py")
UI = sorted(ROOT.glob("pages/ui/**/*.py"))
APP = [p for p in (ROOT / "app.py",) if p.exists()]
SHIPPED = CORE + PAGES + UI + APP + [ROOT / "pages" / "__init__.py"]


def name_of(path: Path) -> str:
    """Return a path as it is written in the project."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def place(path: Path, node: ast.AST) -> str:
    """Return file and line of a node."""
    return f"{name_of(path)}:{getattr(node, 'lineno', 0)}"


def imports_of(path: Path) -> Iterator[tuple[str, tuple[str, ...], ast.AST]]:
    """Yield every import, nested ones too: the module's full name, the names taken from it, the node."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, (), node
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *filter(None, (node.module,))))
            yield module, tuple(alias.name for alias in node.names), node


def dotted(node: ast.AST) -> str:
    """Return ``a.b.c`` for such an expression, an empty text for any other."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted(node.value)
        return f"{head}.{node.attr}" if head else ""
    return ""


def calls_in(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield every call below a node, by the dotted name of what is called."""
    for below in ast.walk(node):
        if isinstance(below, ast.Call):
            yield dotted(below.func), below


def kernels_in(path: Path) -> Iterator[tuple[ast.FunctionDef, dict[str, object]]]:
    """Yield every function compiled by numba with the flags of its decorator."""
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            name = dotted(call.func if call else decorator).rpartition(".")[2]
            if name in COMPILERS:
                flags = {
                    k.arg: k.value.value if isinstance(k.value, ast.Constant) else ast.unparse(k.value)
                    for k in (call.keywords if call else [])
                }
                yield node, {"decorator": name, **flags}


COMPILERS = {"njit", "jit", "vectorize", "guvectorize", "generated_jit", "jitclass", "stencil", "cfunc"}


def tracked_files() -> list[Path]:
    """Return the files of the project as git knows them."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git clone")
    out = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [ROOT / name for name in out.split("\0") if name and (ROOT / name).exists()]


def imported(path: Path) -> ModuleType:
    """Return the module of one of the package's files."""
    return importlib.import_module(
        name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    )


def none_of(offenders: Iterable[object]) -> None:
    """Fail with the list of those that break a rule, if any do."""
    broken = sorted({str(offender) for offender in offenders})
    assert not broken, f"{len(broken)} break the rule:\n  " + "\n  ".join(broken)
