"""Rankings that were brought along: read as they were written, and one sentence for what does not fit."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.evaluation import read_given, trec_run

NDCG = ltr.measure("ndcg@5")


def in_pieces(n=60, seed=0, named=False):
    """Queries whose rows stand apart, with names that have blanks or none."""
    rng = np.random.default_rng(seed)
    ids = [f"doc {i}" for i in range(n)] if named else None
    return ltr.RankingData(rng.normal(size=(n, 2)), rng.integers(0, 3, n), rng.integers(0, 9, n), doc_ids=ids)


def parts_of(data):
    return dict(zip(("train", "valid", "test"), ltr.split(data, seed=1), strict=True))


@pytest.mark.parametrize("named", [False, True])
def test_a_trec_run_is_read_as_it_was_written(tmp_path, named):
    data = in_pieces(named=named)
    scores, path = np.random.default_rng(1).normal(size=data.n_docs), tmp_path / "a.run"
    path.write_text(trec_run(data, scores, "a"))
    table = ltr.evaluate(path, data, ["ndcg@5", "map"])
    assert table.equals(ltr.evaluate(scores, data, ["ndcg@5", "map"]))


@pytest.mark.parametrize("kind", ["run", "whole", "part"])
def test_each_part_has_the_scores_that_the_file_gives_it(tmp_path, kind):
    data, path = in_pieces(), tmp_path / "a.txt"
    parts = parts_of(data)
    given = np.random.default_rng(2).normal(size=data.n_docs)  # by row, as the rows were given
    own = {split: given[part.order] for split, part in parts.items()}
    if kind == "run":
        path.write_text(trec_run(data, given, "a"))
    else:
        path.write_text("".join(f"{x!r}\n" for x in (given if kind == "whole" else own["test"]).tolist()))
    model = read_given(path, parts, NDCG)
    for split, part in parts.items():
        is_there = split == "test" or kind != "part"
        found = model.predict(part)
        assert np.array_equal(found, own[split]) if is_there else np.isnan(found).all()
        value = model.history_.set_index("split").loc[split, "value"]
        wanted = ltr.evaluate(own[split], part, ["ndcg@5"]).attrs["mean"]["ndcg@5"]
        assert value == wanted if is_there else np.isnan(value)


def test_rows_of_a_test_file_of_its_own_come_in_that_files_order(tmp_path):
    parts = {split: in_pieces(seed=seed).as_part() for seed, split in enumerate(("train", "valid", "test"))}
    by_row, path = np.arange(60.0), tmp_path / "a.txt"
    path.write_text("".join(f"{x}\n" for x in by_row))
    assert np.array_equal(read_given(path, parts, NDCG).predict(parts["test"]), by_row[parts["test"].order])


def spoilt(lines, how):
    """A run of the test queries with one thing wrong."""
    words = lines[3].split()
    first = lines[0].split()[0]
    if how == "nan":
        return [*lines[:3], " ".join([*words[:4], "nan", "x"]), *lines[4:]]
    if how == "twice":
        return [*lines, lines[3]]
    if how == "short":
        return [*lines[:3], "1 2 3", *lines[4:]]
    if how == "query":
        return [*lines, "nobody Q0 row1 1 0.5 x"]
    if how == "document":
        return [*lines, f"{first} Q0 nothing 1 0.5 x"]
    if how == "missing document":
        return lines[:-1]
    return [line for line in lines if line.split()[0] != first]


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("nan", "line 4: “nan” is not a score. Give a finite number."),
        ("twice", "stands there twice. Leave one out."),
        ("short", "line 4: 3 words, and a line of a TREC run has 6."),
        ("query", "query nobody is not in these data. Give their queries by their ids."),
        ("document", "document nothing is not in these data."),
        ("missing document", "is missing. Give every document of the data a line."),
        ("missing query", "queries are missing, query"),
    ],
)
def test_what_does_not_fit_is_one_sentence(tmp_path, how, sentence):
    parts, path = parts_of(in_pieces()), tmp_path / "a.run"
    lines = trec_run(parts["test"], np.arange(parts["test"].n_docs, dtype=float), "a").splitlines()
    path.write_text("\n".join(spoilt(lines, how)) + "\n")
    with pytest.raises(ltr.DataError) as error:
        read_given(path, parts, NDCG)
    assert sentence in str(error.value) and str(error.value).startswith("a.run")


def test_another_number_of_rows_is_one_sentence(tmp_path):
    parts, path = parts_of(in_pieces()), tmp_path / "a.txt"
    path.write_text("0.5\n" * 7)
    n = parts["test"].n_docs
    with pytest.raises(ltr.DataError, match=f"7 scores, and there are {n} test documents or the 60 of the"):
        read_given(path, parts, NDCG)
