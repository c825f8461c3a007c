"""Measures against their definitions: every option, every order of tied documents, on short lists."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core import threads
from tests import naive

TABLE = [0.5, 0.0, 2.0, 1.0, 7.0]  # not in the order of the grades, and grade 0 is worth something
WORDED = {0: 0.0, 1: 1.0, 2: 3.5, 3: 4.0, 4: 10.0}


def queries_of(seed, n_queries=40, most=6, n_scores=4, n_grades=5):
    """Short queries with many ties in scores and grades, some of one grade, some of grade 0 only."""
    rng = np.random.default_rng(seed)
    queries = []
    for q in range(n_queries):
        n = int(rng.integers(1, most + 1))
        grades = rng.integers(0, n_grades if q % 5 else 1, n).astype(float)
        queries.append((grades.tolist(), rng.integers(0, n_scores, n).astype(float).tolist()))
    return queries


def joined(queries, shuffle=None):
    """Grades, scores and query ids of all; with a seed the rows of different queries are interleaved."""
    y = np.concatenate([grades for grades, _ in queries])
    scores = np.concatenate([scores for _, scores in queries])
    qid = np.repeat(np.arange(len(queries)) * 7 % 101, [len(grades) for grades, _ in queries])
    if shuffle is not None:
        rng = np.random.default_rng(shuffle)
        rank = rng.random(len(y))
        for q in np.unique(qid):  # the rows of a query keep their order
            rank[qid == q] = np.sort(rank[qid == q])
        order = np.argsort(rank)
        y, scores, qid = y[order], scores[order], qid[order]
        _, first = np.unique(qid, return_index=True)
        seen = qid[np.sort(first)]
        positions = {q * 7 % 101: q for q in range(len(queries))}
        queries = [queries[positions[q]] for q in seen]
    return y, scores, qid, queries


def check(function, oracle, queries, **options):
    """Compare a measure with its oracle, per query and in the mean, rows of a query together or apart."""
    for shuffle in (None, 5):
        y, scores, qid, inorder = joined(queries, shuffle)
        ref = np.array([oracle(*query, **options) for query in inorder], dtype=float)
        comp = function(y, scores, qid, per_query=True, **options)
        np.testing.assert_allclose(comp, ref, rtol=1e-12, atol=1e-14)
        mean = function(y, scores, qid, **options)
        assert isinstance(mean, float)
        np.testing.assert_allclose(mean, np.nanmean(ref), rtol=1e-12)


COMMON = [
    {},
    {"ties": "file"},
    {"empty": "one"},
    {"empty": "skip", "ties": "file"},
]
DEPTHS = [{"k": 1}, {"k": 2}, {"k": 3}, {"k": 5}, {"k": 10}, {"k": 1000}, {"k": None}]
GAINS = [{"gain": "grade"}, {"gain": TABLE}, {"gain": WORDED}, {"discount": "letor"}]


@pytest.mark.parametrize(
    "options", COMMON + DEPTHS + GAINS + [{"k": 2, "gain": TABLE, "ties": "file"}], ids=str
)
def test_dcg(options):
    check(ltr.dcg, naive.query_dcg, queries_of(1), **options)


@pytest.mark.parametrize(
    "options",
    COMMON
    + DEPTHS
    + GAINS
    + [{"k": 4, "short": "zero"}, {"k": 4, "short": "zero", "empty": "one"}, {"k": None, "short": "zero"}],
    ids=str,
)
def test_ndcg(options):
    check(ltr.ndcg, naive.query_ndcg, queries_of(2), **options)


@pytest.mark.parametrize("options", COMMON + GAINS, ids=str)
def test_mean_ndcg(options):
    check(ltr.mean_ndcg, naive.query_mean_ndcg, queries_of(3, 20, 5), **options)


@pytest.mark.parametrize("options", [*COMMON, *DEPTHS, {"relevant": 3}, {"relevant": 2.5, "k": 2}], ids=str)
def test_precision(options):
    def precision(y, scores, qid, k=10, **others):
        return ltr.precision(y, scores, qid, n=k, **others)

    check(precision, naive.query_precision, queries_of(4), **options)


@pytest.mark.parametrize("options", [*COMMON, *DEPTHS, {"relevant": 3}, {"relevant": 2.5, "k": 2}], ids=str)
def test_recall(options):
    check(ltr.recall, naive.query_recall, queries_of(4), **options)


@pytest.mark.parametrize("options", [*COMMON, {"relevant": 3}, {"relevant": 2, "empty": "skip"}], ids=str)
def test_r_precision(options):
    check(ltr.r_precision, naive.query_r_precision, queries_of(4), **options)


def test_precision_calls_its_depth_n_or_k():
    y, scores, qid, _ = joined(queries_of(4))
    assert (
        ltr.precision(y, scores, qid, 3)
        == ltr.precision(y, scores, qid, n=3)
        == ltr.precision(y, scores, qid, k=3)
    )
    assert ltr.precision(y, scores, qid, n=3) != ltr.precision(y, scores, qid, n=4)


@pytest.mark.parametrize("options", [*COMMON, {"relevant": 3}, {"relevant": 2, "empty": "skip"}], ids=str)
def test_average_precision(options):
    check(ltr.average_precision, naive.query_average_precision, queries_of(5), **options)


@pytest.mark.parametrize("options", [*COMMON, *DEPTHS, {"relevant": 3}], ids=str)
def test_mrr(options):
    check(ltr.mrr, naive.query_mrr, queries_of(6), **options)


@pytest.mark.parametrize("options", [*COMMON, *DEPTHS], ids=str)
def test_err(options):
    for top in (4, 6.5):
        check(ltr.err, naive.query_err, queries_of(7), max_grade=top, **options)


def test_err_takes_the_largest_grade_of_the_data():
    y, scores, qid, _ = joined(queries_of(7))
    assert (
        ltr.err(y, scores, qid)
        == ltr.err(y, scores, qid, max_grade=4)
        != ltr.err(y, scores, qid, max_grade=5)
    )
    assert ltr.err([0, 0], [1, 2], ["a", "a"]) == 0.0


@pytest.mark.parametrize("ties", ["average", "file"])
def test_tau(ties):
    check(ltr.tau_distance, naive.query_tau_distance, queries_of(8), ties=ties)
    check(ltr.kendall_tau, naive.query_kendall_tau, queries_of(8, n_grades=40), ties=ties)


def test_tau_of_a_ranker_that_says_nothing_is_zero():
    assert ltr.kendall_tau([0, 1, 2, 3], [5, 5, 5, 5], [1, 1, 1, 1]) == 0.0
    assert ltr.tau_distance([0, 1, 2, 3], [5, 5, 5, 5], [1, 1, 1, 1]) == 0.5


def test_misorder_is_a_share_of_all_pairs():
    queries = queries_of(9)
    y, scores, qid, inorder = joined(queries, 3)
    wrong, total = naive.misordered(queries)
    assert ltr.misorder(y, scores, qid) == wrong / total
    each = [w / n if n else math.nan for w, n in (naive.misordered([query]) for query in inorder)]
    np.testing.assert_allclose(ltr.misorder(y, scores, qid, per_query=True), each)
    assert wrong / total != pytest.approx(np.nanmean(each), abs=1e-3)


@pytest.mark.parametrize("percent", [0.5, 10, 12.5, 33, 50, 99.9, 100])
@pytest.mark.parametrize("spread", [1.0, 0.001, 1e300])
def test_precision_at_percent(percent, spread):
    rng = np.random.default_rng(10)
    rough = [(g, [spread * s for s in s_]) for g, s_ in queries_of(10, 12)]
    fine = [(g, (spread * rng.normal(size=len(g))).tolist()) for g, _ in queries_of(11, 12)]
    for queries in (rough, fine, rough + fine):
        y, scores, qid, inorder = joined(queries, 4)
        assert ltr.precision_at_percent(y, scores, qid, percent) == pytest.approx(
            naive.pairs_at_percent(queries, percent), rel=1e-12
        )
        each = [naive.pairs_at_percent([query], percent) for query in inorder]
        comp = ltr.precision_at_percent(y, scores, qid, percent, per_query=True)
        np.testing.assert_allclose(comp, each, rtol=1e-12)


def test_precision_at_percent_takes_pairs_across_queries():
    y, scores, qid = [1, 0, 1, 0], [9, 0, 1, 2], ["a", "a", "b", "b"]
    assert ltr.precision_at_percent(y, scores, qid, 50) == 1.0
    assert ltr.precision_at_percent(y, scores, qid, 100) == 0.5
    assert list(ltr.precision_at_percent(y, scores, qid, 50, per_query=True)) == [1.0, 0.0]
    assert ltr.precision_at_percent([1, 0], [3, 3], [1, 1], 100) == 0.5
    assert math.isnan(ltr.precision_at_percent([1, 1], [3, 4], [1, 1], 100))


# By hand ----------------------------------------------------------------------------------------------------


def test_values_worked_out_by_hand():
    y, scores, qid = [2, 0, 1], [1.0, 3.0, 2.0], [1, 1, 1]  # ranked: 0, 1, 2
    third = 1 / math.log2(3)
    assert ltr.dcg(y, scores, qid) == pytest.approx(0 + third + 3 / 2)
    assert ltr.ndcg(y, scores, qid) == pytest.approx((third + 1.5) / (3 + third))
    assert ltr.ndcg(y, scores, qid, discount="letor") == pytest.approx((1 + 3 * third) / (3 + 1))
    assert ltr.ndcg(y, scores, qid, k=1) == 0.0
    assert ltr.precision(y, scores, qid, 2) == 0.5
    assert ltr.precision(y, scores, qid, 10) == pytest.approx(0.2)
    assert ltr.average_precision(y, scores, qid) == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert ltr.mrr(y, scores, qid) == 0.5
    assert ltr.err(y, scores, qid) == pytest.approx(1 / 4 / 2 + 3 / 4 * 3 / 4 / 3)
    assert ltr.kendall_tau(y, scores, qid) == -1.0 and ltr.misorder(y, scores, qid) == 1.0
    assert ltr.kendall_tau(y, [1, 1, 2], qid) == pytest.approx(1 - 2 * 1.5 / 3)
    assert ltr.misorder(y, [1, 1, 2], qid) == pytest.approx(2 / 3)


def test_letor_convention_is_its_bundle_and_options_given_win():
    y, scores, qid = [1, 0, 0, 2, 0], [1, 1, 0, 1, 0], [1, 1, 1, 2, 2]
    bundle = dict(discount="letor", ties="file", empty="zero", short="zero")
    for k in (1, 2, 3):
        comp = ltr.ndcg(y, scores, qid, k=k, convention="letor", per_query=True)
        np.testing.assert_array_equal(comp, ltr.ndcg(y, scores, qid, k=k, per_query=True, **bundle))
    assert list(ltr.ndcg(y, scores, qid, k=3, convention="letor", per_query=True)) == [1.0, 0.0]
    assert ltr.ndcg([0, 1], [1, 2], [1, 2], convention="letor", empty="one", k=1) == 1.0
    assert ltr.precision(y, scores, qid, 3, convention="letor") == pytest.approx(1 / 3)
    assert ltr.average_precision([0, 1], [1, 1], [1, 1], convention="letor") == 0.5
    assert ltr.average_precision([0, 1], [1, 1], [1, 1]) == 0.75


# Long lists, large grades -----------------------------------------------------------------------------------


@pytest.mark.compiled
def test_grades_beyond_the_range_of_two_to_the_r():
    y = np.arange(1, 1201, dtype=float)
    rng = np.random.default_rng(0)
    y, qid = rng.permutation(y), np.ones(1200)
    for scores in (y, -y, rng.normal(size=1200), np.zeros(1200)):
        for k in (10, None):
            value = ltr.ndcg(y, scores, qid, k=k)
            assert 0 <= value <= 1
        assert 0 < ltr.mean_ndcg(y, scores, qid) <= 1 or np.array_equal(scores, -y)
        assert 0 <= ltr.err(y, scores, qid) <= 1
    assert ltr.ndcg([600, 0], [0, 1], [1, 1], k=1) == 0.0
    assert ltr.ndcg(y, y, qid) == 1.0 and ltr.mean_ndcg(y, y, qid) == pytest.approx(1.0)
    grades, scores = [700.0, 1199.0, 1200.0, 0.0], [4.0, 2.0, 2.0, 1.0]
    ref = naive.query_ndcg(grades, scores, k=3)
    assert ltr.ndcg(grades, scores, [1] * 4, k=3) == pytest.approx(ref, rel=1e-12)
    low = naive.query_ndcg([499.0, 498.0, 3.0], [1.0, 2.0, 3.0])
    both = ltr.ndcg(grades + [499, 498, 3], scores + [1, 2, 3], [1] * 4 + [2] * 3, per_query=True)
    assert both[1] == pytest.approx(low, rel=1e-12)
    with pytest.raises(ltr.DataError, match="grade 1200 has a gain of 2\\^1200"):
        ltr.dcg(y, y, qid)
    assert ltr.dcg(y, y, qid, k=1, gain="grade") == 1200


def test_continuous_grades():
    rng = np.random.default_rng(3)
    queries = [
        (rng.uniform(0, 4, 5).tolist(), rng.integers(0, 3, 5).astype(float).tolist()) for _ in range(10)
    ]
    for k in (2, 10, None):
        check(ltr.ndcg, naive.query_ndcg, queries, k=k)
    check(ltr.mean_ndcg, naive.query_mean_ndcg, queries)
    check(ltr.err, naive.query_err, queries, max_grade=4.0)
    check(ltr.kendall_tau, naive.query_kendall_tau, queries)
    words = {grade: 2 * grade for grades, _ in queries for grade in grades}
    y, scores, qid, _ = joined(queries)
    assert ltr.ndcg(y, scores, qid, gain=words) == pytest.approx(ltr.ndcg(y, scores, qid, gain="grade"))


@pytest.mark.parametrize("n", [33, 100, 257])
@pytest.mark.parametrize("n_scores", [3, 1000])
def test_both_ways_of_finding_the_top_agree(n, n_scores):
    """Few ranks are selected, many are sorted: k = 24 and 25 take different ways; the orders are the same."""
    rng = np.random.default_rng(n)
    y, scores = rng.integers(0, 5, n), rng.integers(0, n_scores, n)
    for ties in ("average", "file"):
        for k in (1, 7, 24, 25, 32, n):
            order = np.argsort(-scores, kind="stable")
            gains = (2.0**y - 1)[order]
            if ties == "average":
                for score in np.unique(scores):
                    gains[scores[order] == score] = gains[scores[order] == score].mean()
            ref = (gains[:k] / np.log2(np.arange(2, n + 2))[:k]).sum()
            assert ltr.dcg(y, scores, np.zeros(n), k=k, ties=ties) == pytest.approx(ref, rel=1e-12)


@pytest.mark.compiled
def test_tau_of_long_lists():
    from scipy.stats import kendalltau

    rng = np.random.default_rng(4)
    n = 12_000
    y, scores = rng.permutation(n).astype(float), rng.normal(size=n)
    assert ltr.kendall_tau(y, scores, np.zeros(n)) == pytest.approx(
        kendalltau(y, scores).statistic, abs=1e-12
    )
    assert ltr.kendall_tau(y, y, np.zeros(n)) == 1.0 and ltr.kendall_tau(y, -y, np.zeros(n)) == -1.0


@pytest.mark.compiled
def test_precision_at_percent_of_many_pairs():
    rng = np.random.default_rng(5)
    y, scores, qid = rng.integers(0, 5, 1500), rng.normal(size=1500).round(2), np.repeat([3, 1, 2], 500)
    gaps, rights = [], []
    for q in (1, 2, 3):
        g, s = y[qid == q], scores[qid == q]
        i, j = np.nonzero(g[:, None] > g[None, :])
        gaps.append(s[i] - s[j])
    gaps = np.concatenate(gaps)
    rights = np.where(gaps > 0, 1.0, np.where(gaps == 0, 0.5, 0.0))
    for percent in (1, 10, 50, 100):
        wanted = math.ceil(percent * len(gaps) / 100)
        cut = np.sort(np.abs(gaps))[::-1][wanted - 1]
        above, at = np.abs(gaps) > cut, np.abs(gaps) == cut
        ref = (rights[above].sum() + (wanted - above.sum()) * rights[at].mean()) / wanted
        assert ltr.precision_at_percent(y, scores, qid, percent) == pytest.approx(ref, rel=1e-12)


@pytest.mark.compiled
def test_err_of_many_equal_scores():
    """A large group is cut where nothing is left to see; with two grades its chances are hypergeometric."""
    from scipy.stats import hypergeom

    n, relevant = 2000, 300
    y = np.r_[np.full(relevant, 4.0), np.zeros(n - relevant)]
    t = np.arange(n + 1)[:, None]
    hits = np.arange(40)[None, :]
    past = (hypergeom.pmf(hits, n, relevant, t) * (1 / 16.0) ** hits).sum(axis=1)
    ref = ((past[:-1] - past[1:]) / np.arange(1, n + 1)).sum()
    assert ltr.err(y, np.zeros(n), np.zeros(n)) == pytest.approx(ref, rel=1e-11)
    # Behind it comes what is read only by those whom nothing satisfied.
    assert ltr.err(np.r_[y, 4.0], np.r_[np.zeros(n), -1.0], np.zeros(n + 1)) == pytest.approx(ref, rel=1e-11)


# Properties -------------------------------------------------------------------------------------------------

LISTS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=40
).map(lambda rows: [np.array(column) for column in zip(*rows, strict=True)])
NAMES = ["ndcg@10", "ndcg@3", "ndcg@all", "dcg@5", "p@3", "map", "mean_ndcg", "mrr", "err", "tau", "misorder"]


@settings(max_examples=60, deadline=None)
@given(LISTS, st.randoms(use_true_random=False))
def test_shuffled_rows_and_increasing_maps_change_nothing(lists, random):
    y, scores, qid = lists
    rows = list(range(len(y)))
    random.shuffle(rows)
    data = ltr.RankingData(np.zeros((len(y), 1)), y, qid)
    moved = ltr.RankingData(np.zeros((len(y), 1)), y[rows], qid[rows])
    for name in NAMES:
        measure = ltr.measure(name)
        ref = measure.mean(data.y, scores[data.order], data.offsets)
        shuffled = measure.mean(moved.y, scores[rows][moved.order], moved.offsets)
        np.testing.assert_allclose(shuffled, ref, rtol=1e-12, atol=1e-14, err_msg=name)
        mapped = measure.mean(data.y, np.exp(scores * 3.0)[data.order], data.offsets)
        np.testing.assert_array_equal(mapped, ref, err_msg=name)


@settings(max_examples=60, deadline=None)
@given(LISTS)
def test_bounds_and_perfect_orders(lists):
    y, scores, qid = lists
    for name in NAMES:
        measure = ltr.measure(name)
        data = ltr.RankingData(np.zeros((len(y), 1)), y, qid)
        value = measure.per_query(data.y, scores[data.order], data.offsets)
        best = measure.per_query(data.y, data.y, data.offsets)
        worst = measure.per_query(data.y, -data.y, data.offsets)
        low, high = (worst, best) if measure.higher_is_better else (best, worst)
        shown = ~np.isnan(value)
        assert (low[shown] <= value[shown] + 1e-12).all() and (value[shown] <= high[shown] + 1e-12).all(), (
            name
        )
        if name.startswith("ndcg") or name == "mean_ndcg":
            relevant = np.maximum.reduceat(data.y, data.offsets[:-1]) > 0
            np.testing.assert_allclose(best, relevant.astype(float))
    tau = ltr.kendall_tau(y, scores, qid, per_query=True)
    np.testing.assert_allclose(ltr.kendall_tau(y, -scores, qid, per_query=True), -tau, atol=1e-12)


@pytest.mark.compiled
def test_one_thread_and_two_give_the_same_bits():
    rng = np.random.default_rng(6)
    offsets = np.r_[0, np.cumsum(rng.integers(1, 120, 150))]
    y, scores = rng.integers(0, 5, offsets[-1]).astype(float), rng.normal(size=offsets[-1]).round(1)
    for name in NAMES:
        bound = ltr.measure(name).bind(y, offsets)
        with threads.serial_only():
            alone, mean = bound.per_query(scores), bound.mean(scores)
        with threads.parallel_always():
            np.testing.assert_array_equal(bound.per_query(scores), alone)
            np.testing.assert_array_equal(bound.mean(scores), mean)
            again = ltr.measure(name).bind(y, offsets)
        np.testing.assert_array_equal(again.per_query(scores), alone)


# Query ids and wrong input ----------------------------------------------------------------------------------


def test_query_ids_of_any_type():
    y, scores = np.array([1, 0, 0, 2, 1]), np.array([0.1, 0.2, 0.1, 0.0, 0.5])
    ref = ltr.ndcg(y, scores, [5, 5, 5, 2, 2], per_query=True)
    for qid in (
        ["b", "b", "b", "a", "a"],
        np.array(["b", "b", "b", "a", "a"], dtype=object),
        np.array([1.5, 1.5, 1.5, 0.5, 0.5]),
        np.array([True, True, True, False, False]),
        np.array(["2001-01-02"] * 3 + ["2001-01-01"] * 2, dtype="datetime64[D]"),
    ):
        np.testing.assert_array_equal(ltr.ndcg(y, scores, qid, per_query=True), ref)
    rows = [3, 0, 4, 1, 2]
    np.testing.assert_array_equal(
        ltr.ndcg(y[rows], scores[rows], np.array([5, 5, 5, 2, 2])[rows], per_query=True), ref[::-1]
    )


def test_empty_sets_have_no_mean_and_no_warning():
    assert math.isnan(ltr.ndcg([0, 0], [1, 2], [1, 1], empty="skip"))
    assert math.isnan(ltr.kendall_tau([1, 1], [1, 2], [1, 1]))
    assert math.isnan(ltr.misorder([1, 1], [1, 2], [1, 1]))
    assert ltr.ndcg([0, 0, 1], [1, 2, 3], [1, 1, 2], empty="skip") == 1.0


@pytest.mark.parametrize(
    "change, error, sentence",
    [
        ({"scores": [1, 2]}, ltr.DataError, "the scores have shape (2,) for 3 documents"),
        ({"scores": [1, float("nan"), 2]}, ltr.DataError, "the score of document 2 is nan"),
        ({"scores": [1, 2, -float("inf")]}, ltr.DataError, "the score of document 3 is -inf"),
        ({"scores": ["a", 2, 3]}, ltr.DataError, "the scores are not numbers"),
        ({"y": [1, -1, 0]}, ltr.DataError, "the grade of document 2 is -1"),
        ({"y": [1, float("nan"), 0]}, ltr.DataError, "the grade of document 2 is nan"),
        ({"y": [1, 0]}, ltr.DataError, "the grades have shape (2,) for 3 documents"),
        ({"qid": [1, 1]}, ltr.DataError, "for 2 documents"),
        ({"qid": [1, 1, float("nan")]}, ltr.DataError, "the query id of document 3 is missing"),
        ({"qid": np.array([1, "a", None], object)}, ltr.DataError, "the query ids cannot be compared"),
        ({"y": [], "scores": [], "qid": []}, ltr.DataError, "there is no document"),
        ({"k": 0}, ltr.ParameterError, "k = 0 cannot be used. Take a whole number"),
        ({"k": 2.5}, ltr.ParameterError, "k = 2.5 cannot be used"),
        ({"gain": "exp"}, ltr.ParameterError, "gain = 'exp' cannot be used. Take one of 'exp2', 'grade'"),
        ({"gain": [0, -1]}, ltr.ParameterError, "gains are finite and not negative"),
        ({"gain": []}, ltr.ParameterError, "gain = [] cannot be used"),
        ({"gain": {"x": 1}}, ltr.ParameterError, "a mapping from grade to gain"),
        ({"gain": 3}, ltr.ParameterError, "gain = 3 cannot be used"),
        ({"gain": [0, 1]}, ltr.ParameterError, "the table has no entry for grade 2"),
        ({"gain": {0: 0, 2: 3}}, ltr.ParameterError, "the table has no entry for grade 1"),
        ({"discount": "log"}, ltr.ParameterError, "discount = 'log' cannot be used"),
        ({"ties": "random"}, ltr.ParameterError, "ties = 'random'"),
        ({"empty": None}, ltr.ParameterError, "empty = None"),
        ({"short": "skip"}, ltr.ParameterError, "short = 'skip'"),
        ({"convention": "trec"}, ltr.ParameterError, "convention = 'trec' is not known"),
    ],
)
def test_wrong_input_is_a_sentence(change, error, sentence):
    given_ = {"y": [0, 1, 2], "scores": [3, 2, 1], "qid": [1, 1, 1], **change}
    with pytest.raises(error) as caught:
        ltr.ndcg(**given_)
    assert sentence in str(caught.value)


def test_other_wrong_parameters_are_sentences():
    y, scores, qid = [0, 1, 2], [3, 2, 1], [1, 1, 1]
    with pytest.raises(ltr.ParameterError, match="max_grade = 1, and the data have grade 2"):
        ltr.err(y, scores, qid, max_grade=1)
    with pytest.raises(ltr.ParameterError, match="percent = 0"):
        ltr.precision_at_percent(y, scores, qid, 0)
    with pytest.raises(ltr.ParameterError, match="percent = 101"):
        ltr.precision_at_percent(y, scores, qid, 101)
    with pytest.raises(ltr.ParameterError, match="relevant = -1"):
        ltr.precision(y, scores, qid, relevant=-1)


def test_huge_scores_are_finite_scores():
    y, scores, qid = [1, 0, 2], [1.7e308, 1.7e308, -1.7e308], [1, 1, 1]
    assert ltr.kendall_tau(y, scores, qid) == pytest.approx(1 - 2 * 2.5 / 3)
    assert ltr.precision_at_percent(y, scores, qid, 100) == pytest.approx(0.5 / 3)
