"""The two risks of McRank: grades as classes, and as thresholds to be passed (paper 004, §3.4 and §4).

Classes: p_k = softmax of the outputs F_k; loss -log p of the document's own grade; pull ỹ - p.
Thresholds: one output F_k for each grade but the best, Pr(r <= k) = e^F / (e^F + e^-F): the two trees of a
two-class problem mirror each other, so one suffices; the loss is the sum of the K - 1 binary ones.
Both have leaves (K - 1)/K · Σ (ỹ - p) / Σ p (1 - p) with K the number of classes of the problem (2 for a
threshold), the denominator at least 1e-10; p (1 - p) does not weigh the search for splits.

With two grades the two are one problem: then both are computed as a threshold.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numba import njit, prange

from ..data import RankingData
from ..threads import may_run_parallel
from .lemma import Lemma
from .risk import Risk

_BLOCK = 2_048  # documents whose losses are summed together: one order, however many threads
_TINY = 1e-15  # a probability below this counts as this in the log-likelihood
_UNDERFLOW = 1e-200  # a product of probabilities below this is turned into a sum of logarithms


@njit(nogil=True, cache=True)
def _fill_probabilities(h, i, thresholds, out):
    """Write the class probabilities of document i."""
    if thresholds:
        before = 0.0
        for k in range(h.shape[0]):
            e = np.exp(-2.0 * abs(h[k, i]))
            at_most = 1.0 / (1.0 + e) if h[k, i] >= 0.0 else e / (1.0 + e)
            out[k] = at_most - before
            before = at_most
        out[h.shape[0]] = 1.0 - before
        return
    top = h[0, i]
    for k in range(1, h.shape[0]):
        top = max(top, h[k, i])
    total = 0.0
    for k in range(h.shape[0]):
        out[k] = np.exp(h[k, i] - top)
        total += out[k]
    for k in range(h.shape[0]):
        out[k] /= total


@njit(nogil=True, cache=True)
def _take_rows(
    first, last, h, thresholds, classes, below, worth,
    out_pull, out_curvature, out_scores, out_guess, out_sums,
):  # fmt: skip
    """Write slopes, scores and predicted grades of some documents; sum loss, log-likelihood and errors.

    `classes` is the document's grade among the known ones or -1, `below` how many of them are lower.
    """
    p = np.empty(worth.shape[0])
    # Logarithms are taken of products: one for some hundred documents instead of one for each.
    loss, product, likelihood, joint, wrong = 0.0, 1.0, 0.0, 1.0, 0
    for i in range(first, last):
        _fill_probabilities(h, i, thresholds, p)
        score, guess, at_most = 0.0, 0, 0.0
        for k in range(worth.shape[0]):
            score += p[k] * worth[k]
            if p[k] > p[guess]:
                guess = k
        for k in range(h.shape[0]):
            if thresholds:
                e = np.exp(-2.0 * abs(h[k, i]))
                at_most = 1.0 / (1.0 + e) if h[k, i] >= 0.0 else e / (1.0 + e)
                above = e / (1.0 + e) if h[k, i] >= 0.0 else 1.0 / (1.0 + e)
                out_pull[k, i] = above if below[i] <= k else -at_most
                out_curvature[k, i] = at_most * above
                product *= max(at_most if below[i] <= k else above, _UNDERFLOW)
                if product < _UNDERFLOW:
                    loss -= np.log(product)
                    product = 1.0
            else:
                out_pull[k, i] = (1.0 if classes[i] == k else 0.0) - p[k]
                out_curvature[k, i] = p[k] * (1.0 - p[k])
        joint *= max(p[classes[i]], _TINY) if classes[i] >= 0 else _TINY
        if joint < _UNDERFLOW:
            likelihood -= np.log(joint)
            joint = 1.0
        wrong += guess != classes[i]
        out_scores[i] = score
        out_guess[i] = guess
    likelihood -= np.log(joint)
    out_sums[0] = loss - np.log(product) if thresholds else likelihood
    out_sums[1], out_sums[2] = likelihood, wrong


@njit(nogil=True, cache=True)
def _take_blocks(
    first, last, block, h, thresholds, classes, below, worth,
    out_pull, out_curvature, out_scores, out_guess, out_sums,
):  # fmt: skip
    for step in range(first, last):
        _take_rows(
            step * block, min((step + 1) * block, h.shape[1]), h, thresholds, classes, below, worth,
            out_pull, out_curvature, out_scores, out_guess, out_sums[step],
        )  # fmt: skip


@njit(parallel=True, nogil=True, cache=True)
def _take_blocks_parallel(
    block, h, thresholds, classes, below, worth, out_pull, out_curvature, out_scores, out_guess, out_sums
):
    for step in prange(out_sums.shape[0]):
        here = np.int64(step)
        _take_blocks(
            here, here + 1, block, h, thresholds, classes, below, worth,
            out_pull, out_curvature, out_scores, out_guess, out_sums,
        )  # fmt: skip


@njit(nogil=True, cache=True)
def _fill_all(h, thresholds, out):
    for i in range(h.shape[1]):
        _fill_probabilities(h, i, thresholds, out[i])


@njit(nogil=True, cache=True)
def _fill_scores(h, thresholds, worth, out):
    p = np.empty(worth.shape[0])
    for i in range(h.shape[1]):
        _fill_probabilities(h, i, thresholds, p)
        score = 0.0
        for k in range(worth.shape[0]):
            score += p[k] * worth[k]
        out[i] = score


def class_probabilities(h: np.ndarray, thresholds: bool) -> np.ndarray:
    """Return probabilities (documents × classes) from outputs (outputs × documents)."""
    out = np.empty((h.shape[1], len(h) + thresholds))
    _fill_all(h, thresholds, out)
    return out


def expected_worth(h: np.ndarray, thresholds: bool, worth: np.ndarray) -> np.ndarray:
    """Return Σ p_k T(k) for each document."""
    out = np.empty(h.shape[1])
    _fill_scores(h, thresholds, worth, out)
    return out


class GradeRisk(Risk):
    """Grades as classes or as thresholds.

    Parameters
    ----------
    grades : float64 array
        The distinct training grades, in order.
    thresholds : bool
        Whether each output passes a threshold (always so with two grades).
    worth : float64 array
        T(k): what each grade counts in the score.
    """

    weighs_splits = False
    leaf_floor = 1e-10

    def __init__(self, data: RankingData, grades: np.ndarray, thresholds: bool, worth: np.ndarray) -> None:
        self.n_outputs = len(grades) - thresholds
        self.leaf_factor = 0.5 if thresholds else (len(grades) - 1) / len(grades)
        super().__init__(data)
        self.grades, self.thresholds, self.worth = grades, thresholds, worth
        self.curvature = np.empty_like(self.pull)
        self._below = np.searchsorted(grades, data.y)
        known = grades[np.minimum(self._below, len(grades) - 1)] == data.y
        self._classes = np.where(known, self._below, -1)
        self._lemma = Lemma(data, grades, self._classes)
        self._scores, self._guess = np.empty(data.n_docs), np.empty(data.n_docs, np.int64)
        self._sums = np.empty((-(-data.n_docs // _BLOCK), 3))

    def evaluate(self, h: np.ndarray) -> dict[str, float]:
        """Set slopes; return loss, log-likelihood, classification error and both sides of Lemma 1."""
        args = (
            _BLOCK, h, self.thresholds, self._classes, self._below, self.worth,
            self.pull, self.curvature, self._scores, self._guess, self._sums,
        )  # fmt: skip
        with may_run_parallel(self.data.n_docs * self.n_outputs, 2_000) as parallel:
            if parallel:
                _take_blocks_parallel(*args)
            else:
                _take_blocks(0, len(self._sums), *args)
        loss, likelihood, wrong = self._sums.sum(axis=0) / self.data.n_docs
        curves = {"loss": loss, "nll": likelihood, "classification_error": wrong}
        return {**curves, **self._lemma.curves(self._guess)}

    def scores(self, h: np.ndarray) -> np.ndarray:
        """Return the expected worth of each document, as of the last `evaluate`."""
        return self._scores

    def on(self, data: RankingData) -> Self:
        """Return it on another data set."""
        return type(self)(data, self.grades, self.thresholds, self.worth)
