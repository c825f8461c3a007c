"""The command line: ``rankscope COMMAND``, or ``python -m ltr_core COMMAND``. One file for each command.

`COMMANDS` has a sentence for each, and a command's module, which is imported when it is asked for,
``EPILOG``, examples; ``add_arguments(parser, words)``, where
the words are those behind the command; and ``run(args)``, which prints its result and returns the exit code:
0, 2 when the data or the arguments cannot be used, or 130 when it was interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .. import __version__
from ..errors import DataError, ParameterError
from .parsing import PROGRAM, Parser
from .values import in_flags, nearly

COMMANDS: dict[str, str] = {
    "run": "open the dashboard",
    "train": "train an algorithm and keep the model",
    "evaluate": "measure a model, or a file of scores, on data",
    "compare": "say whether two or more models, or files of scores, differ",
    "sweep": "train an algorithm at many points of its parameters and choose one",
    "check": "say what a file holds, or what is wrong with it",
    "algorithms": "list the algorithms, or one with its parameters",
    "datasets": "list the data sets, or describe and write one",
}
_EPILOG = f"""examples:
  {PROGRAM} train mpboost --data cubic --split --out m.json
  {PROGRAM} evaluate m.json --data cubic --split --measure ndcg@10,map
  {PROGRAM} COMMAND --help      what a command takes, with examples

The result goes to stdout (--json: as one JSON document), how far it is and what is wrong to stderr.
Exit codes: 0 done, 2 something given cannot be used (a sentence says what), 130 interrupted
(143 by SIGTERM).
"""


def command_of(name: str) -> Any:
    """Return a command's module."""
    return import_module(f".commands.{name}", __name__)


def open_or_run() -> int:
    """Do what ``rankscope`` alone, or with words behind it, is to do: alone it opens the dashboard."""
    replace_unwritable()
    return main(sys.argv[1:] or ["run"])


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The words after ``python -m ltr_core``; those of this process without it.

    Returns
    -------
    int
        0 if all is well, 2 after a sentence on stderr about data or arguments, 130 when interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _tell_warning  # type: ignore[assignment]
            args = parse(words)
            code = command_of(args.command).run(args)
        sys.stdout.flush()
        return code
    except (DataError, ParameterError) as error:
        print(in_flags(str(error), words), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`… | head`): say nothing, not even when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"{error.filename or 'The system'}: {error.strerror or error}.", file=sys.stderr)
        return 2


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments of a command, or raise a sentence about the first that cannot be used."""
    # --n_rounds and --n-rounds are the same option: parameters have the first form in Python.
    words = [_hyphened(word) for word in words]
    parser = build_parser(words)
    if not words:
        usage = parser.format_usage().strip()
        raise ParameterError(f"{usage}. Give a command; `{PROGRAM} --help` shows them.")
    if not words[0].startswith("-") and words[0] not in COMMANDS:
        near = nearly(words[0], COMMANDS)
        raise ParameterError(f"There is no command {words[0]!r}. {near}Take one of {', '.join(COMMANDS)}.")
    args, unknown = parser.parse_known_args(words)
    if unknown:
        raise ParameterError(_say_unknown(unknown[0].partition("=")[0], args.command, words))
    return args


def build_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of all commands, with the options of the one that the words begin with."""
    what = "Learning to rank, from the command line."
    parser = Parser(prog=PROGRAM, usage="%(prog)s COMMAND …", description=what, epilog=_EPILOG)
    parser.add_argument(
        "--version", action="version", version=f"rankscope {__version__}", help="say which version"
    )
    commands = parser.add_subparsers(prog=PROGRAM, dest="command", required=True, metavar="COMMAND")
    for name, told in COMMANDS.items():
        if list(words[:1]) != [name]:
            commands.add_parser(name, help=told)
            continue
        command = command_of(name)
        sub = commands.add_parser(name, help=told, description=command.__doc__, epilog=command.EPILOG)
        command.add_arguments(sub, words[1:])
    return parser


def _say_unknown(word: str, name: str, words: Sequence[str]) -> str:
    if not word.startswith("-"):
        return f"{PROGRAM} {name} does not take {word!r} there. `{PROGRAM} {name} --help` says what it takes."
    probe = Parser(prog=name)
    command_of(name).add_arguments(probe, words[1:])
    options = [o for action in probe._actions for o in action.option_strings]
    near = nearly(word, options)
    help_of = " ".join([PROGRAM, name, *(w for w in words[1:2] if not w.startswith("-") and name == "train")])
    return f"{name} has no option {word}. {near}`{help_of} --help` lists them."


def _hyphened(word: str) -> str:
    option, sign, value = word.partition("=")
    return option.replace("_", "-") + sign + value if option.startswith("--") else word


def replace_unwritable() -> None:
    """Let a terminal without λ and … show something else."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def _tell_warning(message: Warning | str, *_: Any) -> None:
    print(in_flags(str(message)), file=sys.stderr)
