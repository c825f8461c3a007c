"""Generated data sets: their shapes, their proportions, and that a seed is one set."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.datasets import DATASETS, bundle, cubic
from ltr_core.datasets.parts.latent import as_share, as_tail, draw_sizes, draw_target
from tests import naive

SMALL = {
    "tiny": {},
    "tiny-web": {"n_pages": 150, "n_queries": 8, "n_docs": 12},
    "cubic": {"n_queries": 20, "n_docs": 10},
    "ohsumed-like": {"n_queries": 10, "n_docs": 20},
    "web1-like": {"n_queries": 30},
    "web2-like": {"n_queries": 10, "n_docs": 12, "n_features": 60},
    "mq2008-list-like": {"n_queries": 3, "n_docs": 40},
    "engine": {"n_queries": 30},
}
SIZES = {  # the papers' shapes: features, queries, documents, at the sizes that are the defaults
    "tiny": (3, 6, 48), "tiny-web": (14, 60, 1_800), "cubic": (50, 200, 10_000),
    "ohsumed-like": (45, 106, 16_112), "web1-like": (245, 1_000, 11_000),
    "mq2008-list-like": (46, 40, 40_000),
}  # fmt: skip


def _shares(data: ltr.RankingData) -> np.ndarray:
    return np.bincount(data.y.astype(int)) / data.n_docs


def _constant_within_queries(data: ltr.RankingData) -> np.ndarray:
    low = np.minimum.reduceat(data.X, data.offsets[:-1])
    return (low == np.maximum.reduceat(data.X, data.offsets[:-1])).all(axis=0)


def test_every_set_is_known_here():
    assert set(SMALL) == set(DATASETS)


@pytest.mark.parametrize("name", SMALL)
def test_a_seed_is_one_set_and_seeds_differ(name):
    one, again = (ltr.datasets.make(name, seed=3, **SMALL[name]) for _ in range(2))
    assert one.fingerprint == again.fingerprint
    assert (one.qid == again.qid).all()
    assert one.doc_ids is None or (one.doc_ids == again.doc_ids).all()
    assert ltr.datasets.make(name, seed=4, **SMALL[name]).fingerprint != one.fingerprint


def test_a_seed_is_the_same_set_in_another_process():
    code = (
        "import json, sys, ltr_core as ltr\n"
        "small = json.loads(sys.argv[1])\n"
        "print(json.dumps({n: ltr.datasets.make(n, 7, **s).fingerprint for n, s in small.items()}))"
    )
    there = subprocess.run(
        [sys.executable, "-c", code, json.dumps(SMALL)], capture_output=True, text=True, check=True
    )
    here = {name: ltr.datasets.make(name, 7, **size).fingerprint for name, size in SMALL.items()}
    assert json.loads(there.stdout) == here


@pytest.mark.parametrize("name", SMALL)
def test_entries_describe_themselves(name):
    entry = DATASETS[name]
    assert entry.name == name and entry.label
    assert entry.summary.endswith(".") and entry.summary.count(". ") == 0
    assert len(entry.description) > len(entry.summary)
    assert sum(entry.split) == pytest.approx(1)
    for param in entry.params:
        assert param.help.endswith(".") and param.check(param.default, name) == param.default


@pytest.mark.parametrize("name", SIZES)
def test_default_sizes_are_the_papers_or_say_so(name):
    data = ltr.datasets.make(name)
    assert (data.n_features, data.n_queries, data.n_docs) == SIZES[name]
    assert data.name == name
    assert np.isfinite(data.X).all() and np.ptp(data.X, axis=0).min() >= 0


@pytest.mark.parametrize("name", [name for name in SMALL if name != "tiny"])
def test_the_smallest_set_of_each_kind_is_a_set(name):
    least = {p.name: p.low for p in DATASETS[name].params if p.kind == "int"}
    if name == "tiny-web":
        least["n_pages"] = 50
    data = ltr.datasets.make(name, **least)
    assert data.n_docs >= 1 and data.n_queries >= 1


def test_wrong_names_and_sizes_get_a_sentence():
    with pytest.raises(ltr.ParameterError, match="no data set 'cubics'.*cubic"):
        ltr.datasets.make("cubics")
    with pytest.raises(ltr.ParameterError, match="no parameter 'n_pages'"):
        ltr.datasets.make("cubic", n_pages=3)
    with pytest.raises(ltr.ParameterError, match="n_queries = 0"):
        ltr.datasets.make("cubic", n_queries=0)
    with pytest.raises(ltr.ParameterError, match="seed"):
        ltr.datasets.make("cubic", seed=-1)
    with pytest.raises(ltr.ParameterError, match="as many documents as pages"):
        ltr.datasets.make("tiny-web", n_pages=50, n_docs=60)


# cubic


@pytest.mark.parametrize("n_grades", [2, 5])
def test_cubic_grades_are_the_polynomial_cut_into_steps(n_grades):
    data = ltr.datasets.make("cubic", seed=2, n_queries=4, n_docs=9, n_features=6, n_grades=n_grades)
    features, coefficients = cubic._draw_polynomial(cubic.rng_for("cubic", 2, "polynomial"), 6)
    assert sorted(np.bincount((features >= 0).sum(axis=1))[1:]) == [6, 6, 6]
    reference = cubic._draw_rows(cubic.rng_for("cubic", 2, "reference"), 16_384, 6)
    values = cubic._values(reference, features, coefficients)
    shares = 0.5 ** np.arange(n_grades) / (0.5 ** np.arange(n_grades)).sum()
    cuts = np.quantile(values, np.cumsum(shares)[:-1])
    assert naive.cubic_grades(data.X, features, coefficients, cuts) == list(data.y)


def test_cubic_is_uniform_and_its_grades_halve():
    data = ltr.datasets.make("cubic", n_queries=400)
    assert data.X.min() >= -1 and data.X.max() < 1
    assert abs(data.X.mean()) < 0.01 and data.X.var() == pytest.approx(1 / 3, abs=0.01)
    assert _shares(data) == pytest.approx(np.array([16, 8, 4, 2, 1]) / 31, abs=0.02)


def test_more_queries_of_cubic_append_to_fewer():
    few = ltr.datasets.make("cubic", n_queries=300, n_docs=60, noise=0.5)
    many = ltr.datasets.make("cubic", n_queries=350, n_docs=60, noise=0.5)
    assert (many.X[: few.n_docs] == few.X).all() and (many.y[: few.n_docs] == few.y).all()


def test_noise_changes_grades_but_not_features_of_cubic():
    clean, noisy = (ltr.datasets.make("cubic", n_queries=50, noise=noise) for noise in (0.0, 1.0))
    assert (clean.X == noisy.X).all()
    assert 0.2 < (clean.y != noisy.y).mean() < 0.8
    assert _shares(noisy) == pytest.approx(_shares(clean), abs=0.04)


# tiny


def test_tiny_can_be_read_and_no_feature_ranks_it():
    data = ltr.datasets.make("tiny")
    assert data.feature_names == ("title match", "link popularity", "freshness")
    assert (np.diff(data.offsets) == 8).all() and data.n_queries == 6
    assert data.X.min() >= 0 and data.X.max() <= 1
    assert len(set(zip(data.qid, data.doc_ids, strict=True))) == 48
    assert set(data.y) == {0, 1, 2, 3, 4}
    best = max(ltr.ndcg(data.y, sign * data.X[:, k], data.qid) for k in range(3) for sign in (1, -1))
    assert 0.5 < best < 0.9


# in the shape of the papers' sets


def test_ohsumed_like_has_the_papers_proportions():
    data = ltr.datasets.make("ohsumed-like")
    assert _shares(data) == pytest.approx([0.70, 0.16, 0.14], abs=0.001)
    assert _constant_within_queries(data).sum() == 9
    assert 70 < np.diff(data.offsets).min() < 110 and 200 < np.diff(data.offsets).max() < 240
    strong = np.abs(np.corrcoef(data.X.T)) > 0.9
    assert strong.sum() - len(strong) > 20  # correlated, as statistics of the same words are


def test_web1_like_has_continuous_grades_and_binary_features():
    data = ltr.datasets.make("web1-like")
    assert data.y.min() == 0 and 3.5 < data.y.max() <= 4
    assert len(np.unique(data.y)) > 1_000
    assert 0.3 < (data.y == 0).mean() < 0.5
    assert data.X.min() >= 0 and data.X.max() <= 1
    binary = ((data.X == 0) | (data.X == 1)).all(axis=0)
    assert 50 <= binary.sum() <= 75
    assert _constant_within_queries(data).sum() >= 15
    assert np.diff(data.offsets).mean() == 11


def test_web2_like_at_full_width():
    data = ltr.datasets.make("web2-like", n_queries=30)
    assert data.n_features == 1_779 and (np.diff(data.offsets) == 107).all()
    assert _shares(data) == pytest.approx([0.50, 0.24, 0.16, 0.07, 0.03], abs=0.001)
    assert _constant_within_queries(data).sum() >= 1_779 // 20
    assert {p.name: p.default for p in DATASETS["web2-like"].params}["n_queries"] == 467


def test_mq2008_list_like_is_a_full_order_scaled_within_queries():
    data = ltr.datasets.make("mq2008-list-like", n_queries=3, n_docs=200)
    for a, b in zip(data.offsets[:-1], data.offsets[1:], strict=True):
        assert sorted(data.y[a:b]) == list(range(1, 201))
        spread = np.ptp(data.X[a:b], axis=0)
        assert np.isin(spread, [0, 1]).all() and (spread == 0).sum() == 5
    assert _constant_within_queries(data).sum() == 5


def test_mq2008_list_like_has_hidden_order():
    """Some features stand at levels that follow relevance out of turn, which no direction shows."""
    data = ltr.datasets.make("mq2008-list-like", n_queries=20, n_docs=300, noise=0.0)
    eighths = np.array_split(np.arange(300), 8)
    centers = np.stack(
        [
            [data.X[a:b][np.argsort(data.y[a:b])[part]].mean(axis=0) for part in eighths]
            for a, b in zip(data.offsets[:-1], data.offsets[1:], strict=True)
        ]
    ).mean(axis=0)
    spread = np.ptp(centers, axis=0)
    turns = (np.diff(np.sign(np.diff(centers, axis=0)), axis=0) != 0).sum(axis=0)
    assert 10 <= ((turns >= 2) & (spread > 0.2)).sum() <= 16
    assert ((turns == 0) & (spread > 0.05)).sum() >= 6
    assert (spread < 0.03).sum() >= 12


def test_engine_has_unlabelled_pages_and_single_grade_queries():
    data = ltr.datasets.make("engine")
    part = np.array([query[:2] for query in data.query_ids])
    assert [(part == name).sum() for name in ("L1", "L2", "L3")] == [200, 130, 140]
    unlabelled = np.array(["unlabelled" in doc for doc in data.doc_ids])
    assert (data.y[unlabelled] == 0).all()
    for q, (a, b) in enumerate(zip(data.offsets[:-1], data.offsets[1:], strict=True)):
        if part[q] == "L1":
            assert len(set(data.y[a:b])) == 1 and not unlabelled[a:b].any()
        else:
            assert unlabelled[a:b].sum() == 20
    assert {4.0, 0.0} == {data.y[a] for a in data.offsets[:-1][part == "L1"]}
    assert _constant_within_queries(data).sum() == 15
    assert len(set(data.doc_ids)) == data.n_docs


def test_engines_parts_are_the_same_alone_and_together():
    whole = ltr.datasets.make("engine", n_queries=60)
    for name in ("L1", "L2", "L3", "L1+L2"):
        alone = ltr.datasets.make("engine", n_queries=60, part=name)
        wanted = np.isin([query[:2] for query in whole.query_ids], name.split("+"))
        assert alone.fingerprint == whole.select(np.flatnonzero(wanted)).fingerprint
    assert ltr.datasets.make("engine", n_queries=60, part="L1").n_pairs == 0


def test_engine_without_unlabelled_pages_is_fully_judged():
    data = ltr.datasets.make("engine", part="L2", n_unlabelled=0, n_judged=31)
    assert all("judged" in doc for doc in data.doc_ids)
    assert _shares(data) == pytest.approx([0.30, 0.27, 0.23, 0.13, 0.07], abs=0.06)


@pytest.mark.parametrize(
    "name, size",
    [
        ("cubic", {"n_queries": 300}),
        ("ohsumed-like", {}),
        ("web1-like", {}),
        ("engine", {"part": "L2"}),
        ("tiny-web", {}),
        ("web2-like", {"n_queries": 120, "n_features": 200}),
    ],
)
def test_a_linear_model_learns_and_is_not_perfect(name, size):
    data = ltr.datasets.make(name, **size)
    train, test = (data.select(range(k, data.n_queries, 2)) for k in (0, 1))
    mean, deviation = train.X.mean(axis=0), train.X.std(axis=0) + 1e-6
    A = (train.X - mean).astype(np.float64) / deviation
    weights = np.linalg.solve(A.T @ A + 0.02 * len(A) * np.eye(A.shape[1]), A.T @ (train.y - train.y.mean()))
    linear = ltr.ndcg(test.y, (test.X - mean) / deviation @ weights, test.qid)
    chance = ltr.ndcg(test.y, np.zeros(test.n_docs), test.qid)
    assert chance + 0.1 < linear < 0.9


# what they share


@given(st.integers(1, 60), st.integers(1, 200), st.integers(0, 2**31))
@settings(max_examples=40, deadline=None)
def test_sizes_are_about_the_mean_and_never_nothing(n_queries, mean, seed):
    sizes = draw_sizes(np.random.default_rng(seed), n_queries, mean)
    assert len(sizes) == n_queries and sizes.min() >= 1
    if mean > 2:
        assert sizes.sum() == n_queries * mean
    assert sizes.max() <= max(3 * mean + 1, 2)


def test_the_target_has_variance_one_and_its_parts():
    target = draw_target(np.random.default_rng(0), 16, (0.5, 0.3, 0.2))
    z = np.random.default_rng(1).standard_normal((60_000, 16))
    values = target.values(z)
    row = z[0]
    by_hand = sum(w * row[k] for k, w in enumerate(target.linear))
    by_hand += sum(
        w * row[a] * row[b] for (a, b), w in zip(target.products, target.product_weights, strict=True)
    )
    by_hand += sum(w * (1 - row[k] ** 2) for k, w in zip(target.humps, target.hump_weights, strict=True))
    assert values[0] == pytest.approx(by_hand)
    assert values.var() == pytest.approx(1, abs=0.15)
    assert np.var(z @ target.linear) == pytest.approx(0.5, abs=0.02)


def test_shares_and_tails_keep_order_and_stay_in_range():
    raw = np.linspace(-6, 6, 2_001, dtype=np.float32)
    for mapped in (as_share, as_tail):
        out = np.empty_like(raw)
        mapped(raw, out)
        assert (np.diff(out) >= 0).all() and out.min() >= 0 and out.max() <= 1
        assert (out == np.round(out, 3)).all()


# the bundled set


def test_the_bundled_files_are_what_is_generated():
    folder = ltr.datasets.DATA_FOLDER / bundle.NAME
    files = bundle.files()
    assert len(files) == 15
    for name, text in files.items():
        assert (folder / name).read_text(encoding="utf-8") == text, "run python -m ltr_core.datasets.bundle"
    assert sum(len(text.encode()) for text in files.values()) < 1_000_000
    assert {str(p.relative_to(folder)) for p in folder.rglob("*.txt")} == set(files)


def test_the_bundled_folds_are_letors():
    data = bundle.make()
    for number in range(1, 6):
        train, valid, test = ltr.datasets.found(ltr.datasets.DATA_FOLDER)[0].load_fold(number)
        assert (train.n_queries, valid.n_queries, test.n_queries) == (60, 20, 20)
        assert len({*train.query_ids, *valid.query_ids, *test.query_ids}) == 100
        for part in (train, valid, test):
            rows = np.isin(data.qid, part.query_ids)
            order = np.lexsort((np.arange(part.n_docs), part.qid))
            assert (part.X[order] == data.X[rows]).all() and (part.y[order] == data.y[rows]).all()
            assert (np.asarray(part.doc_ids)[order] == data.doc_ids[rows]).all()
