"""List the algorithms, or one of them with its parameters."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ...algorithms import ALGORITHMS, Ranker
from ...params import Param
from .. import output
from ..parsing import PROGRAM, find_algorithm, help_of

EPILOG = f"""examples:
  {PROGRAM} algorithms
  {PROGRAM} algorithms mpboost
  {PROGRAM} algorithms --json
"""


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="an algorithm, in capitals or not")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the table, or the one algorithm."""
    if args.name is None:
        if args.json:
            output.print_json([facts_of(cls) for cls in ALGORITHMS.values()])
        else:
            rows = [(name, cls.family, _source(cls), cls.summary) for name, cls in ALGORITHMS.items()]
            output.print_table(("name", "family", "paper", "what it does"), rows)
        return 0
    cls = find_algorithm(args.name)
    if args.json:
        output.print_json(facts_of(cls))
        return 0
    print(f"{cls.__name__} ({cls.family}; {_source(cls)})\n{cls.summary}\n")
    if not cls.available():
        print(f"Its library is not installed. Bring it with: {cls.install}\n")
    output.print_table(("parameter", "what it is"), [(p.name, help_of(p)) for p in cls.all_params()])
    return 0


def facts_of(cls: type[Ranker]) -> dict[str, Any]:
    """Return what the registry says of an algorithm."""
    names = ("label", "family", "paper", "section", "summary", "rounds_param")
    facts = {"name": cls.__name__, **{name: getattr(cls, name) for name in names}}
    return {**facts, "available": cls.available(), "params": [param_facts(p) for p in cls.all_params()]}


def param_facts(param: Param) -> dict[str, Any]:
    """Return what the registry says of a parameter."""
    names = ("name", "kind", "default", "low", "high", "step", "choices", "log", "optional", "when", "help")
    return {name: getattr(param, name) for name in names}


def _source(cls: type[Ranker]) -> str:
    return " ".join(filter(None, (cls.paper, cls.section)))
