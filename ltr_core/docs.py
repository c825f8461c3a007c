"""The tables in README.md, made from the registries: ``python -m ltr_core.docs`` rewrites them.

Only what stands between ``<!-- table: NAME -->`` and ``<!-- end of table -->`` is touched.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .algorithms import ALGORITHMS
from .datasets import DATASETS
from .measures import MEASURES
from .params import Param

README = Path(__file__).resolve().parent.parent / "README.md"
_MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def algorithms_table() -> str:
    """Return the table of algorithms, families together in the registry's order."""
    families = list(dict.fromkeys(entry.family for entry in ALGORITHMS.values()))
    rows = [
        (f"`{name}`", entry.family, _source(entry), entry.summary, _params(entry.params))
        for name, entry in sorted(ALGORITHMS.items(), key=lambda item: families.index(item[1].family))
    ]
    return _table(("name", "family", "paper", "what it does", "parameters and defaults"), rows)


def measures_table() -> str:
    """Return the table of measures."""
    return _entries_table(MEASURES)


def datasets_table() -> str:
    """Return the table of generated data sets."""
    return _entries_table(DATASETS)


TABLES = {"algorithms": algorithms_table, "measures": measures_table, "datasets": datasets_table}


def rewrite(text: str) -> str:
    """Return a document with its marked tables made anew."""
    return _MARKED.sub(lambda found: found[1] + TABLES[found[2]]() + found[3], text)


def main() -> int:
    """Rewrite README.md's tables and say whether anything changed."""
    before = README.read_text(encoding="utf-8")
    after = rewrite(before)
    README.write_text(after, encoding="utf-8")
    print(f"{README.name}: " + ("unchanged" if after == before else "tables rewritten"))
    return 0


def _entries_table(registry: Mapping[str, Any]) -> str:
    rows = [
        (f"`{name}`", entry.label, _words(entry), _params(entry.params)) for name, entry in registry.items()
    ]
    return _table(("name", "label", "what it is", "parameters and defaults"), rows)


def _words(entry: Any) -> str:
    return getattr(entry, "summary", "") or entry.description


def _source(entry: Any) -> str:
    return " ".join(filter(None, (entry.paper, entry.section)))


def _params(params: Sequence[Param]) -> str:
    shown = []
    for p in params:
        value = p.none_label if p.default is None and p.optional else p.default
        shown.append(f"`{p.name}` {value:g}" if isinstance(value, float) else f"`{p.name}` {value}")
    return ", ".join(shown)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(_cell(c) for c in line) + " |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
