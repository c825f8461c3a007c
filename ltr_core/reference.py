"""The reference of all public names as one page of HTML: ``python -m ltr_core.reference FILE``.

It is made from signatures, docstrings and the registries; nothing is written down twice.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from . import __all__ as names
from . import __version__
from .algorithms import ALGORITHMS
from .datasets import DATASETS
from .datasets import make as make_data
from .distances import DISTANCES, LOSSES
from .evaluation import Comparison
from .measures import FUNCTIONS, MEASURES
from .params import Param
from .rankers.base import Ranker

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
pre { background: canvas; border-left: 3px solid; overflow-x: auto; padding: 0 1rem; white-space: pre-wrap; }
nav a { margin-right: .8rem; white-space: nowrap; }
h3 { font-family: ui-monospace, monospace; font-size: 1rem; margin-top: 2rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
td, th { border-bottom: 1px solid; padding: .2rem .8rem; text-align: left; }
:root { color-scheme: light dark; }
"""


def reference() -> str:
    """Return the page."""
    from . import RankingData, Sweep

    rest = [name for name in names if name not in {*ALGORITHMS, *FUNCTIONS}]
    functions = [name for name in rest if inspect.isroutine(_of(name))]
    classes = [name for name in rest if inspect.isclass(_of(name))]
    others = [name for name in classes if name not in ("RankingData", "Sweep")]
    tables = [name for name in rest if name not in {*functions, *classes}]
    sections = {
        "Functions": [_callable(name, _of(name)) for name in functions],
        "Data": list(_class("RankingData", RankingData)) + [_callable("datasets.make", make_data)],
        "What every algorithm has": list(_class("Ranker", Ranker)),
        "Algorithms": [_algorithm(name, cls) for name, cls in ALGORITHMS.items()],
        "Measures": [_measure(name, function) for name, function in FUNCTIONS.items()],
        "Data sets that are generated": [_data_set(name) for name in DATASETS],
        "Results": [*_class("Comparison", Comparison), *_class("Sweep", Sweep)],
        "Other classes": [text for name in others for text in _class(name, _of(name))],
        "Tables of names": [_table_of_names(name) for name in tables],
    }
    contents = "".join(f'<a href="#{_anchor(title)}">{escape(title)}</a>' for title in sections)
    body = "".join(
        f'<h2 id="{_anchor(title)}">{escape(title)}</h2>{"".join(texts)}' for title, texts in sections.items()
    )
    head = f'<meta charset="utf-8"><title>ltr_core {__version__}</title><style>{_STYLE}</style>'
    told = f"<h1>ltr_core {__version__}</h1><p><code>import ltr_core as ltr</code></p><nav>{contents}</nav>"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{told}{body}</body></html>\n'


def _of(name: str) -> Any:
    return getattr(import_module(__package__), name)


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _callable(name: str, function: Any) -> str:
    return _entry(name, f"{name}{_signature(function)}", inspect.getdoc(function) or "")


def _entry(name: str, head: str, text: str, more: str = "") -> str:
    return f'<h3 id="{escape(name)}">{escape(head)}</h3><pre>{escape(text)}</pre>{more}'


def _signature(function: Any) -> str:
    try:
        told = str(inspect.signature(function))
    except (TypeError, ValueError):
        return "(…)"
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", told)  # annotations are texts here


def _class(name: str, cls: type) -> Iterator[str]:
    """Yield a class and its public methods and properties, those of its own and of our bases."""
    yield _entry(name, f"class {name}{_signature(cls)}", inspect.getdoc(cls) or "")
    for member in sorted(_members(cls)):
        found = inspect.getattr_static(cls, member)
        if isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        head = f"{name}.{member}" + (_signature(found) if inspect.isroutine(found) else "")
        yield _entry(f"{name}.{member}", head, inspect.getdoc(found) or "")


def _members(cls: type) -> set[str]:
    ours = [base for base in cls.__mro__ if base.__module__.startswith("ltr_core")]
    return {
        name
        for base in ours
        for name, found in vars(base).items()
        if not name.startswith("_") and (inspect.isroutine(found) or isinstance(found, _DESCRIBED))
    }


_DESCRIBED = (property, staticmethod, classmethod)


def _algorithm(name: str, cls: type[Ranker]) -> str:
    own = _members(cls) - _members(Ranker)
    told = f"{cls.summary}\n{cls.paper} {cls.section}\n\n{inspect.getdoc(cls) or ''}"
    if own:
        told += "\n\nBeside what every algorithm has: " + ", ".join(sorted(own)) + "."
    return _entry(name, f"class {name}{_signature(cls)}", told, _params(cls.all_params()))


def _measure(name: str, function: Any) -> str:
    cls = next(m for m in MEASURES.values() if (m.function or m.name) == name)
    return _callable(name, function) + _params(cls.params)


def _data_set(name: str) -> str:
    entry = DATASETS[name]
    return _entry(f"data-{name}", name, f"{entry.summary}\n{entry.description}", _params(entry.params))


def _params(params: Iterable[Param]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(p.name)}</code></td><td>{escape(repr(p.default))}</td>"
        f"<td>{escape(p.help)} Takes {escape(p.expected())}.</td></tr>"
        for p in params
    )
    head = "<tr><th>parameter</th><th>default</th><th>what it is</th></tr>"
    return f"<table>{head}{rows}</table>" if rows else ""


def _table_of_names(name: str) -> str:
    told = {"DISTANCES": DISTANCES, "LOSSES": LOSSES}.get(name, _of(name))
    listed = ", ".join(map(str, told)) if isinstance(told, dict) else (inspect.getdoc(told) or "")
    return _entry(name, name, listed)


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(reference(), encoding="utf-8")
    sys.stdout.write(f"The reference is in {place}.\n")
