"""The words of the field, each in one sentence: underlined where they stand, told on hover, focus and tap."""

from __future__ import annotations

import re
from html import escape

# Each word: what it means, and the lesson that teaches it.
TERMS: dict[str, tuple[str, str]] = {
    "query": ("What somebody asked; its documents are ranked among themselves.", "0"),
    "document": ("What can be found: a web page, an abstract. The lessons call it a page.", "0"),
    "grade": ("How relevant a person found a document for a query, 0 for not at all.", "0"),
    "score": ("The number that a model gives a document; a list is sorted by it.", "0"),
    "pair": ("Two documents of a query with different grades; the better one should be above.", "0"),
    "misorder": ("The share of pairs whose better document is not above the other.", "0"),
    "NDCG": ("What a list is worth, its top counting most, over what the best order would be.", "1"),
    "gain": ("What a document of a grade is worth: 2ʳ − 1, or the grade itself.", "1"),
    "discount": ("What a rank counts: 1 / log₂(1 + rank); LETOR's counts ranks 1 and 2 alike.", "1"),
    "MAP": ("Mean average precision: the mean of the precision at each relevant document.", "1"),
    "MRR": ("Mean reciprocal rank: one over the rank of the first relevant document.", "1"),
    "ERR": ("Expected reciprocal rank: how far up somebody who reads down the list is satisfied.", "1"),
    "directed distance": ("How far a pair's grades lie apart, with a sign: how hard the pair pulls.", "3"),
    "DDF": ("Directed distance function: it makes a distance of two grades.", "3"),
    "BINARY": ("The distance that treats all pairs alike: the sign of the difference of the grades.", "3"),
    "LDD": ("Linear directed distance: α times the difference of the grades.", "3"),
    "LOGDD": ("Logarithmic directed distance: log(1 + λ times the difference of the grades).", "3"),
    "LOGITDD": ("Logistic directed distance: 1 / (1 + e to the minus β times the difference).", "3"),
    "pull": ("A pair's weight times its distance: how much it has to say in a round.", "3"),
    "stump": ("One feature and one threshold: documents above it get the same number added.", "4"),
    "round": ("One step of boosting: a stump or a tree is added to the model.", "4"),
    "loss": ("What training makes small; each method has its own.", "8"),
    "margin": ("How far a pair's better document leads by score.", "8"),
    "Theorem 1": ("The share of misordered pairs is never above the product of all Z.", "5"),
    "(3)": ("Requirement on a distance: its sign is that of the difference of the grades.", "3"),
    "(4)": ("Requirement on a distance: a larger difference has no smaller distance.", "3"),
    "(9)": ("Condition on the distances: about 1, their mean between ½ and 2, or the step overshoots.", "5"),
    "calibrated": ("Its parameter is chosen so that the mean distance over the pairs is as asked.", "5"),
    "validation": ("Queries nobody learns from; they say which round to use.", "6"),
    "baseline": ("The run that the others are compared with.", "7"),
    "p": ("How often chance alone makes a difference at least as large, if the two are alike.", "7"),
    "Holm": ("A correction of p for the number of comparisons: several chances to be lucky.", "7"),
}

_WORDS = sorted(TERMS, key=len, reverse=True)
# A word by itself, not within a longer one; p only where a number follows.
_ONE = "|".join(rf"{re.escape(word)}(?= [=<])" if word == "p" else re.escape(word) for word in _WORDS)
_FOUND = re.compile(rf"(?<![\w&@-])(?:{_ONE})(?![\w-])")


def marked(text: str) -> str:
    """Return a text as HTML with the first of each word of the field underlined and explained."""
    told_of: set[str] = set()

    def mark(found: re.Match[str]) -> str:
        word = found[0]
        if word in told_of:
            return word
        told_of.add(word)
        told = escape(TERMS[word][0], quote=True)
        says = f'data-told="{told}" aria-label="{word}: {told}"'
        return f'<span class="term" tabindex="0" role="note" {says}>{word}</span>'

    return _FOUND.sub(mark, escape(text))
