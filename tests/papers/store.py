"""Compute the papers' stored results: ``python -m tests.papers.store [PAPER [ID]]``; all without a word."""

from __future__ import annotations

import sys

from ltr_core.papers import PAPERS
from ltr_core.papers.stored import compute


def main(given: list[str]) -> None:
    """Compute what is asked for."""
    for paper in [PAPERS[given[0]]] if given else PAPERS.values():
        compute(paper, given[1] if len(given) > 1 else "")


if __name__ == "__main__":
    main(sys.argv[1:])
