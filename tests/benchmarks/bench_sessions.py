"""How long a click takes with eight people, four of them training; `load_sessions` takes any number."""

from __future__ import annotations

import sys

from tests.benchmarks import load_sessions

if __name__ == "__main__":
    sys.exit(load_sessions.main(["--readers", "8", "--trainers", "4", "--seconds", "30"]))
