"""Verdicts and the queries they take, by trying: no formula for a sample's size, no vectorised draws."""

from __future__ import annotations

import math
import random
from statistics import NormalDist, fmean, stdev


def queries_by_trying(differences, alpha=0.05, power=0.8):
    """Add query after query until a test of two sides would find the mean in `power` of all cases."""
    mean, deviation, normal = abs(fmean(differences)), stdev(differences), NormalDist()
    limit, n = normal.inv_cdf(1 - alpha / 2), 2
    while 1 - normal.cdf(limit - mean * math.sqrt(n) / deviation) < power:
        n += 1
    return n


def interval_of_draws(values, n_draws=4000, seed=1):
    """The middle 95 % of the means of values drawn anew, one at a time."""
    rng, means = random.Random(seed), []
    for _ in range(n_draws):
        drawn = [rng.choice(values) for _ in values]
        means.append(fmean(drawn))
    means.sort()
    return means[int(0.025 * n_draws)], means[int(0.975 * n_draws)]


def state_by_hand(p_values, means, alpha=0.05):
    """Holm's steps with a loop: the smallest p against alpha / m, the next against alpha / (m - 1), …"""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    states, going = ["cannot be told here"] * len(p_values), True
    for step, i in enumerate(order):
        going = going and p_values[i] < alpha / (len(p_values) - step)
        if going:
            states[i] = "holds here" if means[i] > 0 else "does not hold here"
    return states
