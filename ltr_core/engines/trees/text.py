"""A tree as lines of text, for Graphviz, and all trees as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

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


def tree_dot(forest: Forest, tree: int, feature_names: Sequence[str]) -> str:
    """Return one tree in the language of Graphviz: boxes ask, ellipses hold what is added."""
    start, end = int(forest.roots[tree]), int(forest.roots[tree + 1])
    lines = [f"digraph tree_{tree} {{", "  node [shape=box];"]
    for node in range(start, end):
        n_docs, name = int(forest.n_docs[node]), f"n{node - start}"
        if forest.feature[node] < 0:
            lines.append(f'  {name} [label="{forest.value[node]:+.4g}\\n{n_docs:,}", shape=ellipse];')
            continue
        feature = feature_names[forest.feature[node]].replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  {name} [label="{feature} ≤ {forest.threshold[node]:.6g}\\n{n_docs:,}"];')
        for child, answer in ((forest.left[node], "yes"), (forest.right[node], "no")):
            lines.append(f'  {name} -> n{child - start} [label="{answer}"];')
    return "\n".join([*lines, "}", ""])


def forest_frame(forest: Forest, feature_names: Sequence[str]) -> pd.DataFrame:
    """Return all nodes, a row each."""
    sizes = np.diff(forest.roots)
    tree = np.repeat(np.arange(forest.n_trees), sizes)
    starts = np.repeat(forest.roots[:-1], sizes)
    names = np.array([*feature_names, None], dtype=object)
    table = {
        "tree": tree,
        "round": tree // forest.n_outputs + 1,
        "output": tree % forest.n_outputs,
        "node": np.arange(len(tree)) - starts,
        "feature": names[forest.feature],  # a leaf's is -1, the last
        "threshold": np.where(forest.feature >= 0, forest.threshold, np.nan),
        "left": np.where(forest.left >= 0, forest.left - starts, -1),
        "right": np.where(forest.right >= 0, forest.right - starts, -1),
    }
    return pd.DataFrame({**table, "value": forest.value, "gain": forest.gain, "n_docs": forest.n_docs})
