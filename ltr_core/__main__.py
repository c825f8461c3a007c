"""``python -m ltr_core``: the command line."""

import sys

from .cli import main, replace_unwritable

if __name__ == "__main__":
    replace_unwritable()
    sys.exit(main())
