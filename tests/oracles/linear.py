"""The linear pair models with every pair written down, solved by dense linear algebra."""

from __future__ import annotations

import numpy as np


def standardised(X):
    """Each feature less its mean, divided by its deviation; 0 where it never changes."""
    X = np.asarray(X, dtype=np.float64)
    deviation = X.std(axis=0)
    out = X - X.mean(axis=0)
    for k in range(X.shape[1]):
        out[:, k] = out[:, k] / deviation[k] if (X[:, k] != X[0, k]).any() else 0.0
    return out


def pair_rows(y, qid):
    """The rows of the better and the worse document of each pair."""
    n = len(y)
    pairs = [(i, j) for i in range(n) for j in range(n) if qid[i] == qid[j] and y[i] > y[j]]
    better, worse = np.array(pairs, dtype=int).reshape(-1, 2).T
    return better, worse


def hinge_slopes(scores, y, qid):
    """Σ max(0, 1 − Δ)² and its slope at each document."""
    total, slopes = 0.0, [0.0] * len(y)
    for i, j in zip(*pair_rows(y, qid), strict=True):
        miss = max(0.0, 1 - (scores[i] - scores[j]))
        total += miss**2
        slopes[i] -= 2 * miss
        slopes[j] += 2 * miss
    return total, slopes


def hinge_curve(scores, change, y, qid):
    """The second derivative of that sum times a change of the scores."""
    out = [0.0] * len(y)
    for i, j in zip(*pair_rows(y, qid), strict=True):
        if scores[i] - scores[j] < 1:
            out[i] += 2 * (change[i] - change[j])
            out[j] -= 2 * (change[i] - change[j])
    return out


def tube_slopes(scores, y, qid, epsilon):
    """Σ max(0, |Δ − (r_i − r_j)| − ε)² and its slope at each document."""
    total, slopes = 0.0, [0.0] * len(y)
    for i, j in zip(*pair_rows(y, qid), strict=True):
        gap = (scores[i] - scores[j]) - (y[i] - y[j])
        beyond = max(0.0, abs(gap) - epsilon)
        total += beyond**2
        sign = 1 if gap > 0 else -1
        slopes[i] += 2 * sign * beyond
        slopes[j] -= 2 * sign * beyond
    return total, slopes


def tube_curve(scores, change, y, qid, epsilon):
    """The second derivative of that sum times a change of the scores."""
    out = [0.0] * len(y)
    for i, j in zip(*pair_rows(y, qid), strict=True):
        if abs((scores[i] - scores[j]) - (y[i] - y[j])) > epsilon:
            out[i] += 2 * (change[i] - change[j])
            out[j] -= 2 * (change[i] - change[j])
    return out


def _minimise(value, gradient, hessian, v):
    """Newton with the whole Hessian and halved steps, to the last digits."""
    for _ in range(200):
        g = gradient(v)
        step = np.linalg.solve(hessian(v), g)
        t = 1.0
        while value(v - t * step) > value(v) - 1e-4 * t * (g @ step) and t > 1e-12:
            t /= 2
        v = v - t * step
        if np.linalg.norm(gradient(v)) <= 1e-12 * max(1.0, np.linalg.norm(g)) or t <= 1e-12:
            break
    return v


def ranksvm(X, y, qid, C):
    """Weights on the standardised features, and the objective there."""
    better, worse = pair_rows(y, qid)
    Z = standardised(X)
    D = Z[better] - Z[worse]
    share = C / len(D)

    def miss(v):
        return np.maximum(0.0, 1 - D @ v)

    def value(v):
        return 0.5 * v @ v + share * (miss(v) ** 2).sum()

    def gradient(v):
        return v - 2 * share * D.T @ miss(v)

    def hessian(v):
        active = D[miss(v) > 0]
        return np.eye(D.shape[1]) + 2 * share * active.T @ active

    v = _minimise(value, gradient, hessian, np.zeros(D.shape[1]))
    return v, value(v)


def svrank(X, y, qid, ridge, epsilon):
    """Weights on the standardised features, and the objective there."""
    better, worse = pair_rows(y, qid)
    Z, y = standardised(X), np.asarray(y, dtype=np.float64)
    D, gaps = Z[better] - Z[worse], y[better] - y[worse]

    def beyond(v):
        e = D @ v - gaps
        return np.sign(e) * np.maximum(0.0, np.abs(e) - epsilon)

    def value(v):
        return ridge * v @ v + (beyond(v) ** 2).mean()

    def gradient(v):
        return 2 * ridge * v + 2 * D.T @ beyond(v) / len(D)

    def hessian(v):
        active = D[beyond(v) != 0]
        return 2 * ridge * np.eye(D.shape[1]) + 2 * active.T @ active / len(D)

    v = _minimise(value, gradient, hessian, np.zeros(D.shape[1]))
    return v, value(v)


def mprank(X, y, qid, ridge):
    """Weights on the standardised features by least squares over the pairs."""
    better, worse = pair_rows(y, qid)
    Z, y = standardised(X), np.asarray(y, dtype=np.float64)
    D, gaps = Z[better] - Z[worse], y[better] - y[worse]
    A = np.vstack([D / np.sqrt(len(D)), np.sqrt(ridge) * np.eye(D.shape[1])])
    b = np.concatenate([gaps / np.sqrt(len(D)), np.zeros(D.shape[1])])
    return np.linalg.lstsq(A, b, rcond=None)[0]


def borda_of_ranksvms(X, y, qid, C):
    """MHR's scores of its own training data: a RankSVM for each pair of grades, places counted from below.

    Every RankSVM sees the features as the whole training set standardises them.
    """
    X, y, qid = np.asarray(X, dtype=np.float64), np.asarray(y), np.asarray(qid)
    Z = standardised(X)
    points = np.zeros(len(y))
    grades = sorted(set(y))
    for b in grades:
        for a in grades:
            if a <= b:
                continue
            rows = np.flatnonzero((y == a) | (y == b))
            better, worse = pair_rows(y[rows], qid[rows])
            if len(better) == 0:
                continue
            D = (Z[rows][better]) - (Z[rows][worse])
            share = C / len(D)
            v = _minimise(
                lambda v, D=D, s=share: 0.5 * v @ v + s * (np.maximum(0, 1 - D @ v) ** 2).sum(),
                lambda v, D=D, s=share: v - 2 * s * D.T @ np.maximum(0, 1 - D @ v),
                lambda v, D=D, s=share: np.eye(len(v)) + 2 * s * D[D @ v < 1].T @ D[D @ v < 1],
                np.zeros(Z.shape[1]),
            )
            s = Z @ v
            for q in set(qid):
                inside = np.flatnonzero(qid == q)
                for i in inside:
                    points[i] += sum(1.0 for j in inside if s[i] > s[j] + 1e-9)
                    points[i] += sum(0.5 for j in inside if j != i and abs(s[i] - s[j]) <= 1e-9)
    return points
