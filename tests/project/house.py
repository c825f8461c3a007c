"""The picture of the house in CONTRIBUTING.md; ``python -m tests.project.house`` draws it anew.

One line for each room, from the top of the layers down, and the rooms that it imports. What a room is stands
in its `__init__.py`.
"""

from __future__ import annotations

import ast
import re
import textwrap

from tests.project.layers import ENTRANCES, LAYERS, MODULES, graph_of, room_of
from tests.sources import ROOT, tree_of

DOCUMENT = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- picture: house -->", "<!-- end of picture -->"
WIDTH, NAME = 108, 24
ENTRANCE = "ltr_core"
ENTERED_TOGETHER = set(ENTRANCES) - {ENTRANCE}


def picture() -> str:
    """Return the rooms and their arrows as text that is read in a terminal as it is on a page."""
    graph = graph_of(_drawn)
    lines: list[str] = []
    for layer in LAYERS:
        lines.append("")
        for room in dict.fromkeys(map(_drawn, layer)):
            lines += _entry(room, graph[room])
    return "\n".join(["```text", *lines[1:], "```"])


def _drawn(module: str) -> str:
    """Return the room that a module is drawn in: the core's entrances are one."""
    room = room_of(module)
    return ENTRANCE if room in ENTERED_TOGETHER else room


def _entry(room: str, targets: set[str]) -> list[str]:
    order = [other for layer in LAYERS for other in layer if other in targets]
    ours = [other.rpartition(".")[2] for other in order if not other.startswith(ENTRANCE)]
    core = [other.rpartition(".")[2] for other in order if other.startswith(ENTRANCE)]
    if core and not room.startswith(ENTRANCE):
        core = ["·", "ltr_core:", *(name for name in core if name != ENTRANCE)]
    arrows = " ".join(ours + core).removeprefix("· ").removesuffix(":")
    return _wrapped(_name(room), _sentence(room), "") + (_wrapped("", arrows, "→ ") if arrows else [])


def _wrapped(name: str, text: str, first: str) -> list[str]:
    indent = " " * NAME
    return textwrap.wrap(
        text, WIDTH, initial_indent=f"{name:{NAME}}{first}", subsequent_indent=indent + " " * len(first)
    )


def _name(room: str) -> str:
    path = MODULES[room]
    return room.replace(".", "/") + (".py" if path.name != "__init__.py" else "/")


def _sentence(room: str) -> str:
    """Return the first sentence of what a room says of itself."""
    words = " ".join((ast.get_docstring(tree_of(MODULES[room])) or "").split())
    return re.split(r"(?<=[.:]) (?=[A-Z`])", words)[0].rstrip(":")


def redrawn(text: str) -> str:
    """Return the document with the picture as it is now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{picture()}\n{END}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(redrawn(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
