"""What the tiny web's features should be, page by page and link by link, straight from the formulas."""

from __future__ import annotations

import math


def bm25(documents, query, k1, k3, b):
    """BM25 of each document: lists of words; `query` maps words to their frequency in the topic."""
    n = len(documents)
    average = sum(len(words) for words in documents) / n
    scores = []
    for words in documents:
        total = 0.0
        for word, qtf in query.items():
            holding = sum(1 for other in documents if word in other)
            weight = math.log((n - holding + 0.5) / (holding + 0.5))
            tf = words.count(word)
            if tf:
                K = k1 * ((1 - b) + b * len(words) / average)
                total += weight * (k1 + 1) * tf * (k3 + 1) * qtf / ((K + tf) * (k3 + qtf))
        scores.append(total)
    return scores


def page_rank(n, links, damping=0.85, rounds=2000):
    """PageRank of n nodes; `links` maps (from, to) to the weight of the link."""
    out = [sum(w for (i, _), w in links.items() if i == node) for node in range(n)]
    rank = [1 / n] * n
    for _ in range(rounds):
        held = sum(rank[node] for node in range(n) if out[node] == 0)
        new = [(1 - damping) / n + damping * held / n for _ in range(n)]
        for (i, j), w in links.items():
            new[j] += damping * rank[i] * w / out[i]
        if max(abs(a - b) for a, b in zip(new, rank, strict=True)) < 1e-15:
            break
        rank = new
    return rank


def propagate(model, s, links, parent, alpha=0.5, steps=8):
    """One model of relevance propagation: `links` are pairs, `parent[p]` the page above p or -1."""
    n = len(s)
    into = [[i for i, j in links if j == p] for p in range(n)]
    out = [[j for i, j in links if i == p] for p in range(n)]
    below = [[c for c in range(n) if parent[c] == p] for p in range(n)]

    def mean(values):
        return sum(values) / len(values) if values else 0.0

    def part(a, b):
        return a / b if b > 0 else 0.0

    if model == "children":
        return [alpha * s[p] + (1 - alpha) * mean([s[c] for c in below[p]]) for p in range(n)]
    if model == "subtree":

        def whole(p):
            return alpha * s[p] + (1 - alpha) * mean([whole(c) for c in below[p]])

        return [whole(p) for p in range(n)]
    h = list(s)
    for _ in range(steps):
        if model == "weighted_in":
            taken = [sum(h[i] * part(s[p], sum(s[j] for j in out[i])) for i in into[p]) for p in range(n)]
        elif model == "weighted_out":
            taken = [sum(h[j] * part(s[p], sum(s[i] for i in into[j])) for j in out[p]) for p in range(n)]
        else:
            taken = [mean([h[j] for j in out[p]]) for p in range(n)]
        h = [alpha * s[p] + (1 - alpha) * taken[p] for p in range(n)]
    return h


def cubic_grades(X, features, coefficients, cuts):
    """The grades of documents: the polynomial, term by term, counted against the cuts."""
    grades = []
    for row in X:
        value = 0.0
        for term, coefficient in zip(features, coefficients, strict=True):
            product = float(coefficient)
            for k in term:
                if k >= 0:
                    product *= float(row[k])
            value += product
        grades.append(sum(1 for cut in cuts if value > cut))
    return grades
