"""What all commands' parsers share: one sentence for a mistake, options of parameters."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import ParameterError
from .values import nearly, read_value, typed

if TYPE_CHECKING:
    from ..algorithms import Ranker
    from ..params import Param

COMMAND = "rankscope"  # what an installation puts on the path
PROGRAM = COMMAND if Path(sys.argv[0]).stem == COMMAND else "python -m ltr_core"
_PREFIX = "param:"  # of a parameter's place in the parsed arguments


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Examples stay as they are written, and options have room."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are sentences."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options, allow_abbrev=False, formatter_class=_Formatter)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print below the usage."""
        raise ParameterError(f"{message[:1].upper()}{message[1:]}. `{self.prog} --help` says what it takes.")


def find_algorithm(word: str) -> type[Ranker]:
    """Return an algorithm by name, in capitals or not."""
    from ..algorithms import ALGORITHMS

    found = {name.lower(): cls for name, cls in ALGORITHMS.items()}.get(word.lower().replace("-", ""))
    if found is None:
        near = nearly(word, ALGORITHMS)
        raise ParameterError(
            f"There is no algorithm {word!r}. {near}"
            + (f"`{PROGRAM} algorithms` lists them." if near else f"Take one of {names_of_all()}.")
        )
    return found


def names_of_all() -> str:
    """Return the names of all algorithms in one line."""
    from ..algorithms import ALGORITHMS

    return ", ".join(ALGORITHMS)


def named_algorithm(words: Sequence[str]) -> type[Ranker] | None:
    """Return the algorithm that a command's words name: the first word, or the first that is one."""
    from ..algorithms import ALGORITHMS

    if words and not words[0].startswith("-"):
        return find_algorithm(words[0])
    known = {name.lower(): cls for name, cls in ALGORITHMS.items()}
    return next((known[word.lower()] for word in words if word.lower() in known), None)


def option_group(parser: argparse.ArgumentParser, title: str = "") -> Callable[..., None]:
    """Return what adds options to a new group, or to none: ``add(name, metavar, help, **more)``.

    An option without a metavar, and nothing more said of it, is a switch.
    """
    group = parser.add_argument_group(title) if title else parser

    def add(name: str, metavar: str, help_text: str, **more: Any) -> None:
        kind: dict[str, Any] = {"metavar": metavar} if metavar else {} if more else {"action": "store_true"}
        group.add_argument(name, help=help_text, **kind, **more)

    return add


def add_trust(parser: argparse._ActionsContainer) -> None:
    """Add the option that takes files which were edited."""
    told = "take a model or a sweep whose checksum says that it was edited"
    parser.add_argument("--trust-edited", action="store_true", help=told)


def add_params(group: argparse._ArgumentGroup, params: Sequence[Param], owner: str) -> None:
    """Add an option for each parameter; one whose name is taken is called after its owner as well."""
    for param in params:
        option = param.name.replace("_", "-")
        extra: dict[str, Any] = {"default": argparse.SUPPRESS, "help": help_of(param).replace("%", "%%")}
        extra |= {"nargs": "?", "const": "true"} if param.kind == "bool" else {}
        for name in (f"--{option}", f"--{owner.lower()}-{option}"):
            with contextlib.suppress(argparse.ArgumentError):
                group.add_argument(name, dest=_PREFIX + param.name, metavar=_metavar(param), **extra)
                break


def given_params(args: argparse.Namespace, params: Sequence[Param], owner: str) -> dict[str, object]:
    """Return the values of the parameters whose options were given."""
    given = vars(args)
    return {
        p.name: read_value(p, given[_PREFIX + p.name], owner) for p in params if _PREFIX + p.name in given
    }


def help_of(param: Param) -> str:
    """Return a parameter's sentence, range, condition and default."""
    takes = f"Takes {param.expected()}."
    if param.kind == "table":
        takes = "Takes a file of rows of numbers, or [[0, 1], [-1, 0]]."
    if param.kind == "choice":
        takes = f"One of {', '.join(map(str, param.choices))}."
    only = " and ".join(f"{name} = {' or '.join(map(str, allowed))}" for name, allowed in param.when.items())
    only = f" Only with {only}." if only else ""
    return f"{param.help} {takes}{only} Default: {typed(param, param.default)}."


def _metavar(param: Param) -> str:
    names = {"int": "N", "float": "X", "bool": "true|false", "choice": "NAME", "table": "TABLE"}
    return names.get(param.kind, "TEXT")
