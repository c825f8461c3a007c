"""The command line: ``python -m ltr_core COMMAND``. One file for each command, listed here by name.

A command's module has ``HELP``, one sentence; ``add_arguments(parser)``; and ``run(args)``, which prints its
result and returns the exit code: 0, or 2 when the data or the arguments cannot be used.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ..errors import DataError, ParameterError
from . import check

COMMANDS = {"check": check}


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
    args = build_parser().parse_args(argv)
    try:
        code = COMMANDS[args.command].run(args)
        sys.stdout.flush()
        return code
    except (DataError, ParameterError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`… | head`): say nothing, not even when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="python -m ltr_core", description="Learning to rank, from the command line."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.HELP, description=command.__doc__)
        command.add_arguments(sub)
    return parser
