"""Measures as their definitions say, one ranked list at a time; ties by trying every order."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction


def _orders(scores, ties):
    """Every order of the documents that the scores allow, best first; file order only for ties="file"."""
    rows = sorted(range(len(scores)), key=lambda i: -scores[i])  # sorted() is stable: file order among equals
    if ties == "file":
        return [rows]
    groups = [list(g) for _, g in itertools.groupby(rows, key=lambda i: scores[i])]
    choices = itertools.product(*(itertools.permutations(group) for group in groups))
    return [[i for group in choice for i in group] for choice in choices]


def _expected(value_of, grades, scores, ties):
    """The mean over these orders of a value that depends on the grades in rank order."""
    values = [value_of([grades[i] for i in order]) for order in _orders(scores, ties)]
    return sum(values) / len(values)


def _gain_of(grade, gain):
    if gain == "exp2":
        return Fraction(2) ** int(grade) - 1 if grade == int(grade) else 2.0**grade - 1
    if gain == "grade":
        return grade
    return gain[int(grade)] if isinstance(gain, list) else gain[grade]


def _discount_of(rank, discount):
    if discount == "letor":
        return 1.0 if rank == 1 else 1.0 / math.log2(rank)
    return 1.0 / math.log2(1 + rank)


def _list_dcg(ranked, k, gain, discount):
    top = ranked if k is None else ranked[:k]
    return sum(
        Fraction(_gain_of(r, gain)) * Fraction(_discount_of(j, discount)) for j, r in enumerate(top, 1)
    )


def _ideal(grades, gain):
    return sorted(grades, key=lambda r: -_gain_of(r, gain))


def _empty_value(empty):
    return {"zero": 0.0, "one": 1.0, "skip": math.nan}[empty]


def query_dcg(grades, scores, k=10, gain="exp2", discount="standard", ties="average", empty="zero"):
    if _list_dcg(_ideal(grades, gain), k, gain, discount) == 0:
        return _empty_value(empty)
    return float(_expected(lambda ranked: _list_dcg(ranked, k, gain, discount), grades, scores, ties))


def query_ndcg(
    grades, scores, k=10, gain="exp2", discount="standard", ties="average", empty="zero", short="pad"
):
    best = _list_dcg(_ideal(grades, gain), k, gain, discount)
    if best == 0:
        return _empty_value(empty)
    if short == "zero" and k is not None and len(grades) < k:
        return 0.0
    return float(_expected(lambda ranked: _list_dcg(ranked, k, gain, discount) / best, grades, scores, ties))


def query_mean_ndcg(grades, scores, gain="exp2", discount="standard", ties="average", empty="zero"):
    depths = range(1, len(grades) + 1)
    values = [query_ndcg(grades, scores, k, gain, discount, ties, empty) for k in depths]
    return sum(values) / len(values)


def query_precision(grades, scores, k=10, relevant=1, ties="average", empty="zero"):
    if not any(r >= relevant for r in grades):
        return _empty_value(empty)
    k = len(grades) if k is None else k
    return _expected(lambda ranked: sum(r >= relevant for r in ranked[:k]) / k, grades, scores, ties)


def query_recall(grades, scores, k=10, relevant=1, ties="average", empty="zero"):
    total = sum(r >= relevant for r in grades)
    if total == 0:
        return _empty_value(empty)
    k = len(grades) if k is None else k
    return _expected(lambda ranked: sum(r >= relevant for r in ranked[:k]) / total, grades, scores, ties)


def query_r_precision(grades, scores, relevant=1, ties="average", empty="zero"):
    total = sum(r >= relevant for r in grades)
    return query_precision(grades, scores, max(total, 1), relevant, ties, empty)


def query_average_precision(grades, scores, relevant=1, ties="average", empty="zero"):
    total = sum(r >= relevant for r in grades)
    if total == 0:
        return _empty_value(empty)

    def value_of(ranked):
        precisions = [
            sum(s >= relevant for s in ranked[:j]) / j for j, r in enumerate(ranked, 1) if r >= relevant
        ]
        return sum(precisions) / total

    return _expected(value_of, grades, scores, ties)


def query_mrr(grades, scores, k=None, relevant=1, ties="average", empty="zero"):
    if not any(r >= relevant for r in grades):
        return _empty_value(empty)

    def value_of(ranked):
        first = next(j for j, r in enumerate(ranked, 1) if r >= relevant)
        return 1 / first if k is None or first <= k else 0.0

    return _expected(value_of, grades, scores, ties)


def query_err(grades, scores, k=None, max_grade=None, ties="average", empty="zero"):
    if not any(r > 0 for r in grades):
        return _empty_value(empty)

    def value_of(ranked):
        value, reading = 0.0, 1.0
        for j, r in enumerate(ranked if k is None else ranked[:k], 1):
            satisfied = (2.0**r - 1) / 2.0**max_grade
            value += reading * satisfied / j
            reading *= 1 - satisfied
        return value

    return _expected(value_of, grades, scores, ties)


def _preferences(grades):
    """The pairs (i, j) with i the better document."""
    return [(i, j) for i in range(len(grades)) for j in range(len(grades)) if grades[i] > grades[j]]


def query_tau_distance(grades, scores, ties="average"):
    pairs = _preferences(grades)
    if not pairs:
        return math.nan

    def distance(order):
        return sum(order.index(i) > order.index(j) for i, j in pairs) / len(pairs)

    values = [distance(order) for order in _orders(scores, ties)]
    return sum(values) / len(values)


def query_kendall_tau(grades, scores, ties="average"):
    return 1 - 2 * query_tau_distance(grades, scores, ties)


def misordered(queries):
    """Of a list of (grades, scores): how many pairs have F_i ≤ F_j, and how many pairs there are."""
    pairs = [(scores[i], scores[j]) for grades, scores in queries for i, j in _preferences(grades)]
    return sum(a <= b for a, b in pairs), len(pairs)


def pairs_at_percent(queries, percent):
    """Precision at K% of a list of (grades, scores); equal |Δ| at the cut in every possible choice."""
    gaps = [scores[i] - scores[j] for grades, scores in queries for i, j in _preferences(grades)]
    if not gaps:
        return math.nan
    wanted = max(1, math.ceil(Fraction(percent) * len(gaps) / 100))
    gaps.sort(key=lambda gap: -abs(gap))
    cut = abs(gaps[wanted - 1])
    sure = [gap for gap in gaps if abs(gap) > cut]
    at_cut = [gap for gap in gaps if abs(gap) == cut]

    def right(gap):
        return 1.0 if gap > 0 else 0.5 if gap == 0 else 0.0

    missing = wanted - len(sure)
    picks = list(itertools.combinations(at_cut, missing)) if math.comb(len(at_cut), missing) <= 5000 else None
    if picks is None:
        chosen = missing * sum(map(right, at_cut)) / len(at_cut)
    else:
        chosen = sum(sum(map(right, pick)) for pick in picks) / len(picks)
    return (sum(map(right, sure)) + chosen) / wanted


def letor_lines(grades):
    """NDCG@1 … @n, P@1 … @n and AP of one ranked list, written out after LETOR 4.0's evaluation script."""
    gains = [2 ** int(r) - 1 for r in grades]

    def cumulate(values):
        sums = []
        for position, value in enumerate(values):
            if position == 0:
                sums.append(float(value))
            elif position == 1:
                sums.append(sums[-1] + value)
            else:
                sums.append(sums[-1] + value * math.log(2.0) / math.log(position + 1.0))
        return sums

    found, best = cumulate(gains), cumulate(sorted(gains, reverse=True))
    ndcg = [a / b if b != 0 else 0.0 for a, b in zip(found, best, strict=True)]
    hits, precisions, total = 0, [], 0.0
    for position, r in enumerate(grades, 1):
        hits += int(r) > 0
        precisions.append(hits / position)
        total += hits / position if int(r) > 0 else 0.0
    return ndcg, precisions, total / hits if hits else 0.0
