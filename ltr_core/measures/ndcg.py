"""NDCG@k: DCG@k divided by the DCG@k of the query's ideal order, so that a perfect list scores 1.

The mean over queries. Only ratios matter, so gains of very large grades are scaled by 2^max and do not
overflow. With ties="average" the numerator is DCG's expectation; the ideal order has no ties to speak of.

Decisions: a query is empty when its ideal DCG is 0; `empty` is applied before `short`. With short="zero" a
query of fewer than k documents scores 0 (LETOR's scripts); with "pad" it is measured over the documents it
has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..params import Param
from .dcg import DiscountedSums
from .parts.base import EMPTY, EMPTY_VALUES, TIES, Measure, Pooled, Score, depth, frozen
from .parts.gains import DISCOUNT, GAIN, discount_words, gain_words, gains_of
from .parts.once import once

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
        text = (
            f"The discounted gain of {first} documents divided by that of the ideal order: "
            f"gain {gain_words(self.options['gain'])}, discount {discount_words(self.options['discount'])}"
        )
        short = k is not None and self.options["short"] == "zero"
        return text + (f"; a query with fewer than {k} documents scores 0" if short else "")

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> tuple[Score, Pooled | None]:
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


def ndcg(
    y: Any,
    scores: Any,
    qid: Any,
    k: int | None = 10,
    gain: Any = "exp2",
    discount: str = "standard",
    ties: str = "average",
    empty: str = "zero",
    short: str = "pad",
    convention: str | None = None,
    per_query: bool = False,
) -> float | np.ndarray:
    """Return the normalised discounted cumulative gain NDCG@k.

    Parameters
    ----------
    y, scores, qid : arrays of one length
        Grades, scores and the query of each document; rows of a query need not stand together.
    k : int or None
        How many documents from the top are counted; None means the whole list.
    gain : {"exp2", "grade"}, sequence or mapping
        2^r − 1, r, or the gain of each grade.
    discount : {"standard", "letor"}
        1/log2(1 + j), or 1 at ranks 1 and 2 and 1/log2(j) after.
    ties : {"average", "file"}
        The expectation over all orders of equal scores, or the order of the rows.
    empty : {"zero", "one", "skip"}
        What a query without a relevant document counts: 0 (LETOR, trec_eval), 1 (LightGBM), or not at all.
    short : {"pad", "zero"}
        Whether a query with fewer than k documents is measured over those it has, or scores 0 (LETOR).
    convention : {None, "letor"}
        Replaces the options that are at their defaults by LETOR's: discount "letor", ties "file",
        empty "zero", short "zero".
    per_query : bool
        Return one value per query, in order of first appearance (NaN: left out), instead of the mean.
    """
    measure = NDCG(
        k=k, gain=gain, discount=discount, ties=ties, empty=empty, short=short, convention=convention
    )
    return once(measure, y, scores, qid, per_query)
