"""NDCG@k: DCG@k divided by the DCG@k of the query's ideal order, so that a perfect list scores 1.

The mean over queries. Only ratios matter, so gains of very large grades are scaled by 2^max and do not
overflow. With ties="average" the numerator is DCG's expectation; the ideal order has no ties to speak of.

Decisions: a query is empty when its ideal DCG is 0; `empty` is applied before `short`. With short="zero" a
query of fewer than k documents scores 0 (LETOR's scripts); with "pad" it is measured over the documents it
has.
"""

from __future__ import annotations

import numpy as np

from ..params import Param
from .dcg import DiscountedSums
from .parts.base import EMPTY, EMPTY_VALUES, TIES, Measure, Prepared, depth, frozen
from .parts.gains import DISCOUNT, GAIN, gains_of, worth_words

SHORT = Param(
    "short", "choice", "pad", choices=("pad", "zero"),
    help="A query with fewer than k documents: measured over those it has, or 0 as in LETOR's scripts.",
)  # fmt: skip


class NDCG(Measure):
    """Normalised discounted cumulative gain."""

    name = "ndcg"
    label = "NDCG"
    summary = "The discounted gain of the first k documents, divided by that of the ideal order."
    params = (depth(10, "are counted"), GAIN, DISCOUNT, TIES, EMPTY, SHORT)

    def _definition(self) -> str:
        k = self.options["k"]
        first = "all" if k is None else f"the first {k}"
        text = f"The discounted gain of {first} documents divided by that of the ideal order: "
        text += worth_words(self.options)
        short = k is not None and self.options["short"] == "zero"
        return text + (f"; a query with fewer than {k} documents scores 0" if short else "")

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        options = self.options
        gains = frozen(gains_of(y, offsets, options["gain"], scaled=True))
        sums = DiscountedSums(gains, offsets, options["k"], options["discount"], options["ties"])
        ideal = sums.ideal()
        empty = ideal == 0.0
        ideal[empty] = 1.0
        instead = np.zeros(len(ideal))
        fixed = empty.copy()
        if options["short"] == "zero" and options["k"] is not None:
            fixed |= np.diff(offsets) < options["k"]
        instead[empty] = EMPTY_VALUES[options["empty"]]
        rows, values_there = np.flatnonzero(fixed), instead[fixed]

        def score(scores: np.ndarray) -> np.ndarray:
            values = sums(scores)
            values /= ideal
            values[rows] = values_there
            return values

        return score, None
