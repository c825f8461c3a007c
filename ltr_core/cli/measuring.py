"""Which measures a command looks at, and how they are defined: options made from the registry of measures."""

from __future__ import annotations

import argparse
from typing import Any

from ..errors import ParameterError
from ..measures import CONVENTIONS, MEASURES, Measure, measure
from ..params import Param
from .parsing import add_params, given_params, option_group

_IN_THE_NAME = ("k", "percent")
EPILOG = f"""measures:
  {", ".join(MEASURES)};
  the depth stands behind @, as in ndcg@10, p@5, dcg@all, precision@10%
"""


def options_of_all() -> list[Param]:
    """Return the options that measures have, each once."""
    found = {p.name: p for cls in MEASURES.values() for p in cls.params if p.name not in _IN_THE_NAME}
    return list(found.values())


def add_arguments(parser: argparse.ArgumentParser, what: str) -> None:
    """Add what says which measures, and their definition."""
    add = option_group(parser, "measures")
    add("--measure", "NAME", what, action="append")
    convention = "count as LETOR's own scripts do, where options are at their defaults"
    add("--convention", "", convention, choices=list(CONVENTIONS))
    add_params(parser.add_argument_group("definition of the measures"), options_of_all(), "measure")


def names_of(args: argparse.Namespace, default: tuple[str, ...]) -> list[str]:
    """Return the names of the measures asked for."""
    words = [piece.strip() for word in args.measure or [] for piece in word.split(",") if piece.strip()]
    return words or list(default)


def definition(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of measures that were given."""
    return given_params(args, options_of_all(), "--measure")


def measures_of(args: argparse.Namespace, default: tuple[str, ...]) -> list[Measure]:
    """Return the measures asked for, each with those of the options that it has."""
    options = definition(args)
    made: list[Measure] = []
    used: set[str] = set()
    for name in names_of(args, default):
        known = {param.name for param in measure(name).params}
        own = {option: value for option, value in options.items() if option in known}
        used |= own.keys()
        made.append(measure(name, args.convention, **own))
    unused = [option for option in options if option not in used]
    if unused:
        raise ParameterError(f"None of the measures has an option {unused[0]!r}: leave --{unused[0]} out.")
    return made
