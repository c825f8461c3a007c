"""The pairwise boosters straight from the papers: lists of pairs, one loop per candidate, exact sums.

Ties: of all candidates within a relative 1e-11 of the best the lowest feature and then the lowest threshold.
"""

from __future__ import annotations

import math

TIE = 1e-11


def pairs_of(y, qid):
    """All (i, j) of one query with y[i] > y[j]."""
    n = len(y)
    return [(i, j) for i in range(n) for j in range(n) if qid[i] == qid[j] and y[i] > y[j]]


def pair_distance(name, high, low, value=None, table=None):
    """The directed distance of two grades, high > low; between a table's rows its cells' mean."""
    t = high - low
    if name == "binary":
        return 1.0 if value is None else value
    if name == "ldd":
        return value * t
    if name == "logdd":
        return math.log(1 + value * t)
    if name == "logitdd":
        return 1 / (1 + math.exp(-value * t))
    cells = 0.0
    for a, row_share in {math.floor(high): 1 - high % 1, math.ceil(high): high % 1 or 1.0}.items():
        for b, share in {math.floor(low): 1 - low % 1, math.ceil(low): low % 1 or 1.0}.items():
            cells += row_share * share * table[a][b]
    return cells


def calibrated(name, y, qid, size=1.0):
    """The parameter at which the mean of |dist| over the pairs is `size`, by plain bisection."""
    gaps = [y[i] - y[j] for i, j in pairs_of(y, qid)]
    if name == "ldd":
        return size * len(gaps) / math.fsum(gaps)
    if name == "logdd":
        low, high = 1e-12, 1e12
        for _ in range(300):
            middle = math.sqrt(low * high)
            mean = math.fsum(math.log1p(middle * t) for t in gaps) / len(gaps)
            low, high = (middle, high) if mean < size else (low, middle)
        return math.sqrt(low * high)
    return 1.0


def candidates(X, max_values=None):
    """All (feature, threshold): every observed value but the largest, or the given thresholds."""
    for k in range(len(X[0])):
        for theta in sorted({x[k] + 0.0 for x in X})[:-1]:
            yield k, theta


def separation(X, pairs, k, theta):
    """s for each pair: +1 with i above and j below, -1 the other way round, 0 if not separated."""
    return [(X[i][k] > theta) - (X[j][k] > theta) for i, j in pairs]


def first_best(scored, larger=True):
    """Of (score, …) in candidate order the first that ties with the best."""
    if not scored:
        return None
    best = max(c[0] for c in scored) if larger else min(c[0] for c in scored)
    for c in scored:
        if abs(c[0] - best) <= TIE * abs(best):
            return c


def scores_after(X, stumps):
    """F of each document after the given (feature, threshold, value)."""
    return [math.fsum(a for k, theta, a in stumps if x[k] > theta) for x in X]


def misorder_of(F, pairs):
    """Share of the pairs with F_i <= F_j."""
    return sum(F[i] <= F[j] for i, j in pairs) / len(pairs)


def mpboost(
    X,
    y,
    qid,
    n_rounds,
    ddf="logdd",
    value=None,
    table=None,
    step="paper",
    given=None,
    shrinkage=1.0,
    size=0.6,
):
    """MPBoost (paper 000, Algorithm 1 and appendix).

    Returns stumps (feature, threshold, a), the losses J, misorder rates and products of Z, from round 0 on.
    """
    X = [[float(v) for v in x] for x in X]
    pairs = pairs_of(y, qid)
    if value is None:
        value = calibrated(ddf, y, qid, size)
    d = [pair_distance(ddf, y[i], y[j], value, table) for i, j in pairs]
    w = [1 / len(pairs)] * len(pairs)
    options = list(given if given is not None else candidates(X))
    sides = {c: separation(X, pairs, *c) for c in options}
    stumps, losses, misorders, bounds = [], [1.0], [1.0], [1.0]
    for _ in range(n_rounds):
        scored = []
        for c in options:
            s = sides[c]
            N = math.fsum(si * wi * di for si, wi, di in zip(s, w, d, strict=True))
            power = 2 if step == "newton" else 0
            D = math.fsum(abs(si) * wi * di**power for si, wi, di in zip(s, w, d, strict=True))
            if D > 0 and abs(N) > 1e-13:
                scored.append((N * N / D, c, N / D))
        best = first_best(scored)
        if best is None:
            break
        _, c, a = best
        a *= shrinkage
        v = [wi * math.exp(-di * a * si) for wi, di, si in zip(w, d, sides[c], strict=True)]
        Z = math.fsum(v)
        w = [vi / Z for vi in v]
        stumps.append((*c, a))
        F = scores_after(X, stumps)
        margins = [F[i] - F[j] for i, j in pairs]
        losses.append(math.fsum(math.exp(-di * m) for di, m in zip(d, margins, strict=True)) / len(pairs))
        misorders.append(misorder_of(F, pairs))
        bounds.append(bounds[-1] * Z)
    return stumps, losses, misorders, bounds


def rankboost(X, y, qid, n_rounds, variant="r", given=None, shrinkage=1.0):
    """RankBoost (Freund et al. 2003) with stumps: stumps and losses."""
    X = [[float(v) for v in x] for x in X]
    pairs = pairs_of(y, qid)
    D = [1 / len(pairs)] * len(pairs)
    options = list(given if given is not None else candidates(X))
    sides = {c: separation(X, pairs, *c) for c in options}
    stumps, losses, misorders = [], [1.0], [1.0]
    for _ in range(n_rounds):
        scored = []
        for c in options:
            N = math.fsum(si * di for si, di in zip(sides[c], D, strict=True))
            S = math.fsum(abs(si) * di for si, di in zip(sides[c], D, strict=True))
            plus, minus = max(0.0, (S + N) / 2), max(0.0, (S - N) / 2)
            if S <= 0 or abs(N) <= 1e-13:
                continue
            if variant == "r":
                N = max(-1 + 1e-10, min(1 - 1e-10, N))
                scored.append((abs(N), c, 0.5 * math.log((1 + N) / (1 - N))))
            else:
                # 1 - Z, written so that it does not cancel
                gain = N * N / (S + 2 * math.sqrt(plus * minus))
                scored.append((gain, c, 0.5 * math.log((plus + 1e-4) / (minus + 1e-4))))
        best = first_best(scored)
        if best is None:
            break
        _, c, a = best
        a *= shrinkage
        D = [di * math.exp(-a * si) for di, si in zip(D, sides[c], strict=True)]
        Z = math.fsum(D)
        D = [di / Z for di in D]
        stumps.append((*c, a))
        F = scores_after(X, stumps)
        losses.append(math.fsum(math.exp(F[j] - F[i]) for i, j in pairs) / len(pairs))
        misorders.append(misorder_of(F, pairs))
    return stumps, losses, misorders


def fidelity(margin, p_star):
    """F_ij = 1 - sqrt(P* P) - sqrt((1 - P*)(1 - P)), P the logistic of the margin."""
    if margin >= 0:
        p, rest = 1 / (1 + math.exp(-margin)), math.exp(-margin) / (1 + math.exp(-margin))
    else:
        p, rest = math.exp(margin) / (1 + math.exp(margin)), 1 / (1 + math.exp(margin))
    return 1 - math.sqrt(p_star * p) - math.sqrt((1 - p_star) * rest)


def fidelity_weight(margin, p_star):
    """Eq. 4 without D: (sqrt(P* e^m) - e^m sqrt(1 - P*)) / (1 + e^m)^(3/2), multiplied through for m > 0."""
    if margin <= 0:
        e = math.exp(margin)
        return (math.sqrt(p_star * e) - e * math.sqrt(1 - p_star)) / (1 + e) ** 1.5
    e = math.exp(-margin)
    return (e * math.sqrt(p_star) - math.sqrt(e) * math.sqrt(1 - p_star)) / (1 + e) ** 1.5


def frank(X, y, qid, n_rounds, p_star=1.0, tied_pairs=False, smoothing=1e-4, given=None, shrinkage=1.0):
    """FRank (paper 003, Figure 2): stumps and losses (per query with pairs)."""
    X = [[float(v) for v in x] for x in X]
    pairs = [(i, j, p_star) for i, j in pairs_of(y, qid)]
    if tied_pairs:
        n = len(y)
        pairs += [(i, j, 0.5) for i in range(n) for j in range(i) if qid[i] == qid[j] and y[i] == y[j]]
    count = {}
    for i, _, _ in pairs:
        count[qid[i]] = count.get(qid[i], 0) + 1
    share = [1 / count[qid[i]] for i, _, _ in pairs]
    options = list(given if given is not None else candidates(X))
    sides = {c: separation(X, [(i, j) for i, j, _ in pairs], *c) for c in options}

    def loss(margins):
        return math.fsum(
            d * fidelity(m, p) for d, m, (_, _, p) in zip(share, margins, pairs, strict=True)
        ) / len(count)

    margins = [0.0] * len(pairs)
    stumps, losses = [], [loss(margins)]
    for _ in range(n_rounds):
        W = [d * fidelity_weight(m, p) for d, m, (_, _, p) in zip(share, margins, pairs, strict=True)]
        epsilon = smoothing * math.fsum(abs(v) for v in W)
        scored = []
        for c in options:
            s = sides[c]
            plus = math.fsum(abs(v) for v, si in zip(W, s, strict=True) if si * v > 0)
            minus = math.fsum(abs(v) for v, si in zip(W, s, strict=True) if si * v < 0)
            if plus + minus <= 0:
                continue
            a = 0.5 * math.log((plus + epsilon) / (minus + epsilon))
            scored.append((loss([m + a * si for m, si in zip(margins, s, strict=True)]), c, a))
        best = first_best(scored, larger=False)
        if best is None or best[0] >= losses[-1]:
            break
        _, c, a = best
        a *= shrinkage
        margins = [m + a * si for m, si in zip(margins, sides[c], strict=True)]
        stumps.append((*c, a))
        losses.append(best[0] if shrinkage == 1.0 else loss(margins))
    return stumps, losses
