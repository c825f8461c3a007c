"""``python -m ltr_core``: the command line."""

import sys

from .cli import main

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # λ and … on a terminal without them
    sys.exit(main())
