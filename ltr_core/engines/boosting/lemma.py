"""Lemma 1 of paper 004: the DCG error of a ranking by predicted grades, and its bound.

    DCG_g - DCG_π <= (2^max - 1) √2 · (Σ c_i² - n Π c_i^(2/n))^½ · (Σ 1[y_i ≠ ŷ_i])^½

with c_i = 1/log2(1 + i), over the whole list, for every query; both sides are averaged over queries. With a
truncation level L, c_i = 0 beyond rank L: the proof holds as it is, and in lists longer than L the product is
0. The paper's 15 is 2^max - 1 for grades 0 … 4. Documents of one predicted grade may stand in any order: the
error here is the mean over all of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...data import RankingData
from ...errors import DataError

_LARGEST = 1_000.0  # a grade whose gain, summed over a query, a float64 still holds


@njit(nogil=True, cache=True)
def _add_errors(y, gains, guess, n_guesses, offsets, discount_sums, ideal, spread, out):
    """Sum over queries: the DCG error of the order by guess, and √(spread · wrong guesses)."""
    counts, worth = np.empty(n_guesses, np.int64), np.empty(n_guesses)
    error, bound = 0.0, 0.0
    for q in range(offsets.shape[0] - 1):
        counts[:] = 0
        worth[:] = 0.0
        for i in range(offsets[q], offsets[q + 1]):
            counts[guess[i]] += 1
            worth[guess[i]] += gains[i]
        place, dcg = 0, 0.0
        for g in range(n_guesses - 1, -1, -1):
            if counts[g] > 0:
                weights = discount_sums[place + counts[g]] - discount_sums[place]
                dcg += worth[g] * weights / counts[g]
                place += counts[g]
        wrong = 0
        for i in range(offsets[q], offsets[q + 1]):
            wrong += y[i] != guess[i]
        error += ideal[q] - dcg
        bound += np.sqrt(spread[q] * wrong)
    out[0], out[1] = error, bound


class Lemma:
    """Both sides of the lemma on one data set.

    Parameters
    ----------
    data : RankingData
        The documents.
    grades : float64 array
        The grades that may be predicted, in order.
    classes : int64 array
        For each document which of them it has; -1 for a grade that is not among them.
    truncation : int, optional
        The last rank that counts.
    """

    def __init__(
        self, data: RankingData, grades: np.ndarray, classes: np.ndarray, truncation: int | None = None
    ) -> None:
        top = max(data.y.max(initial=0.0), grades[-1])
        if top > _LARGEST:
            raise DataError(
                f"grade {top:g} has a gain of 2^{top:g}, which no DCG can hold", "number the grades"
            )
        self._data, self._classes, self._n_grades = data, classes, len(grades)
        self._gains = np.exp2(data.y) - 1.0
        sizes = np.diff(data.offsets)
        ranks = np.arange(1, sizes.max(initial=1) + 1)
        discounts = 1.0 / np.log2(1.0 + ranks)
        discounts[len(ranks) if truncation is None else truncation :] = 0.0
        with np.errstate(divide="ignore"):
            spread = np.cumsum(discounts**2) - ranks * np.exp(2.0 * np.cumsum(np.log(discounts)) / ranks)
        self._spread = np.maximum(spread, 0.0)[sizes - 1]
        self._discount_sums = np.r_[0.0, np.cumsum(discounts)]
        query = np.repeat(np.arange(data.n_queries), sizes)
        best = np.lexsort((-data.y, query))
        place = np.arange(data.n_docs) - np.repeat(data.offsets[:-1], sizes)
        self._ideal = np.add.reduceat(self._gains[best] * discounts[place], data.offsets[:-1])
        self._factor = (np.exp2(top) - 1.0) * np.sqrt(2.0)

    def curves(self, guess: np.ndarray) -> dict[str, float]:
        """Return the mean DCG error of the order by `guess` (places among the grades), and its bound."""
        out, data = np.empty(2), self._data
        per_query = (self._discount_sums, self._ideal, self._spread)
        _add_errors(self._classes, self._gains, guess, self._n_grades, data.offsets, *per_query, out)
        error, bound = out / data.n_queries
        return {"dcg_error": error, "dcg_bound": bound * self._factor}
