"""FeatureMix: named features, paper 003's mix, and the mix tuned on validation."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr


@pytest.fixture(scope="module")
def parts():
    data = ltr.datasets.make("tiny-web", n_pages=400, n_queries=40, n_docs=20)
    return ltr.split(data, (0.5, 0.25, 0.25), seed=0)


def scaled(train, data, name):
    k = train.feature_names.index(name)
    low, high = train.X[:, k].min(), train.X[:, k].max()
    return (data.X[:, k].astype(float) - low) / (float(high) - low)


@pytest.mark.parametrize(
    "weights",
    [
        "BM25",
        "bm25 = 1",
        {"BM25": 1},
        " BM25 ; ",
    ],
)
def test_one_feature_ranks_by_it(parts, weights):
    train, _, test = parts
    model = ltr.FeatureMix(weights=weights).fit(train)
    np.testing.assert_allclose(model.predict(test), scaled(train, test, "BM25"), atol=1e-6)


@pytest.mark.parametrize(
    "weights",
    [
        "BM25=0.8, PageRank=0.2",
        "pagerank=0.2; bm25=0.8",
        {"PageRank": 0.2, "BM25": 0.8},
    ],
)
def test_the_papers_mix(parts, weights):
    train, _, test = parts
    model = ltr.FeatureMix(weights=weights).fit(train)
    expected = 0.8 * scaled(train, test, "BM25") + 0.2 * scaled(train, test, "PageRank")
    np.testing.assert_allclose(model.predict(test), expected, atol=1e-6)
    parts_of = model.explain(test)
    assert (parts_of != 0).any(axis=0).sum() == 2


def test_a_name_with_a_comma_is_a_name(parts):
    train, _, test = parts
    name = "hyperlink score, weighted in-link"
    model = ltr.FeatureMix(weights=name).fit(train)
    np.testing.assert_allclose(model.predict(test), scaled(train, test, name), atol=1e-6)
    two = ltr.FeatureMix(weights=f"{name}=0.5; BM25=-1").fit(train)
    expected = 0.5 * scaled(train, test, name) - scaled(train, test, "BM25")
    np.testing.assert_allclose(two.predict(test), expected, atol=1e-6)


@pytest.mark.parametrize(
    "weights, message",
    [
        ("BM26", "no feature 'BM26'.*BM25"),
        ("BM25=much", "cannot be used"),
        ("", "cannot be used"),
        ("BM25=inf", "cannot be used"),
        ({}, "cannot be used"),
        (3, "cannot be used"),
        ({"BM25": "x"}, "cannot"),
    ],
)
def test_what_cannot_be_used_gets_a_sentence(parts, weights, message):
    with pytest.raises(ltr.ParameterError, match=message):
        ltr.FeatureMix(weights=weights).fit(parts[0])


def test_bm25_and_pagerank_are_tuned_on_validation(parts):
    train, valid, _ = parts
    model = ltr.FeatureMix().fit(train, eval_set={"valid": valid})
    text, rank = (train.feature_names.index(name) for name in ("BM25", "PageRank"))
    share = model.weights_[text]
    assert share + model.weights_[rank] == pytest.approx(1)
    assert np.flatnonzero(model.weights_).tolist() in ([text, rank], [text], [rank])

    def value(a):
        mixed = a * scaled(train, valid, "BM25") + (1 - a) * scaled(train, valid, "PageRank")
        return ltr.ndcg(valid.y, mixed, valid.qid)

    best = max(value(a) for a in np.linspace(0, 1, 21))
    assert value(share) == pytest.approx(best) and 0 < share < 1
    loss = model.history_.query("split == 'valid' and measure == 'loss'")["value"].iloc[-1]
    assert loss == pytest.approx(1 - best, abs=1e-9)


def test_without_those_names_the_best_features_are_found():
    data = ltr.datasets.make("cubic", n_queries=60, n_features=6)
    train, valid, test = ltr.split(data, (0.6, 0.2, 0.2), seed=0)
    model = ltr.FeatureMix().fit(train, eval_set={"valid": valid})
    single = max(ltr.ndcg(valid.y, s * valid.X[:, k], valid.qid) for k in range(6) for s in (1, -1))
    mixed = ltr.ndcg(valid.y, model.predict(valid), valid.qid)
    assert mixed > single + 0.02
    assert 2 <= (model.weights_ != 0).sum() <= 5
    on_train = ltr.FeatureMix().fit(train)
    assert ltr.ndcg(train.y, on_train.predict(train), train.qid) >= ltr.ndcg(
        train.y, model.predict(train), train.qid
    )


def test_a_mapping_goes_into_the_models_file(parts, tmp_path):
    model = ltr.FeatureMix(weights={"BM25": 0.8, "PageRank": 0.2}).fit(parts[0])
    model.save(tmp_path / "m.json")
    loaded = ltr.load_model(tmp_path / "m.json")
    assert loaded.weights == {"BM25": 0.8, "PageRank": 0.2}
    assert np.array_equal(loaded.predict(parts[2]), model.predict(parts[2]))
