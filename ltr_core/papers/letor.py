"""LETOR's published baselines, beside the same systems trained here on the same folds.

The five folds as they come; each system's round and parameters chosen by validation NDCG@5; everything
counted as LETOR's own scripts count (``convention="letor"``). Beside each number stands its standard error:
two numbers that differ by less are the same as far as these queries can tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ..algorithms import Ranker
from ..data import load_folds
from ..datasets import DATA_FOLDER, found
from ..errors import DataError
from ..evaluation.verdicts import judge
from ..measures import measure
from ..params import Param
from .exhibit import Chart, Exhibit, Paper, Result, System
from .progress import Progress
from .published import Published, letor_baselines
from .training import Cut, best_on_validation, train

Grid = tuple[Mapping[str, Any], ...]
_ROUNDS = "n_rounds"
_CS: Grid = tuple({"C": c} for c in (0.1, 1.0, 10.0, 100.0))
# By the name in LETOR's tables: the algorithm, and the parameters that validation chooses among.
_MQ2008: dict[str, tuple[str, Grid]] = {
    "RankSVM-Struct": ("RankSVM", _CS),
    "ListNet": ("ListNet", ({},)),
    "AdaRank-MAP": ("AdaRank", ({"measure": "map"},)),
    "AdaRank-NDCG": ("AdaRank", ({"measure": "ndcg@10"}, {"measure": "ndcg@5"})),
    "RankBoost": ("RankBoost", ({},)),
}
_OHSUMED: dict[str, tuple[str, Grid]] = {
    "RankBoost": ("RankBoost", ({},)),
    "Ranking SVM": ("RankSVM", _CS),
    "Frank-c4.2": ("FRank", ({"smoothing": 1e-4}, {"smoothing": 1e-2})),
    "ListNet": ("ListNet", ({},)),
    "AdaRank.MAP": ("AdaRank", ({"measure": "map"},)),
    "AdaRank.NDCG": ("AdaRank", ({"measure": "ndcg@10"}, {"measure": "ndcg@5"})),
    "MHR-BC": ("MHR", _CS[:3]),
}
_FOLDERS = {
    "mq2008": "MQ2008 of LETOR 4.0: 784 queries, 46 features, Fold1 … Fold5",
    "ohsumed": "OHSUMED of LETOR: 106 queries, Fold1 … Fold5",
}
_NAMES = {"P": "precision", "NDCG": "ndcg", "MAP": "map", "MeanNDCG": "mean_ndcg"}
_CHOICE = "ndcg@5"


def folds_here(name: str) -> list[Cut]:
    """Return the folds of a set of LETOR's that lies in ``data/``; a `DataError` says what to put there."""
    for one in found(DATA_FOLDER):
        if one.kind == "folds" and name in one.name.lower().replace("-", "").replace("_", ""):
            if one.problem:
                raise DataError(one.problem.rstrip("."), "complete the folder")
            cuts = load_folds(one.path)
            return [(a.as_part(), b.as_part(), c.as_part()) for a, b, c in cuts]  # scores as in `y`
    what = f"there is no folder {name.upper()} in data/"
    raise DataError(what, f"put it there, as LETOR has it ({_FOLDERS[name]})")


def folder_stamp(name: str) -> str:
    """Return what tells one state of a folder's files from another; empty where there is none."""
    folders = [one.path for one in found(DATA_FOLDER) if name in one.name.lower()]
    files = [file.stat() for folder in folders for file in sorted(folder.rglob("*.*"))]
    return ",".join(f"{file.st_size} {file.st_mtime_ns}" for file in files)


def chosen(models: Sequence[Ranker]) -> Ranker:
    """Return the model with the best value on validation; the first of several equal ones."""
    return max(models, key=lambda model: best_on_validation(model, _CHOICE))


def _compare(
    name: str, rows: Mapping[str, tuple[str, Grid]], values: dict[str, Any], progress: Progress
) -> Result:
    """Train every system on the five folds, and put what it comes to under the published row."""
    printed = letor_baselines("letor2_ohsumed" if name == "ohsumed" else name)
    cuts = folds_here(name)
    if name == "ohsumed" and cuts[0][0].n_features != 25:
        what = f"the folder has {cuts[0][0].n_features} features, and the rows are LETOR 2.0’s, with 25"
        raise DataError(what, "put LETOR 2.0’s OHSUMED into data/")
    systems = {
        row: [
            System(f"{row} {number}", algorithm, _rounds(algorithm, params, values))
            for number, params in enumerate(grid)
        ]
        for row, (algorithm, grid) in rows.items()
    }
    every = [one for several in systems.values() for one in several]
    trained = train(every, cuts, progress, measure(_CHOICE, convention="letor"))
    table, bars, quality = [], [], {}
    for row, several in systems.items():
        models = [chosen([trained[one.name, cut] for one in several]) for cut in range(len(cuts))]
        here, error = {}, {}
        for column in printed.columns:
            by_fold = _per_query(models, cuts, column)
            each = np.concatenate(by_fold)
            here[column] = float(np.mean([own.mean() for own in by_fold]))  # as LETOR: folds count alike
            error[column] = float(each.std(ddof=1) / np.sqrt(len(each)))
            if column == "NDCG@5":
                quality[row] = each
        paper = printed.loc[row].to_dict()
        gap = here["NDCG@5"] - paper["NDCG@5"]
        half = 1.96 * error["NDCG@5"]
        bars.append({"series": row, "value": gap, "low": gap - half, "high": gap + half})
        table += [
            {"system": row, "which": "published", **paper},
            {"system": "", "which": "here", **here},
            {"system": "", "which": "± standard error", **error},
        ]
    best = str(printed["NDCG@5"].idxmax())
    claims = {
        f"{best} ranks better than {row} in NDCG@5, as published.": quality[best] - quality[row]
        for row in rows
        if row != best
    }
    title = "NDCG@5 here minus published, 95 % intervals of ours"
    return Result(
        (
            Chart("table", pd.DataFrame(table), "Mean of the five test folds, LETOR’s convention"),
            Chart("bars", pd.DataFrame(bars), title, "", "difference in NDCG@5", digits=4),
        ),
        judge(claims),
        "Rounds and parameters by validation NDCG@5 on each fold; LETOR’s convention. "
        + "; ".join(f"{row}: {_chosen_among(grid)}" for row, (_, grid) in rows.items() if len(grid) > 1)
        + ".",
    )


def _rounds(algorithm: str, params: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    own = {_ROUNDS: values[_ROUNDS]} if algorithm in ("RankBoost", "FRank", "AdaRank") else {}
    return {**params, **own}


def _chosen_among(grid: Grid) -> str:
    name = next(iter(grid[0]))
    return f"{name} from {', '.join(str(params[name]) for params in grid)}"


def _per_query(models: Sequence[Ranker], cuts: Sequence[Cut], column: str) -> list[np.ndarray]:
    name, _, depth = column.partition("@")
    measured = measure(f"{_NAMES[name]}@{depth}" if depth else _NAMES[name], convention="letor")
    return [
        measured.per_query(test.y, model.predict(test, iteration="best"), test.offsets)
        for model, (_, _, test) in zip(models, cuts, strict=True)
    ]


def _exhibit(
    id: str, name: str, rows: Mapping[str, tuple[str, Grid]], baselines: str, **more: Any
) -> Exhibit:
    printed = letor_baselines(baselines).reset_index(names="system")
    table = Published(
        "table",
        f"LETOR’s baselines on {name}",
        columns=tuple(printed.columns),
        rows=tuple(printed.itertuples(index=False, name=None)),
        note="Means of the five test folds, from LETOR’s baseline files.",
    )
    rounds = Param(_ROUNDS, "int", 300, 10, 1_000, 10, help="Rounds of each booster; validation picks one.")
    return Exhibit(
        id,
        name,
        "The baselines as published, and trained here",
        "The rows are close to one another: few of their differences are larger than chance.",
        table,
        params=(rounds,),
        compute=partial(_compare, id, rows),
        stamp=lambda _: folder_stamp(id),
        grows=(_ROUNDS,),
        **more,
    )


PAPER = Paper.of(
    "letor",
    "LETOR",
    "LETOR: benchmark collections for research on learning to rank",
    "LETOR 2.0 and 4.0",
    "The published baselines, row by row, beside the same systems on the same folds.",
    _exhibit(
        "mq2008",
        "MQ2008",
        _MQ2008,
        "mq2008",
        seconds=5.0,
        paper_data="MQ2008, 784 queries, five folds.",
        our_data="The same files, where the folder MQ2008 lies in data/.",
    ),
    _exhibit(
        "ohsumed",
        "OHSUMED (LETOR 2.0)",
        _OHSUMED,
        "letor2_ohsumed",
        seconds=60.0,
        paper_data="OHSUMED of LETOR 2.0, 106 queries, 25 features, five folds.",
        our_data="The same files, where the folder OHSUMED lies in data/.",
    ),
)
