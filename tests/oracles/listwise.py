"""FeatureRank and AdaRank straight from the papers: loops over lists, exact definitions."""

from __future__ import annotations

import math


def _queries(qid):
    """Rows of each query, in order of first appearance."""
    rows = {}
    for i, q in enumerate(qid):
        rows.setdefault(q, []).append(i)
    return list(rows.values())


def split_evenly(items, parts):
    """What numpy.array_split does: the first len % parts parts are one longer."""
    out, start = [], 0
    for p in range(parts):
        size = len(items) // parts + (1 if p < len(items) % parts else 0)
        out.append(items[start : start + size])
        start += size
    return out


def featurerank_centers(x, y, qid, K, center="normal"):
    """C_1 … C_K; None for a class that no query fills."""
    means = {level: [] for level in range(1, K + 1)}
    for rows in _queries(qid):
        best_first = sorted(rows, key=lambda i: -y[i])  # stable: file order among equals
        for number, interval in zip(range(K, 0, -1), split_evenly(best_first, K), strict=True):
            if center != "normal":
                third = split_evenly(interval, 3)[("prior", "middle", "posterior").index(center)]
                interval = third or interval[-1:]
            if interval:
                means[number].append(sum(float(x[i]) for i in interval) / len(interval))
    return [sum(m) / len(m) if (m := means[level]) else None for level in range(1, K + 1)]


def featurerank_places(x, qid, centers):
    """The weak ranker: each document's place in its query, best = 1, last = 0, equal ones share the mean."""
    levels = [level for level, c in enumerate(centers, 1) if c is not None]
    C = {level: centers[level - 1] for level in levels}

    def direction(level):
        place = levels.index(level)
        if len(levels) == 1:
            return 0
        below, above = (level, levels[place + 1]) if place + 1 < len(levels) else (levels[place - 1], level)
        step = C[above] - C[below]
        return (step > 0) - (step < 0)

    out = [0.0] * len(x)
    for rows in _queries(qid):
        keys = {}
        for i in rows:
            nearest = min(abs(float(x[i]) - C[level]) for level in levels)
            level = max(level for level in levels if abs(float(x[i]) - C[level]) == nearest)
            keys[i] = (level, float(x[i]) * direction(level))
        for i in rows:
            above = sum(1 for j in rows if keys[j] > keys[i])
            equal = sum(1 for j in rows if keys[j] == keys[i])
            place = above + (equal - 1) / 2
            out[i] = 1 - place / max(len(rows) - 1, 1)
    return out


def tau_distances(y, scores, qid):
    """T of each query with distinct grades; a pair with equal scores is half discordant."""
    distances = []
    for rows in _queries(qid):
        wrong, pairs = 0.0, 0
        for i in rows:
            for j in rows:
                if y[i] > y[j]:
                    pairs += 1
                    wrong += 1 if scores[i] < scores[j] else 0.5 if scores[i] == scores[j] else 0
        if pairs:
            distances.append(wrong / pairs)
    return distances


def featurerank(X, y, qid, K, center="normal", features=None):
    """Train; returns for each round (centers, β, scores, mean T)."""
    features = range(len(X[0])) if features is None else features
    scores, rounds, weights = [0.0] * len(y), [], None
    for k in features:
        x = [row[k] for row in X]
        centers = featurerank_centers(x, y, qid, K, center)
        h = featurerank_places(x, qid, centers)
        E = [1 - 2 * T for T in tau_distances(y, h, qid)]
        weights = weights or [1.0] * len(E)
        good = sum(w * (1 + e) for w, e in zip(weights, E, strict=True))
        bad = sum(w * (1 - e) for w, e in zip(weights, E, strict=True))
        beta = 0.5 * math.log((good + 1e-12) / (bad + 1e-12))
        scores = [s + beta * p for s, p in zip(scores, h, strict=True)]
        T = tau_distances(y, scores, qid)
        weights = [math.exp(-(1 - 2 * t)) for t in T]
        weights = [w / sum(weights) for w in weights]
        rounds.append((centers, beta, scores, sum(T) / len(T)))
    return rounds


def adarank(X, y, qid, measure, directions, n_rounds, max_repeats):
    """Train; `measure(y, scores)` of one query. Returns for each round (feature, sign, α, scores)."""
    queries = _queries(qid)
    d = len(X[0])
    low = [min(row[k] for row in X) for k in range(d)]
    high = [max(row[k] for row in X) for k in range(d)]

    def scaled(row, k):
        return (float(row[k]) - float(low[k])) / (float(high[k]) - float(low[k])) if high[k] > low[k] else 0.0

    def evaluate(scores):
        return [measure([y[i] for i in rows], [scores[i] for i in rows]) for rows in queries]

    candidates = [(k, sign) for k in range(d) for sign in ((1, -1) if directions == "both" else (1,))]
    E = {(k, sign): evaluate([sign * float(row[k]) for row in X]) for k, sign in candidates}
    P = [1 / len(queries)] * len(queries)
    scores, rounds = [0.0] * len(y), []
    for _ in range(n_rounds):
        last = [feature for feature, *_ in rounds[-max_repeats:]]
        tired = last[0] if len(last) == max_repeats and len(set(last)) == 1 else None
        best, value = None, -1.0
        for k, sign in candidates:
            if k != tired and (now := sum(p * e for p, e in zip(P, E[k, sign], strict=True))) > value + 1e-13:
                best, value = (k, sign), now
        if best is None:
            break
        good = sum(p * (1 + e) for p, e in zip(P, E[best], strict=True))
        bad = sum(p * (1 - e) for p, e in zip(P, E[best], strict=True))
        alpha = 0.5 * math.log((good + 1e-12) / (bad + 1e-12))
        if alpha <= 0:
            break
        k, sign = best
        scores = [s + alpha * sign * scaled(row, k) for s, row in zip(scores, X, strict=True)]
        P = [math.exp(-e) for e in evaluate(scores)]
        P = [p / sum(P) for p in P]
        rounds.append((k, sign, alpha, scores))
    return rounds
