"""How far to go along a direction: the zero of the risk's derivative, by safeguarded Newton steps."""

from __future__ import annotations

from collections.abc import Callable

from ... import stopping

Derivatives = Callable[[float], tuple[float, float | None]]

_ZERO = 1e-13  # a derivative this small beside the one at 0 is zero
_SAME = 1e-14  # two steps this close are one
_FARTHEST = 2.0**40
_LOOKS = 8  # from a guess
_LAST = 1e-8  # a step this short beside the whole ends where another look would find nothing to mend


def only_minimum(derivatives: Derivatives, guess: float = 1.0) -> float:
    """Return the s >= 0 that minimises a strictly convex function, likely close to a guess.

    Newton's steps from there: a tree wants to be taken nearly whole, and the minimum is found in three looks
    on average. What a step misses is its length times the share of the curvature that changes along it, which
    is about as small: after one of 1e-8 of the way it is rounding. Where steps leave s > 0 or come to no
    end, it is `smallest_minimum` that looks.
    """
    for _ in range(_LOOKS):
        stopping.look()
        slope, bend = derivatives(guess)
        step = slope / bend if bend else guess
        guess -= step
        if guess <= 0.0:
            break
        if abs(step) <= _LAST * guess:
            return guess
    return smallest_minimum(derivatives)


def smallest_minimum(derivatives: Derivatives) -> float:
    """Return the smallest s >= 0 that minimises a convex function.

    Parameters
    ----------
    derivatives : callable
        From s to the first and second derivative there, the second of what lies to the right; where it is
        None, secants stand in for it, the slope of an end that stays halved each time (the Illinois rule: the
        other end would else creep). On a piecewise quadratic Newton's steps end after finitely many.

    Notes
    -----
    Where the minimum is an interval (all pairs satisfied with room to spare) its lower end is returned. A
    function that falls for ever gives 1.
    """
    slope, bend = derivatives(0.0)
    if not slope < 0.0:
        return 0.0
    zero = -_ZERO * slope
    low, low_slope, low_bend, high = 0.0, slope, bend, float("inf")
    left, right, went_up = slope, 0.0, None  # the ends' slopes, as the secant takes them
    guess = _newton(0.0, slope, bend, 1.0)
    for _ in range(200):
        if not low < guess < high:
            guess = 0.5 * (low + high) if high < float("inf") else 2.0 * max(low, 1.0)
        if guess > _FARTHEST:
            return 1.0
        stopping.look()
        slope, bend = derivatives(guess)
        if slope < -zero:
            if high < float("inf"):
                right /= 2.0 if went_up else 1.0
                secant = _secant(guess, slope, high, right)
            else:
                secant = _secant(low, low_slope, guess, slope)
            low, low_slope, low_bend, left, went_up = guess, slope, bend, slope, True
            after = secant if bend is None else _newton(guess, slope, bend, secant)
        elif slope > zero:
            left /= 2.0 if went_up is False else 1.0
            high, right, went_up = guess, slope, False
            secant = _secant(low, left, high, right)
            after = secant if bend is None else _newton(guess, slope, bend, secant)
        elif bend != 0.0:
            return guess
        else:
            # Flat to the right, and perhaps to the left: the minimum may begin earlier.
            high = guess
            after = _newton(low, low_slope, low_bend, high)
            if after >= high * (1.0 - _SAME):
                return high
        if high < float("inf") and high - low <= _SAME * high:
            return high
        if abs(after - guess) <= _SAME * guess:
            return guess
        guess = after
    return guess


def _newton(s: float, slope: float, bend: float | None, otherwise: float) -> float:
    return s - slope / bend if bend else otherwise


def _secant(a: float, slope_a: float, b: float, slope_b: float) -> float:
    return a - slope_a * (b - a) / (slope_b - slope_a) if slope_b != slope_a else float("inf")
