"""The small set that comes with the program, in LETOR's layout: ``data/cubic-small``.

It is McRank's artificial set made small (100 queries × 15 documents × 10 features, a little noise), written
as LETOR writes its sets, so that it takes the same way in as a user's own.

``python -m ltr_core.datasets.bundle`` writes it again; a test compares the files with what is made here.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from ..data import RankingData
from .cubic import CUBIC
from .found import DATA_FOLDER

NAME = "cubic-small"
N_FOLDS = 5


def make() -> RankingData:
    """Return the set, its features rounded to the three digits that the files have."""
    data = CUBIC.make(seed=0, n_queries=100, n_docs=15, n_features=10, noise=0.3)
    number = np.arange(data.n_docs) % 15 + 1
    ids = [f"q{q:03d}-d{d:02d}" for q, d in zip(data.qid, number, strict=True)]
    return RankingData(np.round(data.X, 3), data.y, data.qid, doc_ids=ids, name=NAME)


def files() -> dict[str, str]:
    """Return the text of each file by its path: LETOR's five folds, three parts, one and one."""
    data = make()
    parts = [
        "".join(_query_lines(data, q) for q in range(part, data.n_queries, N_FOLDS))
        for part in range(N_FOLDS)
    ]
    texts = {}
    for fold in range(N_FOLDS):
        turned = parts[fold:] + parts[:fold]
        texts[f"Fold{fold + 1}/train.txt"] = "".join(turned[:3])
        texts[f"Fold{fold + 1}/vali.txt"] = turned[3]
        texts[f"Fold{fold + 1}/test.txt"] = turned[4]
    return texts


def write(folder: Path) -> None:
    """Write the files under a folder."""
    for name, text in files().items():
        path = folder / NAME / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def _query_lines(data: RankingData, query: int) -> str:
    lines, ids = [], np.asarray(data.doc_ids)
    for row in range(data.offsets[query], data.offsets[query + 1]):
        values = " ".join(f"{k + 1}:{value:.3f}" for k, value in enumerate(data.X[row]))
        lines.append(f"{data.y[row]:.0f} qid:{data.qid[row]} {values} #docid = {ids[row]}\n")
    return "".join(lines)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA_FOLDER)
