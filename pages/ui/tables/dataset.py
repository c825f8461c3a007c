"""What is told about a data set: its figures, its features, what is odd about it. Numbers: `ltr_core`'s."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ltr_core import RankingData
from ltr_core.data import Beside, describe, histogram_by_grade

from ..runs.catalog import Entry, Splits
from ..runs.services import services
from ..runs.specs import DataSpec
from ..style.words import count

PARTS = ("train", "valid", "test")
_MOST_NAMES = 6


@dataclass(frozen=True)
class Looked:
    """The data set that is looked at; `splits` is None while it cannot be read, or is not yet."""

    entry: Entry
    spec: DataSpec
    splits: Splits | None
    in_use: bool
    problem: str = ""


def told(dataset: Looked, part: str, tell: Callable[[RankingData], Any]) -> Any:
    """Return what one of the core's functions tells of a part: worked out once."""
    return _kept(dataset, part, tell.__name__, tell)


def by_grade(dataset: Looked, part: str, feature: str) -> pd.DataFrame:
    """Return the histogram of a feature for each grade."""
    place = _data(dataset, part).feature_names.index(feature)
    return _kept(dataset, part, f"histogram {place}", lambda data: histogram_by_grade(data, place))


def closest_feature(table: pd.DataFrame) -> str:
    """Return the feature whose correlation with the grade is largest, up or down."""
    sizes = table["correlation"].abs()
    return str(table["feature"].iloc[int(sizes.fillna(0.0).argmax())])


def figures(dataset: Looked) -> pd.DataFrame:
    """Return the main figures as texts: a row for each, a column for each part."""
    columns = {}
    for part in PARTS:
        d = told(dataset, part, describe)
        n = d["documents_per_query"]
        columns[part] = {
            "queries": f"{d['queries']:,}",
            "documents": f"{d['documents']:,}",
            "documents of a query": f"{n['min']:,}"
            if n["min"] == n["max"]
            else f"{n['min']:,} – {n['max']:,}, median {n['median']:g}",
            "grades": f"{d['lowest_grade']:g} – {d['highest_grade']:g}",
            "distinct grades": f"{d['distinct_grades']:,}",
            "pairs": f"{d['pairs']:,}",
            "queries without pairs": f"{d['queries_without_pairs']:,}",
            "constant features": f"{len(d['constant_features']):,} of {d['features']:,}",
        }
    return pd.DataFrame(columns)


def remarks(dataset: Looked) -> list[tuple[bool, str, str]]:
    """Return what is good to know before training: whether all is well, its name, a sentence."""
    train, test = (told(dataset, part, describe) for part in ("train", "test"))
    marks = []
    if dict(dataset.spec.size).get("valid") == "cut":
        of = train["queries"] + told(dataset, "valid", describe)["queries"]
        text = f"a quarter of the {of:,} training queries, drawn by the seed {dataset.spec.shuffle}."
        marks.append((True, "Validation is cut from training:", text))
    beside = dataset.splits.beside if dataset.splits is not None else Beside()
    if beside.source:
        marks.append((True, "Features have names:", f"{beside.source}."))
    for what, known, ids in (("queries", beside.queries, _queries), ("documents", beside.docs, _documents)):
        if known:
            n, of = _known(dataset, what, known, ids)
            text = f"{n:,} of {count(of, what[:-1] if what == 'documents' else 'query', what)}."
            marks.append((True, f"Texts of {what}:", text))
    marks += [(False, "Beside the data:", problem) for problem in beside.problems]
    if not train["pairs"]:
        marks.append((False, "Nothing to learn:", "no training query has documents of two grades."))
    elif train["queries_without_pairs"]:
        of = count(train["queries"], "training query", "training queries")
        text = (
            f"{train['queries_without_pairs']:,} of {of} have one grade only, and teach nothing about order."
        )
        marks.append((False, "Queries without pairs:", text))
    else:
        marks.append((True, "Every training query has pairs", "to learn from."))
    if test["queries_without_pairs"]:
        of = count(test["queries"], "test query", "test queries")
        text = (
            f"{test['queries_without_pairs']:,} of {of}. How they count is part of the measure's definition."
        )
        marks.append((False, "Test queries that tell no models apart:", text))
    constant = train["constant_features"]
    if constant:
        names = ", ".join(constant[:_MOST_NAMES]) + (" …" if len(constant) > _MOST_NAMES else "")
        text = f"one value only in training, of no use to a model: {names}."
        marks.append((False, count(len(constant), "constant feature") + ":", text))
    else:
        marks.append((True, "Every feature varies", "in training."))
    if train["grades"] is None:
        text = (
            f"{train['distinct_grades']:,} distinct ones; methods that make a class of each cannot be used."
        )
        marks.append((False, "Continuous grades:", text))
    return marks


def _queries(data: RankingData) -> list[str]:
    return [str(query) for query in data.query_ids]


def _documents(data: RankingData) -> list[str]:
    return [] if data.doc_ids is None else [str(doc) for doc in data.doc_ids]


def _known(
    dataset: Looked, what: str, texts: Mapping[str, Any], ids: Callable[[RankingData], list[str]]
) -> tuple[int, int]:
    """Return of how many ids of all parts a text is known, and how many ids there are."""

    def compute() -> tuple[int, int]:
        of = {one for part in PARTS for one in ids(_data(dataset, part))}
        return sum(one in texts for one in of), len(of)

    return services().memo.make(("data", dataset.spec, "known", what), compute)


def _data(dataset: Looked, part: str) -> RankingData:
    assert dataset.splits is not None  # there are no pictures without data
    return dataset.splits[part]


def _kept(dataset: Looked, part: str, what: str, compute: Callable[[RankingData], Any]) -> Any:
    return services().memo.make(("data", dataset.spec, part, what), lambda: compute(_data(dataset, part)))
