"""Does a claim hold? Three answers, and how many queries it would take to tell.

A claim says that one thing is above another. Its evidence are paired differences per query, in the direction
that the claim says, pooled over folds and seeds. **Holds here**: their mean is above 0, and p, by the paired
t-test and after Holm's correction over the claims that are judged together, is below 0.05. **Does not hold
here**: below 0, with the same certainty. All else **cannot be told here**; absence of evidence is neither.

What is measured on all pairs of a set at once has no value per query: queries are drawn anew instead, with
replacement (`judge_pooled`). What is proved is no matter of chance: `certain`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from .significance import ALPHA, TIE, holm, t_test

POWER, CONFIDENCE = 0.8, 0.95


class State(StrEnum):
    """What can be said of a claim."""

    HOLDS = "holds here"
    FAILS = "does not hold here"
    UNTOLD = "cannot be told here"


@dataclass(frozen=True)
class Verdict:
    """A claim, what can be said of it, and on what grounds.

    Attributes
    ----------
    claim : str
        The claim in words.
    state : State
        What can be said of it.
    difference, low, high : float
        The mean difference in the claim's direction, and its 95 % interval (of this claim by itself).
    p : float
        Two-sided, after Holm's correction over the claims judged together; NaN where nothing is tested.
    n_queries : int
        On how many queries.
    needed : float
        How many queries would show such a difference 8 times in 10; infinite where there is none.
    found : str
        What was found, where the claim is no matter of chance.
    of : str
        What was counted: queries, or what else stands for itself.
    """

    claim: str
    state: State
    difference: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    n_queries: int = 0
    needed: float = math.nan
    found: str = ""
    of: str = "queries"


def certain(claim: str, holds: bool, found: str) -> Verdict:
    """Return the verdict on what is no matter of chance: a theorem, an identity, a count."""
    return Verdict(claim, State.HOLDS if holds else State.FAILS, found=found)


def judge(
    claims: Mapping[str, Any], alpha: float = ALPHA, of: str | Mapping[str, str] = "queries"
) -> tuple[Verdict, ...]:
    """Judge claims together.

    Parameters
    ----------
    claims : mapping
        For each claim the differences per query, above 0 where the claim is right; NaN is left out.
    alpha : float
        Below which p a difference counts as told.
    of : str or mapping
        What the differences are one for each of; a mapping says it of some claims, by name. Where queries
        share what makes the difference, such as the one data set that a model was trained on, they are no
        evidence for others: then seeds are what counts.
    """
    values = {name: _clean(differences) for name, differences in claims.items()}
    adjusted = holm([t_test(own).p for own in values.values()])
    m, verdicts = max(1, len(values)), []
    for (name, own), p in zip(values.items(), adjusted, strict=True):
        mean = float(own.mean()) if len(own) else math.nan
        needed = queries_needed(own, alpha=alpha / m)
        numbers = (mean, *interval(own), float(p), len(own), needed)
        whose = of if isinstance(of, str) else of.get(name, "queries")
        verdicts.append(Verdict(name, _state(mean, float(p), alpha), *numbers, of=whose))
    return tuple(verdicts)


def judge_pooled(
    claims: Mapping[str, Callable[[np.ndarray], float]],
    n_queries: int,
    alpha: float = ALPHA,
    n_resamples: int = 2_000,
    seed: int = 0,
) -> tuple[Verdict, ...]:
    """Judge claims on measures of a whole set, by drawing its queries anew.

    Parameters
    ----------
    claims : mapping
        For each claim a function that takes how often each query was drawn, and returns the difference on
        them, above 0 where the claim is right.
    n_queries : int
        How many queries there are.
    n_resamples, seed : int
        How often they are drawn, from which seed: all claims see the same draws.

    Notes
    -----
    p is twice the share of draws on the other side of 0, (1 + found) / (1 + drawn); the interval is that of
    the percentiles. The queries needed follow from the draws' deviation, which falls with the root of their
    number.
    """
    if n_queries < 2:
        return tuple(Verdict(name, State.UNTOLD, n_queries=n_queries) for name in claims)
    rng, even = np.random.default_rng(seed), np.full(n_queries, 1.0 / n_queries)
    draws = [rng.multinomial(n_queries, even) for _ in range(n_resamples)]
    found: list[tuple[float, np.ndarray, float]] = []
    for difference in claims.values():
        drawn = np.array([difference(counts) for counts in draws])
        beyond = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
        whole = float(difference(np.ones(n_queries, dtype=np.int64)))
        found.append((whole, drawn, min(1.0, 2.0 * (1 + beyond) / (1 + n_resamples))))
    tail, m, verdicts = 50 * (1 - CONFIDENCE), max(1, len(found)), []
    for name, (whole, drawn, _), p in zip(claims, found, holm([p for _, _, p in found]), strict=True):
        low, high = map(float, np.percentile(drawn, [tail, 100 - tail]))
        needed = _needed(whole, float(drawn.std(ddof=1)) * math.sqrt(n_queries), alpha / m, POWER)
        numbers = (whole, low, high, float(p), n_queries, needed)
        verdicts.append(Verdict(name, _state(whole, float(p), alpha), *numbers))
    return tuple(verdicts)


def interval(differences: Any, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the interval of the mean of differences per query, from the t distribution."""
    from scipy.special import stdtrit  # as in `t_test`

    values = _clean(differences)
    n = len(values)
    if n < 2:
        return math.nan, math.nan
    half = float(stdtrit(n - 1, 0.5 + confidence / 2)) * float(values.std(ddof=1)) / math.sqrt(n)
    return float(values.mean()) - half, float(values.mean()) + half


def queries_needed(differences: Any, alpha: float = ALPHA, power: float = POWER) -> float:
    """Return how many queries it takes to tell such a difference.

    Where queries differ as these do, a paired test at `alpha`, two-sided, finds a mean as large as this in
    `power` of all cases: ((z₁ + z₂) s / m)², by the normal distribution. Infinite where the mean is 0, NaN
    for fewer than two queries. It is an estimate, as uncertain as the mean that it is made of.
    """
    values = _clean(differences)
    if len(values) < 2:
        return math.nan
    return _needed(float(values.mean()), float(values.std(ddof=1)), alpha, power)


def _needed(mean: float, deviation: float, alpha: float, power: float) -> float:
    from scipy.special import ndtri

    if abs(mean) <= TIE:
        return math.inf
    steps = float(ndtri(1 - alpha / 2) + ndtri(power)) * deviation / abs(mean)
    return float(max(2, math.ceil(steps**2)))


def _state(mean: float, p: float, alpha: float) -> State:
    if not p < alpha:  # NaN is not
        return State.UNTOLD
    return State.HOLDS if mean > 0 else State.FAILS


def _clean(differences: Any) -> np.ndarray:
    values = np.asarray(differences, dtype=np.float64).ravel()
    return values[~np.isnan(values)]
