"""The two risks of McRank: grades as classes, and as thresholds to be passed (paper 004, §3.4 and §4).

Classes: p_k = softmax of the outputs F_k; loss -log p of the document's own grade; pull ỹ - p.
Thresholds: one output F_k for each grade but the best, Pr(r <= k) = e^F / (e^F + e^-F): the two trees of a
two-class problem mirror each other, so one suffices; the loss is the sum of the K - 1 binary ones.
Both have leaves (K - 1)/K · Σ (ỹ - p) / Σ p (1 - p) with K the number of classes of the problem (2 for a
threshold), the denominator at least 1e-10; p (1 - p) does not weigh the search for splits.

With two grades the two are one problem: then both are computed as a threshold.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numba import njit

from ...data import RankingData
from ...threads import share_out
from .lemma import Lemma
from .risk import Risk

_PARALLEL_FROM = 20_000  # documents × outputs
_BLOCK = 512  # documents taken together: a sum's order is the same however many threads there are
_TINY = 1e-15  # a probability below this counts as this in the log-likelihood
_UNDERFLOW = 1e-200  # a product of probabilities below this is turned into a sum of logarithms
_WHOLE = 1.5 * 2.0**52  # added and taken away it leaves the nearest whole number
_PER_LN2, _LN2, _LN2_REST = 1.4426950408889634, 6.93147180369123816490e-01, 1.90821492927058770002e-10


class Grades(NamedTuple):
    """The documents' grades."""

    thresholds: bool  # whether each output passes a threshold
    classes: np.ndarray  # the grade's place among the known ones, or -1
    below: np.ndarray  # how many of the known ones are lower
    worth: np.ndarray  # what each known grade counts in the score


class Taken(NamedTuple):
    """What is written of documents at the present outputs."""

    pull: np.ndarray
    curvature: np.ndarray
    scores: np.ndarray
    guess: np.ndarray
    sums: np.ndarray  # loss, log-likelihood and errors, block by block


# Rows are taken as A[k][first:last] and divisions are not checked for zero: strides, negative places and
# exceptions would keep the loops from doing several documents at a time (3 ms instead of 6 for 100,000).


@njit(nogil=True, cache=True)
def _raise(bits, powers, out):
    """Put e^x in the place of x <= 0. `powers` are the numbers whose bits are `bits`.

    2^k e^r with k the nearest whole number of ln 2 in x, |r| <= ½ ln 2, and Taylor's series up to r¹³, whose
    rest is below 4e-18; below 2^-1022 it is 0. Without a call eight are done at a time: 0.5 ns, not 4.
    """
    for i in range(out.shape[0]):
        x = max(out[i], -720.0)
        k = max((x * _PER_LN2 + _WHOLE) - _WHOLE, -1023.0)
        r = (x - k * _LN2) - k * _LN2_REST
        p = 1.0 / 6227020800.0
        p = p * r + 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        out[i] = p * r + 1.0
        bits[i] = (np.int64(k) + 1023) << 52
    for i in range(out.shape[0]):
        out[i] *= powers[i]


@njit(nogil=True, cache=True, error_model="numpy")
def _fill_probabilities(first, last, h, thresholds, out_low, out_high, out):
    """Write class probabilities (classes × documents); for thresholds also those not to pass and to pass."""
    n, end = last - first, h.shape[0] - 1
    if thresholds:
        for k in range(h.shape[0]):
            own, low, high, p = h[k][first:last], out_low[k][:n], out_high[k][:n], out[k][:n]
            for i in range(n):  # grades may be about equally probable: the library's last digit is better
                e = np.exp(-2.0 * abs(own[i]))
                more = 1.0 / (1.0 + e)
                low[i] = more if own[i] >= 0.0 else e * more
                high[i] = e * more if own[i] >= 0.0 else more
            before = out_low[max(k - 1, 0)][:n]
            for i in range(n):
                p[i] = low[i] - before[i] if k > 0 else low[i]
        low, p = out_low[end][:n], out[end + 1][:n]
        for i in range(n):
            p[i] = 1.0 - low[i]
        return
    top, total, bits = out_low[0][:n], out_high[0][:n], np.empty(n, np.int64)
    powers = bits.view(np.float64)
    for i in range(n):
        top[i] = -np.inf
        total[i] = 0.0
    for k in range(h.shape[0]):
        own = h[k][first:last]
        for i in range(n):
            top[i] = own[i] if own[i] > top[i] else top[i]
    for k in range(h.shape[0]):
        own, p = h[k][first:last], out[k][:n]
        for i in range(n):
            p[i] = own[i] - top[i]
        _raise(bits, powers, p)
        for i in range(n):
            total[i] += p[i]
    for k in range(h.shape[0]):
        p = out[k][:n]
        for i in range(n):
            p[i] /= total[i]


@njit(nogil=True, cache=True)
def _add_worth(p, worth, out):
    n = out.shape[0]
    for i in range(n):
        out[i] = 0.0
    for k in range(p.shape[0]):
        own = p[k][:n]
        for i in range(n):
            out[i] += own[i] * worth[k]


@njit(nogil=True, cache=True)
def _find_largest(p, spare, out):
    """Write the class of the largest probability, the lowest among equals."""
    n = out.shape[0]
    best = spare[:n]
    for i in range(n):
        best[i] = -np.inf
    for k in range(p.shape[0]):
        own = p[k][:n]
        for i in range(n):
            larger = own[i] > best[i]
            best[i] = own[i] if larger else best[i]
            out[i] = k if larger else out[i]


@njit(nogil=True, cache=True)
def _take_rows(first, last, h, grades, low, high, p, out, out_sums):
    """Write slopes, scores and predicted grades of some documents; sum loss, log-likelihood and errors."""
    n, thresholds = last - first, grades.thresholds
    classes, below, guess = grades.classes[first:last], grades.below[first:last], out.guess[first:last]
    _fill_probabilities(first, last, h, thresholds, low, high, p)
    _add_worth(p, grades.worth, out.scores[first:last])
    # Logarithms are taken of products: one for some hundred documents instead of one for each.
    loss, product, likelihood, joint, wrong = 0.0, 1.0, 0.0, 1.0, 0
    for k in range(h.shape[0]):
        pull, curvature, own = out.pull[k][first:last], out.curvature[k][first:last], p[k][:n]
        if thresholds:
            under, over = low[k][:n], high[k][:n]
            for i in range(n):
                pull[i] = over[i] if below[i] <= k else -under[i]
                curvature[i] = under[i] * over[i]
            for i in range(n):
                product *= max(under[i] if below[i] <= k else over[i], _UNDERFLOW)
                if product < _UNDERFLOW:
                    loss -= np.log(product)
                    product = 1.0
        else:
            for i in range(n):
                pull[i] = (1.0 if classes[i] == k else 0.0) - own[i]
                curvature[i] = own[i] * (1.0 - own[i])
    _find_largest(p, low[0], guess)
    for i in range(n):
        joint *= max(p[classes[i], i], _TINY) if classes[i] >= 0 else _TINY
        if joint < _UNDERFLOW:
            likelihood -= np.log(joint)
            joint = 1.0
        wrong += guess[i] != classes[i]
    likelihood -= np.log(joint)
    out_sums[0] = loss - np.log(product) if thresholds else likelihood
    out_sums[1], out_sums[2] = likelihood, wrong


@njit(nogil=True, cache=True)
def _take_blocks(first, last, block, h, grades, out):
    low, high = np.empty((h.shape[0], block)), np.empty((h.shape[0], block))
    p = np.empty((grades.worth.shape[0], block))
    for step in range(first, last):
        stop = min((step + 1) * block, h.shape[1])
        _take_rows(step * block, stop, h, grades, low, high, p, out, out.sums[step])


def class_probabilities(h: np.ndarray, thresholds: bool) -> np.ndarray:
    """Return probabilities (classes × documents) from outputs (outputs × documents)."""
    out = np.empty((len(h) + thresholds, h.shape[1]))
    _fill_probabilities(0, h.shape[1], h, thresholds, np.empty_like(h), np.empty_like(h), out)
    return out


def expected_worth(h: np.ndarray, thresholds: bool, worth: np.ndarray) -> np.ndarray:
    """Return Σ p_k T(k) for each document."""
    out = np.empty(h.shape[1])
    _add_worth(class_probabilities(h, thresholds), worth, out)
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
    newton : bool
        Whether p (1 - p) weighs the search for splits too.
    prior : bool
        Whether to start where p are the grades' shares.
    in_turn : bool
        Whether each class learns from what the ones before it have added in the round.
    """

    leaf_floor = 1e-10

    def __init__(
        self,
        data: RankingData,
        grades: np.ndarray,
        thresholds: bool,
        worth: np.ndarray,
        newton: bool = False,
        prior: bool = False,
        in_turn: bool = False,
    ) -> None:
        self.weighs_splits, self._prior, self.in_turn = newton, prior, in_turn
        self.n_outputs, self.pulls_cancel = len(grades) - thresholds, not thresholds
        self.rises = -1 if thresholds else 0  # an output is how probable it is not to be above a grade
        self.leaf_factor = 0.5 if thresholds else (len(grades) - 1) / len(grades)
        super().__init__(data)
        self.grades, self.thresholds, self.worth = grades, thresholds, worth
        self.curvature = curvature = np.empty_like(self.pull)
        below = np.searchsorted(grades, data.y)
        known = grades[np.minimum(below, len(grades) - 1)] == data.y
        self._classes = np.where(known, below, -1)
        self._lemma = Lemma(data, grades, self._classes)
        scores, self._guess = np.empty(data.n_docs), np.empty(data.n_docs, np.int64)
        sums = np.empty((-(-data.n_docs // _BLOCK), 3))
        self._known = Grades(thresholds, self._classes, below, worth)
        self._taken = Taken(self.pull, curvature, scores, self._guess, sums)

    def start(self) -> np.ndarray:
        """Return 0, or the outputs that give each grade its share."""
        if not self._prior or len(self.grades) == 1:
            return np.zeros(self.n_outputs)
        share = np.bincount(self._classes) / self.data.n_docs
        if self.thresholds:
            at_most = np.cumsum(share)[:-1]
            return 0.5 * np.log(at_most / (1.0 - at_most))
        return np.log(share) - np.log(share).mean()

    def evaluate(self, h: np.ndarray) -> dict[str, float]:
        """Set slopes; return loss, log-likelihood, classification error and both sides of Lemma 1."""
        args, sums = (_BLOCK, h, self._known, self._taken), self._taken.sums
        cells = self.data.n_docs * self.n_outputs
        share_out(_take_blocks, range(len(sums) + 1), *args, cells=cells, threshold=_PARALLEL_FROM)
        loss, likelihood, wrong = sums.sum(axis=0) / self.data.n_docs
        curves = {"loss": loss, "nll": likelihood, "classification_error": wrong}
        return {**curves, **self._lemma.curves(self._guess)}

    def scores(self, h: np.ndarray) -> np.ndarray:
        """Return the expected worth of each document, as of the last `evaluate`."""
        return self._taken.scores

    def on(self, data: RankingData) -> Self:
        """Return it on another data set."""
        return type(self)(data, self.grades, self.thresholds, self.worth)
