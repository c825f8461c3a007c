"""Lessons on paper: the task with room for answers, the solutions, and all formulas on one page.

A lesson draws itself, with `task` writing what can be answered with a pen; the browser prints it, or keeps it
as PDF.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

import streamlit as st

from ..session import state
from .course import LESSONS

TASK, SOLUTIONS, FORMULAS = "task", "solutions", "formulas"
_HERE = Path(__file__).parent
_LOOK = f"<style>{(_HERE / 'paper.css').read_text(encoding='utf-8')}</style>"
_PRINT = (
    '<p class="note screen-only"><button type="button" class="print">Print, or keep as PDF</button></p>'
    "<script>for (const b of document.querySelectorAll('button.print')) "
    "b.onclick = () => window.print();</script>"
)

_FORMULAS: tuple[tuple[str, str, str], ...] = (
    ("Gain of a grade r", r"G(r) = 2^r - 1", "What a document of that grade is worth."),
    ("Discount of rank j", r"\frac{1}{\log_2(1 + j)}", "What that rank counts of it."),
    (
        "NDCG@k",
        r"\frac{1}{Z_k} \sum_{j=1}^{k} \frac{2^{r(j)} - 1}{\log_2(1 + j)}",
        "Zₖ is the same sum for the ideal order, so that 1 is the best there is.",
    ),
    (
        "BINARY, LDD",
        r"\mathrm{sign}(r_i - r_j) \qquad \alpha\,(r_i - r_j)",
        "Directed distances of two grades: how hard the pair pulls.",
    ),
    (
        "LOGDD, LOGITDD",
        r"\mathrm{sign}(r_i - r_j)\,\log(1 + \lambda |r_i - r_j|) \qquad"
        r"\frac{\mathrm{sign}(r_i - r_j)}{1 + e^{-\beta |r_i - r_j|}}",
        "The logarithmic and the logistic one.",
    ),
    (
        "Loss of a pair",
        r"e^{-m} \qquad \log(1 + e^{-m}) \qquad 1 - \sqrt{p} \qquad \max(0, 1 - m)",
        "Exponential, logistic, fidelity (p is the logistic function of the margin), hinge, at the margin m.",
    ),
    (
        "A round of MPBoost",
        r"N = \sum s_{ij} w_{ij} d_{ij} \quad D = \sum_{s_{ij} \ne 0} w_{ij} \quad a = \frac{N}{D} \quad "
        r"w_{ij} \leftarrow \frac{w_{ij}\, e^{-a\, d_{ij} s_{ij}}}{Z}",
        "Over all pairs: w their weight, d their distance, s = 1, 0 or −1: the stump puts them right, "
        "does not tell them apart, or puts them wrong. The stump with the largest N²/D is taken; Z makes the "
        "weights sum to 1.",
    ),
    ("Theorem 1", r"\text{misordered share} \le \prod_t Z_t", "The loss is a bound that one can watch."),
    ("Condition (9)", r"|d| \approx 1", "Or the step N/D is too long, and the loss zigzags."),
    (
        "A score, taken apart",
        r"F(x) = \sum_k F_k(x_k)",
        "A model of stumps is a sum: each feature's part against the mean page says what lifts it.",
    ),
    (
        "p",
        r"p = \frac{\#\{\text{swaps of the two names with } |\bar d^*| \ge |\bar d|\}}{\#\{\text{swaps}\}}",
        "How often chance alone makes a difference at least as large.",
    ),
    ("Holm, m comparisons", r"p_{(1)} \cdot m,\ p_{(2)} \cdot (m - 1),\ \dots", "The smallest p first."),
)


def kind() -> str | None:
    """Return what is wanted on paper, if anything."""
    return state.get("learn_paper")


def is_solved() -> bool:
    """Whether the solutions are wanted."""
    return kind() == SOLUTIONS


def lay_out() -> None:
    """Draw the page as a sheet of paper."""
    st.html(_LOOK)
    st.html(_PRINT, unsafe_allow_javascript=True)


def head(number: str, numbers: int) -> None:
    """Say what the sheet is: lesson, numbers, room for a name."""
    lesson = LESSONS[number]
    what = "solutions" if is_solved() else "Name: ____________________"
    st.html(
        f'<h3 class="panel">Lesson {number}: {escape(lesson.title)}</h3>'
        f'<p class="note">Rankscope · learning to rank · numbers {numbers} · {what}</p>'
    )


def formulas() -> None:
    """Draw the sheet of formulas."""
    st.html('<h3 class="panel">Learning to rank on one page</h3><p class="note">Rankscope</p>')
    for name, formula, told in _FORMULAS:
        with st.container(key=f"formula-{name.split()[0].lower()}-{len(name)}", gap=None):
            st.markdown(rf"**{name}** &nbsp; $\displaystyle {formula}$")
            st.html(f'<p class="note">{told}</p>')


def solution(keep: str, text: str, draw: Callable[[], None] | None) -> None:
    """The end of the solutions: the steps, what comes of them, and the sentence to keep."""
    if draw is not None:
        draw()
    st.markdown(text)
    st.html(f'<p class="verdict"><b>To keep:</b> {keep}</p>')


def number(label: str, right: float, decimals: int) -> None:
    """A question for a number: a line to write on, or the answer."""
    words(label, f"{right:.{decimals}f}".replace("-", "−"))


def words(label: str, right: str) -> None:
    """A question for something to write down."""
    answer = escape(right) if is_solved() else "_" * 16
    st.html(f'<p class="asked">{escape(label)}: <b>{answer}</b></p>')


def options(label: str, answers: dict[str, str], right: str | None = None) -> None:
    """A question with answers to tick, or with what is to be said of each."""
    lines = []
    for text, mistake in answers.items():
        is_right = right is not None and mistake == right
        box = "☑" if is_solved() and is_right else "☐"
        why = f' <span class="note">{escape(mistake)}</span>' if is_solved() and mistake else ""
        lines.append(f"<li>{box} {escape(text)}{why}</li>")
    st.html(f'<div class="asked"><p>{escape(label)}</p><ul>{"".join(lines)}</ul></div>')
