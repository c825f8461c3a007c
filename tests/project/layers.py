"""The one list of layers, and the arrows between rooms as the imports draw them.

A room is a folder of modules. The modules that stand by themselves beside `ltr_core/__init__.py` are rooms
of their own. An arrow goes from a room to every room that one of its files imports, inside a function too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.sources import PAGES, ROOT, SHIPPED, imports_of, name_of

_FEATURES = (
    "learn",
    "compare",
    "rankings",
    "shapes",
    "step",
    "inspect",
    "sweep",
    "papers",
    "data",
    "history",
)
FEATURES = tuple(f"pages.ui.{name}" for name in _FEATURES)
_ALONE = (
    "compiling",
    "files",
    "kernels",
    "params",
    "stopping",
    "sums",
    "threads",
)  # modules beside the rooms
ENTRANCES = tuple(f"ltr_core{name}" for name in ("", ".__main__", ".cli", ".docs", ".reference", ".warming"))

# From the top down: a room imports only rooms further down. Rooms of one line do not import each other, but
# for the entrances of the core, which are one another's.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("app",),
    ("pages",),
    ("pages.ui.app",),
    FEATURES,
    ("pages.ui.kit",),
    ("pages.ui.session",),
    ("pages.ui.tables",),
    ("pages.ui.runs",),
    ("pages.ui.charts",),
    ("pages.ui.style", "pages.ui.workers"),
    ENTRANCES,
    ("ltr_core.papers",),
    ("ltr_core.sweeps",),
    ("ltr_core.algorithms",),
    ("ltr_core.datasets",),
    ("ltr_core.engines", "ltr_core.evaluation"),
    ("ltr_core.rankers",),
    ("ltr_core.measures", "ltr_core.distances"),
    ("ltr_core.data",),
    ("ltr_core.compiling",),
    tuple(f"ltr_core.{name}" for name in _ALONE if name != "compiling"),
    ("ltr_core.errors", "ltr_core.lingering"),
)
NO_STREAMLIT = tuple(f"pages.ui.{name}" for name in ("tables", "charts", "runs", "style", "workers"))
MAY_USE_STREAMLIT = ("pages.ui.runs.services", "pages.ui.runs.uploads")  # what all sessions share, files sent

_HEIGHTS = {room: height for height, rooms in enumerate(reversed(LAYERS)) for room in rooms}
_ENTRANCE = len(LAYERS) - 1 - LAYERS.index(ENTRANCES)


@dataclass(frozen=True)
class Arrow:
    """One import of one of the project's modules by another."""

    source: str
    target: str
    place: str

    def __str__(self) -> str:
        return f"{self.place}: {self.source} -> {self.target}"


def module_of(path: Path) -> str:
    """Return a file's module, a package without its `__init__`."""
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


MODULES = {module_of(path): path for path in SHIPPED}


def folder_of(module: str) -> str:
    """Return the folder that a module stands in; its `__init__`, what it offers, is a node by itself."""
    if MODULES[module].name == "__init__.py" or module.count(".") < 2 and not module.startswith("pages."):
        return module
    return f"{module.rpartition('.')[0]}.*"


def room_of(module: str) -> str:
    """Return the room of the list that a module belongs to."""
    if MODULES[module] in PAGES:
        return "pages"
    parts = module.split(".")
    room = next(
        (".".join(parts[:n]) for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in _HEIGHTS), ""
    )
    return "" if room in ("pages", "ltr_core") and room != module else room


@cache
def arrows() -> tuple[Arrow, ...]:
    """Return every import between the project's own modules, lazy ones too."""
    return tuple(arrow for module, path in MODULES.items() for arrow in _arrows_of(module, path))


def _arrows_of(module: str, path: Path) -> Iterator[Arrow]:
    for imported, names, node in imports_of(path):
        for target in targets(imported, names):
            if target != module:
                yield Arrow(module, target, f"{name_of(path)}:{node.lineno}")


def targets(module: str, names: Iterable[str]) -> set[str]:
    """Return the modules that an import means: ``from ltr_core import docs`` means `ltr_core.docs`."""
    below = {f"{module}.{name}" for name in names}
    found = below & MODULES.keys()
    return found | ({module} & MODULES.keys() if below - found or not below else set())


def goes_down(arrow: Arrow) -> bool:
    """Whether an arrow stays in its room or goes to a layer further down."""
    source, target = room_of(arrow.source), room_of(arrow.target)
    if not (source and target):
        return False  # a room that the list does not name
    if source == target or _HEIGHTS[source] == _HEIGHTS[target] == _ENTRANCE:
        return True
    return _HEIGHTS[target] < _HEIGHTS[source]


def graph_of(of: object) -> dict[str, set[str]]:
    """Return what points at what, each module replaced by `of(module)`."""
    graph: dict[str, set[str]] = {of(module): set() for module in MODULES}
    for arrow in arrows():
        source, target = of(arrow.source), of(arrow.target)
        if source != target:
            graph[source].add(target)
    return graph


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of nodes that reach one another."""
    reach = {node: _reached(graph, node) for node in graph}
    groups = {frozenset(other for other in reach[node] if node in reach[other]) for node in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    reached, ahead = {start}, [start]
    while ahead:
        new = graph[ahead.pop()] - reached
        reached |= new
        ahead += new
    return reached


def folders() -> dict[str, list[Path]]:
    """Return the Python files of every folder that is shipped."""
    folders: dict[str, list[Path]] = {}
    for path in SHIPPED:
        folders.setdefault(path.parent.relative_to(ROOT).as_posix(), []).append(path)
    return folders
