"""A tree as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from .forest import Forest


def tree_text(forest: Forest, tree: int, feature_names: Sequence[str]) -> str:
    """Return one tree, a node a line: first where the answer is yes, then where it is no.

    f3 ≤ 0.25   600 documents, gain 41.2
    ├ yes: f1 ≤ 7   200 documents, gain 9.81
    │ ├ yes: +0.125   80 documents
    │ └ no: -0.0313   120 documents
    └ no: +0.5   400 documents
    """
    lines = []
    todo = [(int(forest.roots[tree]), "", "", "")]
    while todo:
        node, indent, branch, answer = todo.pop()
        n_docs = int(forest.n_docs[node])
        documents = f"{n_docs:,} document" + ("s" if n_docs != 1 else "")
        if forest.feature[node] < 0:
            lines.append(f"{indent}{branch}{answer}{forest.value[node]:+.4g}   {documents}")
            continue
        name = feature_names[forest.feature[node]]
        question = f"{name} ≤ {forest.threshold[node]:.6g}"
        lines.append(f"{indent}{branch}{answer}{question}   {documents}, gain {forest.gain[node]:.3g}")
        below = indent + {"": "", "├ ": "│ ", "└ ": "  "}[branch]
        todo.append((int(forest.right[node]), below, "└ ", "no: "))
        todo.append((int(forest.left[node]), below, "├ ", "yes: "))
    return "\n".join(lines)
