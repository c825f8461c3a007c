"""One round of the pairwise boosters from their papers: pair weights and each candidate stump's worth."""

from __future__ import annotations

import math

from tests.oracles.pairwise import (
    calibrated,
    candidates,
    fidelity,
    fidelity_weight,
    pair_distance,
    pairs_of,
    scores_after,
    separation,
)


def mpboost_round(X, y, qid, stumps, ddf, value=None, table=None, step="paper", size=0.6):
    """Weights by pair, and (N, D, a, gain) by candidate, after the given stumps."""
    pairs = pairs_of(y, qid)
    value = calibrated(ddf, y, qid, size) if value is None and ddf != "table" else value
    d = {(i, j): pair_distance(ddf, y[i], y[j], value, table) for i, j in pairs}
    F = scores_after(X, stumps)
    raw = {p: math.exp(-d[p] * (F[p[0]] - F[p[1]])) for p in pairs}
    total = math.fsum(raw.values())
    w = {p: raw[p] / total for p in pairs}
    found = {}
    for c in candidates(X):
        s = dict(zip(pairs, separation(X, pairs, *c), strict=True))
        N = math.fsum(s[p] * w[p] * d[p] for p in pairs)
        D = math.fsum(w[p] * (d[p] ** 2 if step == "newton" else 1.0) for p in pairs if s[p])
        found[c] = (N, D, N / D if D else 0.0, N * N / D if D else 0.0)
    return w, found


def rankboost_round(X, y, qid, stumps, variant="r"):
    """Weights by pair, and (N, S, α, gain) by candidate."""
    pairs = pairs_of(y, qid)
    F = scores_after(X, stumps)
    raw = {(i, j): math.exp(F[j] - F[i]) for i, j in pairs}
    total = math.fsum(raw.values())
    w = {p: raw[p] / total for p in pairs}
    found = {}
    for c in candidates(X):
        s = dict(zip(pairs, separation(X, pairs, *c), strict=True))
        plus = math.fsum(w[p] for p in pairs if s[p] > 0)
        minus = math.fsum(w[p] for p in pairs if s[p] < 0)
        N, S = plus - minus, plus + minus
        if variant == "r":
            r = max(-1 + 1e-10, min(1 - 1e-10, N))
            found[c] = (N, S, 0.5 * math.log((1 + r) / (1 - r)), abs(N))
        else:
            Z = 1 - S + 2 * math.sqrt(plus * minus)
            found[c] = (N, S, 0.5 * math.log((plus + 1e-4) / (minus + 1e-4)), 1 - Z)
    return w, found


def frank_round(X, y, qid, stumps, p_star=1.0, tied_pairs=False, smoothing=1e-4):
    """W by pair, and (W+, W-, α, loss) by candidate."""
    pairs = [(i, j, p_star) for i, j in pairs_of(y, qid)]
    if tied_pairs:
        n = len(y)
        pairs += [(i, j, 0.5) for i in range(n) for j in range(i) if qid[i] == qid[j] and y[i] == y[j]]
    count = {}
    for i, _, _ in pairs:
        count[qid[i]] = count.get(qid[i], 0) + 1
    F = scores_after(X, stumps)
    margin = {(i, j): F[i] - F[j] for i, j, _ in pairs}
    W = {(i, j): fidelity_weight(margin[i, j], p) / count[qid[i]] for i, j, p in pairs}
    epsilon = smoothing * math.fsum(abs(v) for v in W.values())
    found = {}
    for c in candidates(X):
        s = {
            (i, j): si for (i, j, _), si in zip(pairs, separation(X, [p[:2] for p in pairs], *c), strict=True)
        }
        plus = math.fsum(abs(W[p]) for p in W if s[p] * W[p] > 0)
        minus = math.fsum(abs(W[p]) for p in W if s[p] * W[p] < 0)
        a = 0.5 * math.log((plus + epsilon) / (minus + epsilon))
        loss = math.fsum(fidelity(margin[i, j] + a * s[i, j], p) / count[qid[i]] for i, j, p in pairs) / len(
            count
        )
        found[c] = (plus, minus, a, loss)
    return W, found
