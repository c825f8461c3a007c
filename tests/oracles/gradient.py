"""The gradient models, plainly: losses of one query, a network in numpy, Adam by its paper."""

from __future__ import annotations

import math

import numpy as np


def preferred_pairs(grades):
    """All (i, j) with grade i above grade j."""
    n = len(grades)
    return [(i, j) for i in range(n) for j in range(n) if grades[i] > grades[j]]


def log1p_exp(x):
    """log(1 + e^x)."""
    return x + math.log1p(math.exp(-x)) if x > 0 else math.log1p(math.exp(x))


def ranknet_loss(scores, grades):
    """Burges et al. 2005: the logistic loss of every pair."""
    return sum(log1p_exp(-(scores[i] - scores[j])) for i, j in preferred_pairs(grades))


def dcg_of(order, grades, k):
    """DCG@k of documents in an order."""
    return sum((2 ** grades[i] - 1) / math.log2(2 + place) for place, i in enumerate(order[:k]))


def swap_delta_ndcg(order, grades, i, j, k):
    """What NDCG@k changes when documents i and j swap places: worked out by swapping them."""
    swapped = [j if a == i else i if a == j else a for a in order]
    ideal = dcg_of(sorted(range(len(grades)), key=lambda a: -grades[a]), grades, k)
    return abs(dcg_of(swapped, grades, k) - dcg_of(order, grades, k)) / ideal


def lambdarank_loss(scores, grades, k, order_scores=None):
    """Pairs weighted by the swap in the order of `order_scores` (the scores themselves by default)."""
    by = scores if order_scores is None else order_scores
    order = sorted(range(len(by)), key=lambda a: -by[a])
    return sum(
        swap_delta_ndcg(order, grades, i, j, k) * log1p_exp(-(scores[i] - scores[j]))
        for i, j in preferred_pairs(grades)
    )


def lambdarank_slope(scores, grades, k):
    """Burges et al. 2006: λ of each pair, added to one document and taken from the other."""
    order = sorted(range(len(scores)), key=lambda a: -scores[a])
    out = np.zeros(len(scores))
    for i, j in preferred_pairs(grades):
        push = swap_delta_ndcg(order, grades, i, j, k) / (1 + math.exp(scores[i] - scores[j]))
        out[i] -= push
        out[j] += push
    return out


def softmax(values):
    """Softmax."""
    e = np.exp(np.asarray(values, dtype=float) - max(values))
    return e / e.sum()


def listnet_loss(scores, grades):
    """Cao et al. 2007: cross-entropy of the two top-one distributions."""
    return -float(np.sum(softmax(grades) * np.log(softmax(scores))))


def listmle_loss(scores, order):
    """Xia et al. 2008: −log likelihood of an order under Plackett and Luce, place by place."""
    total = 0.0
    left = list(order)
    while left:
        chosen = left[0]
        total -= math.log(math.exp(scores[chosen]) / sum(math.exp(scores[a]) for a in left))
        left = left[1:]
    return total


def rankcosine_loss(scores, grades):
    """Qin et al. 2008: half of one minus the cosine; ½ where there is no angle."""
    norms = math.sqrt(sum(s * s for s in scores)) * math.sqrt(sum(g * g for g in grades))
    if norms == 0:
        return 0.5
    return 0.5 * (1 - sum(s * g for s, g in zip(scores, grades, strict=True)) / norms)


def finite_differences(function, point, step=1e-5):
    """The slope of a function by central differences."""
    point = np.asarray(point, dtype=float)
    out = np.zeros(len(point))
    for k in range(len(point)):
        up, down = point.copy(), point.copy()
        up[k] += step
        down[k] -= step
        out[k] = (function(up) - function(down)) / (2 * step)
    return out


def standardise(X):
    """Each feature less its mean, over its deviation; 0 where it never changes."""
    X = np.asarray(X, dtype=float)
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    constant = (X[0] == X).all(axis=0)
    return np.where(constant, 0.0, (X - mean) / np.where(constant, 1.0, deviation))


def network_scores(Z, weights, hidden):
    """Linear, or one layer of tanh units: [input weights by feature | output weights | biases | bias]."""
    d = Z.shape[1]
    if not hidden:
        return Z @ weights[:d] + weights[d]
    into = weights[: d * hidden].reshape(d, hidden)
    out = weights[d * hidden : (d + 1) * hidden]
    biases = weights[(d + 1) * hidden : -1]
    return np.tanh(Z @ into + biases) @ out + weights[-1]


def adam_steps(gradient, weights, n_steps, step_size, free=None):
    """Kingma & Ba 2015, Algorithm 1; `gradient(weights, t)` with t from 1; `free` masks what moves."""
    weights = np.array(weights, dtype=float)
    m, v = np.zeros(len(weights)), np.zeros(len(weights))
    path = [weights.copy()]
    for t in range(1, n_steps + 1):
        g = gradient(weights, t)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        move = step_size * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        weights = weights - (move if free is None else np.where(free, move, 0.0))
        path.append(weights.copy())
    return path
