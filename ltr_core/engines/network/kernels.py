"""The network's kernels: scores, the pull on the weights, Adam, an epoch.

Adam: Kingma & Ba, ICLR 2015. A network is a flat vector of weights. Linear: one weight for each feature, then
the bias. One layer of `hidden` units: input weights (feature-major: the unit is the inner index, so that both
directions run over adjacent numbers), output weights, the units' biases, the output's bias. Features are
standardised where they are read, in float64: no second copy of the matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ... import stopping
from ...threads import share_out
from .query_loss import QueryLoss

_PARALLEL_FROM = 500_000  # products of a feature and a weight: a tenth of a millisecond
_DOCS_FROM = 5_000  # documents whose losses are told
_BLOCK = 16  # documents taken feature by feature together: one alone waits for its own last addition
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # the paper's


class Queries(NamedTuple):
    """A data set as the kernels want it."""

    X: np.ndarray
    grades: np.ndarray
    best: np.ndarray  # in each query the documents' places by grade, best first
    offsets: np.ndarray


class Net(NamedTuple):
    """A network: what standardises its inputs, and its weights."""

    hidden: int
    mean: np.ndarray
    scale: np.ndarray
    weights: np.ndarray


class Adam(NamedTuple):
    """The state of the optimiser: running means of the gradient and of its square."""

    first: np.ndarray
    second: np.ndarray


def n_weights(n_features: int, hidden: int) -> int:
    """Return the length of the weight vector."""
    return hidden * (n_features + 2) + 1 if hidden else n_features + 1


def n_decayed(n_features: int, hidden: int) -> int:
    """Return how many of them, from the start, are weights and not biases: l2 pulls at these."""
    return hidden * (n_features + 1) if hidden else n_features


@njit(nogil=True, cache=True)
def _score_linear(X, net, out):
    """Fill in the scores. A document's sum runs in eight lanes: one alone waits for its last addition."""
    n, d = X.shape
    mean, bias = net.mean, net.weights[d]
    slope, parts = np.empty(d), np.empty(d)
    for k in range(d):
        slope[k] = net.weights[k] * net.scale[k]
    whole = np.uint64(d // 8 * 8)
    for i in range(n):
        for k in range(np.uint64(d)):
            parts[k] = slope[k] * (X[i, k] - mean[k])
        a, b, c, e, f, g, h, r = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(np.uint64(0), whole, np.uint64(8)):
            a += parts[k]
            b += parts[k + np.uint64(1)]
            c += parts[k + np.uint64(2)]
            e += parts[k + np.uint64(3)]
            f += parts[k + np.uint64(4)]
            g += parts[k + np.uint64(5)]
            h += parts[k + np.uint64(6)]
            r += parts[k + np.uint64(7)]
        for k in range(whole, np.uint64(d)):
            a += parts[k]
        out[i] = bias + (((a + b) + (c + e)) + ((f + g) + (h + r)))


@njit(nogil=True, cache=True)
def _score_hidden(X, net, units, out):
    """Fill in the scores; `units` takes the hidden units' values of each document."""
    n, d = X.shape
    h = net.hidden
    w = net.weights
    last, bias = d * h, d * h + h  # where the output weights and the units' biases begin
    for start in range(0, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        for i in range(start, stop):
            for j in range(h):
                units[i, j] = w[bias + j]
        for k in range(d):
            for i in range(start, stop):
                z = (X[i, k] - net.mean[k]) * net.scale[k]
                for j in range(h):
                    units[i, j] += z * w[k * h + j]
        for i in range(start, stop):
            score = w[bias + h]
            for j in range(h):
                # tanh by one exponential: 3 ns instead of 14, right to 1e-16, and ±1 where e^2x overflows.
                units[i, j] = 1.0 - 2.0 / (1.0 + np.exp(2.0 * units[i, j]))
                score += units[i, j] * w[last + j]
            out[i] = score


@njit(nogil=True, cache=True)
def _pull_linear(X, net, slope, out):
    """Fill in the gradient of Σ slope · score with respect to the weights."""
    n, d = X.shape
    out[:] = 0.0
    for i in range(n):
        s = slope[i]
        for k in range(d):
            out[k] += s * (X[i, k] - net.mean[k])
        out[d] += s
    for k in range(d):
        out[k] *= net.scale[k]


@njit(nogil=True, cache=True)
def _pull_hidden(X, net, units, slope, out):
    """Fill in the gradient of Σ slope · score with respect to the weights."""
    n, d = X.shape
    h = net.hidden
    last, bias = d * h, d * h + h
    back = np.empty(h)
    out[:] = 0.0
    for i in range(n):
        s = slope[i]
        for j in range(h):
            u = units[i, j]
            out[last + j] += s * u
            back[j] = s * net.weights[last + j] * (1.0 - u * u)
            out[bias + j] += back[j]
        for k in range(d):
            z = (X[i, k] - net.mean[k]) * net.scale[k]
            for j in range(h):
                out[k * h + j] += z * back[j]
        out[bias + h] += s


@njit(nogil=True, cache=True, error_model="numpy")
def _step_adam(gradient, net, adam, n_free, n_decay, step_size, l2, t):
    """Move the first `n_free` weights one step; `t` counts the steps from 1.

    No check of a division: eight weights move at a time.
    """
    fade1, fade2 = 1.0 - BETA1**t, 1.0 - BETA2**t
    first, second, weights = adam.first, adam.second, net.weights
    for k in range(np.uint64(n_decay)):
        gradient[k] += l2 * weights[k]
    for k in range(np.uint64(n_free)):
        g = gradient[k]
        first[k] = BETA1 * first[k] + (1.0 - BETA1) * g
        second[k] = BETA2 * second[k] + (1.0 - BETA2) * g * g
        weights[k] -= step_size * (first[k] / fade1) / (np.sqrt(second[k] / fade2) + EPSILON)


@njit(nogil=True, cache=True)
def _mix_bits(state):
    """Return a well-mixed number other than 0 (SplitMix64)."""
    z = state + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))) | np.uint64(1)


@njit(nogil=True, cache=True)
def _run_epoch(loss, option, data, visits, weights, seed, net, adam, n_free, n_decay, step_size, l2, t, stop):
    """Take one step on each of the queries `visits`, in that order; `t` steps were taken before.

    `weights` has a number for each query of the data, by which its loss counts.
    """
    longest = 0
    for q in visits:
        longest = max(longest, data.offsets[q + 1] - data.offsets[q])
    scores, slope = np.empty(longest), np.empty(longest)
    units = np.empty((longest, net.hidden))
    gradient = np.empty(len(net.weights))
    for q in visits:
        start, end = data.offsets[q], data.offsets[q + 1]
        X, s, g = data.X[start:end], scores[: end - start], slope[: end - start]
        if net.hidden:
            _score_hidden(X, net, units, s)
        else:
            _score_linear(X, net, s)
        ties = _mix_bits(seed ^ np.uint64(q))
        loss(s, data.grades[start:end], data.best[start:end], ties, option, stop, True, False, g)
        if stop[0]:
            return
        for i in range(end - start):
            g[i] *= weights[q]
        if net.hidden:
            _pull_hidden(X, net, units, g, gradient)
        else:
            _pull_linear(X, net, g, gradient)
        t += 1
        _step_adam(gradient, net, adam, n_free, n_decay, step_size, l2, t)


@njit(nogil=True, cache=True)
def _score_documents(first, last, X, net, stop, out):
    """Fill in the scores of some documents."""
    rows, scores = X[first:last], out[first:last]
    if net.hidden:
        units = np.empty((_BLOCK, net.hidden))
        for start in range(0, len(rows), _BLOCK):
            if stop[0]:
                return
            _score_hidden(rows[start : start + _BLOCK], net, units, scores[start : start + _BLOCK])
    else:
        _score_linear(rows, net, scores)


@njit(nogil=True, cache=True)
def _tell_losses(first, last, loss, option, data, visits, scores, stop, out):
    """Write the losses of some of the queries `visits`, equal grades in file order."""
    slope = np.empty(len(scores))
    for i in range(first, last):
        if stop[0]:
            break
        start, end = data.offsets[visits[i]], data.offsets[visits[i] + 1]
        s, g = scores[start:end], slope[start:end]
        given = (s, data.grades[start:end], data.best[start:end], np.uint64(0), option, stop)
        out[i] = loss(*given, False, True, g)


def score_documents(X: np.ndarray, net: Net, out: np.ndarray) -> None:
    """Fill in the scores of documents, on all threads; a stop leaves them unfinished."""
    args = (X, net, stopping.cell(), out)
    cells = X.size * max(1, net.hidden)
    share_out(_score_documents, range(len(X) + 1), *args, cells=cells, threshold=_PARALLEL_FROM)


def sum_losses(
    loss: QueryLoss, option: float, data: Queries, visits: np.ndarray, scores: np.ndarray
) -> float:
    """Return the sum of the losses of the queries `visits`; a stop leaves it unfinished."""
    losses = np.zeros(len(visits))
    args = (loss, option, data, visits, scores, stopping.cell(), losses)
    share_out(_tell_losses, range(len(visits) + 1), *args, cells=len(scores), threshold=_DOCS_FROM)
    return float(losses.sum())
