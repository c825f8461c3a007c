"""A round's formulas as the papers write them, with the round's numbers put in. LaTeX for `st.latex`."""

from __future__ import annotations

from collections.abc import Sequence

from ltr_core.engines.stumps.rounds import RoundDetails

UNKNOWN = "{?}"


def digits(value: float) -> str:
    """Return a number as a formula prints it: four digits, or a power of ten where they would all be 0."""
    if value and abs(value) < 5e-4:
        mantissa, exponent = f"{value:.2e}".split("e")
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
    return f"{value:.4f}"


def threshold_words(value: float) -> str:
    """Return a threshold as the data print it: thresholds are values of 32 bits."""
    return f"{value:.6g}"


def round_formulas(
    details: RoundDetails, algorithm: str, variant: str, product: float, misorder: float, hide: bool = False
) -> str:
    """Return what a round works out, numbers put in: the stump's value, why this stump, and Theorem 1.

    Parameters
    ----------
    variant : str
        MPBoost's step or RankBoost's variant.
    product, misorder : float
        Π Z up to this round, and the share of misordered pairs after it.
    hide : bool
        Print a question mark for the value, and nothing that gives it away.
    """
    rows = _step(details, algorithm, variant, hide)
    if not hide:
        rows += _merit(details, algorithm, variant) + _bound(details, product, misorder, algorithm)
    return _lines(rows)


def _step(details: RoundDetails, algorithm: str, variant: str, hide: bool) -> list[str]:
    """Return how the value of the stump taken comes about."""
    c = details.chosen
    n, d, plus, minus = (digits(c[name]) for name in ("n", "d", "plus", "minus"))
    value = UNKNOWN if hide else digits(c["value"])
    if algorithm == "MPBoost":
        above = r"\sum s_{ij} w_{ij} d_{ij}"
        below = r"\sum_{s_{ij} \ne 0} w_{ij}" + (" d_{ij}^2" if variant == "newton" else "")
        return [
            rf"a &= \frac{{N}}{{D}} = \frac{{{above}}}{{{below}}}",
            rf"&= \frac{{{plus} - {minus}}}{{{d}}} = \frac{{{n}}}{{{d}}} = {value}",
        ]
    if algorithm == "RankBoost" and variant == "r":
        return [
            rf"r &= \sum s_{{ij}} D_{{ij}} = {plus} - {minus} = {n}",
            r"\alpha &= \tfrac12 \ln \frac{1 + r}{1 - r}"
            rf" = \tfrac12 \ln \frac{{{digits(1 + c['n'])}}}{{{digits(1 - c['n'])}}} = {value}",
        ]
    epsilon = digits(details.smoothing)
    return [
        r"\alpha &= \tfrac12 \ln \frac{W_+ + \varepsilon}{W_- + \varepsilon}",
        rf"&= \tfrac12 \ln \frac{{{plus} + \varepsilon}}{{{minus} + \varepsilon}} = {value}",
        rf"\varepsilon &= {epsilon}",
    ]


def _merit(details: RoundDetails, algorithm: str, variant: str) -> list[str]:
    """Return why this stump was taken: the quantity that is best among all candidates."""
    c = details.chosen
    n, d, gain = (digits(c[name]) for name in ("n", "d", "gain"))
    if algorithm == "MPBoost":
        return [rf"\frac{{N^2}}{{D}} &= \frac{{({n})^2}}{{{d}}} = {gain} \quad \text{{the largest}}"]
    if algorithm == "RankBoost" and variant == "r":
        return [rf"|r| &= {gain} \quad \text{{the largest}}"]
    if algorithm == "RankBoost":
        plus, minus = digits(c["plus"]), digits(c["minus"])
        return [
            r"Z &= 1 - S + 2\sqrt{W_+ W_-}",
            rf"&= 1 - {d} + 2\sqrt{{{plus} \cdot {minus}}} = {digits(1 - c['gain'])}"
            r" \quad \text{the smallest}",
        ]
    return [
        rf"\text{{loss}} &= {digits(details.loss_after)} \text{{ after }} {digits(details.loss_before)}"
        r" \quad \text{the smallest}"
    ]


def _bound(details: RoundDetails, product: float, misorder: float, algorithm: str) -> list[str]:
    """Return Theorem 1 with this round's numbers; FRank has no such theorem."""
    if algorithm == "FRank":
        return [rf"\text{{misordered}} &= {digits(misorder)}"]
    weigh = r"w_{ij} e^{-d_{ij} a s_{ij}}" if algorithm == "MPBoost" else r"D_{ij} e^{-\alpha s_{ij}}"
    return [
        rf"Z_{{{details.iteration}}} &= \sum {weigh} = {digits(details.z)}",
        rf"\text{{misordered}} &= {digits(misorder)} \;\le\; "
        rf"\prod_{{t \le {details.iteration}}} Z_t = {digits(product)}",
    ]


def _lines(rows: Sequence[str]) -> str:
    return r"\begin{aligned}" + r" \\[4pt] ".join(rows) + r"\end{aligned}"
