"""Open the dashboard in a browser: train methods side by side and see what they do."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from ...datasets.found import APP_FOLDER
from ...errors import import_extra
from ..parsing import PROGRAM, option_group

EPILOG = f"""examples:
  {PROGRAM} run
  {PROGRAM} run --port 9000
  {PROGRAM} run --address 0.0.0.0 --host ranking.example.org

Ctrl-C ends it. Data sets that lie in $RANKSCOPE_DATA are offered; without it, those in a clone's data/, or in
your own folder for data of programs (`{PROGRAM} datasets` names it).
"""
_PACKAGES = ("streamlit", "plotly", "pyarrow")


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes."""
    add = option_group(parser)
    add("--port", "N", "where it answers (default: 8501)", type=int)
    add("--address", "ADDRESS", "0.0.0.0 lets other machines in: there is no login")
    add("--host", "NAME", "a further name that leads here; repeatable", action="append", default=[])
    add("--scheduler", "ADDRESS", "a Dask cluster that sweeps may use", action="append", default=[])


def run(args: argparse.Namespace) -> int:
    """Start the server; comes back when it has ended."""
    for name in _PACKAGES:
        import_extra(name, "app", "The dashboard")
    given = {"port": args.port, "address": args.address}  # else the environment's, or the server's own
    words = [f"--{name}={value}" for name, value in given.items() if value is not None]
    words += [f"--host={name}" for name in args.host]
    words += [f"--scheduler={address}" for address in args.scheduler]
    sys.path.insert(0, str(APP_FOLDER))
    import_module("pages.ui.app.serve").run(words)
    return 0
