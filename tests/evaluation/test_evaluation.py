"""`evaluate` and `compare`: whose rows scores are in, files of scores, the table of a comparison."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import ltr_core as ltr
from ltr_core.evaluation import read_scores

RNG = np.random.default_rng(0)
N = 200
X = RNG.normal(size=(N, 3)).astype(np.float32)
Y = RNG.integers(0, 3, N)
QID = np.repeat(np.arange(20), 10)
MIXED = RNG.permutation(N)  # rows of a query apart
GROUPED = ltr.RankingData(X, Y, QID)
APART = ltr.RankingData(X[MIXED], Y[MIXED], QID[MIXED])


class Linear:
    """A model of somebody else: it knows matrices only."""

    def predict(self, X):
        return np.asarray(X) @ np.array([1.0, -1.0, 0.5])


def test_one_row_for_each_query_in_the_data_s_order():
    scores = Linear().predict(APART.X)
    table = ltr.evaluate(APART.given(scores), APART, ["ndcg@5", "map", "p@5", "tau"])
    assert list(table.columns) == ["ndcg@5", "map", "p@5", "tau"]
    assert table.index.name == "query" and list(table.index) == list(APART.query_ids)
    np.testing.assert_array_equal(table["ndcg@5"], ltr.ndcg(APART.y, scores, APART.qid, k=5, per_query=True))
    np.testing.assert_array_equal(
        table["map"], ltr.average_precision(APART.y, scores, APART.qid, per_query=True)
    )
    assert table.mean()["ndcg@5"] == pytest.approx(ltr.ndcg(APART.y, scores, APART.qid, k=5))
    assert table.attrs["mean"] == {name: pytest.approx(table[name].mean()) for name in table}


def test_models_arrays_and_files_mean_the_same(tmp_path):
    ref = ltr.evaluate(Linear().predict(X[MIXED]), APART)
    assert ltr.evaluate(Linear(), APART).equals(ref)
    path = tmp_path / "scores.txt"
    path.write_text("\n".join(map(str, Linear().predict(X[MIXED]).tolist())))  # as the rows were given
    assert ltr.evaluate(path, APART).equals(ref) and ltr.evaluate(str(path), APART).equals(ref)
    assert not ltr.evaluate(Linear().predict(APART.X), APART).equals(ref)  # that is the order inside


def test_a_ranker_is_asked_with_its_queries():
    algorithm = next(iter(ltr.ALGORITHMS.values()))
    model = algorithm(**{algorithm.rounds_param: 3}).fit(GROUPED)
    assert ltr.evaluate(model, APART).equals(ltr.evaluate(model.predict(APART), APART))


def test_files_for_a_part_of_the_data(tmp_path):
    part = APART.select([3, 1, 7])
    scores = Linear().predict(X[MIXED])
    whole, own = tmp_path / "whole.txt", tmp_path / "own.txt"
    whole.write_text("\n".join(map(str, scores.tolist())))
    own.write_text("\n".join(map(str, Linear().predict(part.X).tolist())))
    ref = ltr.evaluate(Linear(), part)
    assert ltr.evaluate(whole, part).equals(ref) and ltr.evaluate(own, part).equals(ref)


def test_measures_of_the_whole_set_are_shown_within_each_query():
    scores = Linear().predict(GROUPED.X)
    table = ltr.evaluate(scores, GROUPED, ["precision@20%", "misorder"])
    np.testing.assert_array_equal(
        table["precision@20%"], ltr.precision_at_percent(Y, scores, QID, 20, per_query=True)
    )
    assert table.attrs["mean"]["precision@20%"] == ltr.precision_at_percent(Y, scores, QID, 20)
    assert table.attrs["mean"]["misorder"] == ltr.misorder(Y, scores, QID)


def test_options_go_to_the_measures_that_have_them():
    scores = Linear().predict(GROUPED.X)
    table = ltr.evaluate(scores, GROUPED, ["NDCG@3", "map", "tau"], gain="grade", relevant=2)
    assert list(table) == ["NDCG@3", "map", "tau"]  # under the names that were asked for
    np.testing.assert_array_equal(table["NDCG@3"], ltr.ndcg(Y, scores, QID, 3, gain="grade", per_query=True))
    np.testing.assert_array_equal(
        table["map"], ltr.average_precision(Y, scores, QID, relevant=2, per_query=True)
    )
    letor = ltr.evaluate(scores, GROUPED, "ndcg@11", convention="letor")
    assert (letor["ndcg@11"] == 0).all()
    own = ltr.measure("ndcg@11", short="zero")
    assert (ltr.evaluate(scores, GROUPED, [own])["ndcg@11"] == 0).all()


@pytest.mark.parametrize(
    "text, line, sentence",
    [
        (b"1\nx\n3\n", 2, "\u201cx\u201d is not a score"),
        (b"1\n\n3\n", 2, "an empty line is not a score"),
        (b"1\n2\nnan\n", 3, "\u201cnan\u201d is not a score"),
        (b"inf\n2\n3\n", 1, "\u201cinf\u201d is not a score"),
        (b"1 2\n2\n3\n", 1, "\u201c1 2\u201d is not a score"),
        (b"1\n1_000\n3\n", 2, "\u201c1_000\u201d is not a score"),
        (b"\x89PNG\r\n\x1a\n\x00", 1, "is not a score"),
        (b"1e999\n2\n3", 1, "\u201c1e999\u201d is not a score"),
    ],
)
def test_malformed_score_files(tmp_path, text, line, sentence):
    path = tmp_path / "run.txt"
    path.write_bytes(text)
    with pytest.raises(ltr.DataError) as caught:
        read_scores(path)
    assert caught.value.line == line and sentence in str(caught.value)
    assert str(caught.value).startswith(f"run.txt, line {line}: ") and "one finite number" in str(
        caught.value
    )


def test_score_files_as_they_occur(tmp_path):
    path = tmp_path / "run.txt"
    for text in (b"1\n-2.5e-3\n3", b"1\r\n-2.5e-3\r\n3\r\n\r\n", b"\xef\xbb\xbf1\n -2.5e-3 \n+3.0\n\n"):
        path.write_bytes(text)
        assert read_scores(path).tolist() == [1.0, -0.0025, 3.0]


def test_what_cannot_be_evaluated_is_a_sentence(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("1\n2\n")
    with pytest.raises(ltr.DataError, match="run.txt: 2 scores for 200 documents. Give one line for each"):
        ltr.evaluate(path, GROUPED)
    with pytest.raises(ltr.DataError, match="2 scores for 30 documents"):
        ltr.evaluate(path, GROUPED.select([5, 6, 7]))
    with pytest.raises(ltr.DataError, match="none.txt: the file cannot be read"):
        ltr.evaluate(tmp_path / "none.txt", GROUPED)
    with pytest.raises(ltr.DataError, match="scores have shape"):
        ltr.evaluate(np.zeros(3), GROUPED)
    with pytest.raises(ltr.ParameterError, match="The data are a ndarray. Give a RankingData"):
        ltr.evaluate(np.zeros(N), X)
    with pytest.raises(ltr.ParameterError, match="'ndcg@5' is asked for twice"):
        ltr.evaluate(np.zeros(N), GROUPED, ["ndcg@5", "ndcg@5"])
    with pytest.raises(ltr.ParameterError, match="No measure is asked for"):
        ltr.evaluate(np.zeros(N), GROUPED, [])
    with pytest.raises(ltr.ParameterError, match="None of the measures has an option 'gian'"):
        ltr.evaluate(np.zeros(N), GROUPED, ["ndcg@5"], gian="grade")


# compare ----------------------------------------------------------------------------------------------------

SYSTEMS = {"random": RNG.normal(size=N), "good": Y + RNG.normal(size=N), "fair": Y + 3 * RNG.normal(size=N)}


def test_compare_is_the_paired_tests_on_the_values_per_query():
    table = ltr.compare(SYSTEMS, GROUPED, measure="ndcg@5")
    values = {name: ltr.ndcg(Y, scores, QID, k=5, per_query=True) for name, scores in SYSTEMS.items()}
    assert list(table.index) == ["good", "fair"] and table.index.name == "system"
    for name, row in table.iterrows():
        difference = values[name] - values["random"]
        assert row["mean"] == pytest.approx(values[name].mean())
        assert row["baseline_mean"] == pytest.approx(values["random"].mean())
        assert row["difference"] == pytest.approx(difference.mean())
        assert (row["wins"], row["ties"], row["losses"]) == (
            (difference > 1e-12).sum(),
            (abs(difference) <= 1e-12).sum(),
            (difference < -1e-12).sum(),
        )
        assert row["n_queries"] == 20 == row["wins"] + row["ties"] + row["losses"]
        assert row["p"] == pytest.approx(stats.ttest_rel(values[name], values["random"]).pvalue)
        greater = stats.ttest_rel(values[name], values["random"], alternative="greater").pvalue
        assert row["p_one_sided"] == pytest.approx(greater)
        assert row["p_random"] == pytest.approx(row["p"], abs=0.05)
    low, high = sorted(table["p"])
    assert sorted(table["p_holm"]) == pytest.approx([2 * low, max(2 * low, high)])
    good = table.loc["good"]
    assert good["sentence"] == (
        f"good {good['difference']:+.3f} NDCG@5 over random, better on {good['wins']} of 20 queries, "
        f"equal on {good['ties']}, worse on {good['losses']}, "
        + ("p < 0.001" if good["p_holm"] < 0.001 else f"p = {good['p_holm']:.3f}")
        + " (Holm)"
    )


def test_another_baseline_flips_the_difference():
    forth = ltr.compare(SYSTEMS, GROUPED, baseline="random").loc["good"]
    back = ltr.compare(SYSTEMS, GROUPED, baseline="good").loc["random"]
    assert back["difference"] == -forth["difference"] and back["p"] == pytest.approx(forth["p"])
    assert (back["wins"], back["ties"], back["losses"]) == (forth["losses"], forth["ties"], forth["wins"])
    assert back["p_one_sided"] == pytest.approx(1 - forth["p_one_sided"])
    assert "below good" in back["sentence"]


def test_lower_may_be_better():
    table = ltr.compare(SYSTEMS, GROUPED, measure="tau_distance", baseline="random")
    good = table.loc["good"]
    assert good["difference"] < 0 and good["wins"] > good["losses"] and good["p_one_sided"] < 0.5
    mirror = ltr.compare(SYSTEMS, GROUPED, measure="tau", baseline="random").loc["good"]
    assert good["wins"] == mirror["wins"] and good["p"] == pytest.approx(mirror["p"])


def test_seed_and_options():
    once = ltr.compare(SYSTEMS, GROUPED, measure="ndcg@3", seed=3, gain="grade")
    assert once.equals(ltr.compare(SYSTEMS, GROUPED, measure="ndcg@3", seed=3, gain="grade"))
    assert not once["p_random"].equals(
        ltr.compare(SYSTEMS, GROUPED, measure="ndcg@3", seed=4, gain="grade")["p_random"]
    )
    assert once["mean"]["good"] == ltr.ndcg(Y, SYSTEMS["good"], QID, k=3, gain="grade")


@pytest.mark.filterwarnings("error")
def test_comparisons_with_little_to_compare():
    same = ltr.compare({"a": SYSTEMS["good"], "b": 2 * SYSTEMS["good"] + 1}, GROUPED).loc["b"]
    assert (same["difference"], same["ties"], same["p"], same["p_random"]) == (0.0, 20, 1.0, 1.0)
    assert same["sentence"] == "b equals a in NDCG@10 on all 20 queries"
    single = GROUPED.select([0])
    two = ltr.compare({"a": np.arange(10), "b": -np.arange(10)}, single).loc["b"]
    assert math.isnan(two["p"]) and math.isnan(two["p_holm"]) and two["p_random"] == 1.0
    assert "on a single query: too few for a test" in two["sentence"]
    flat = ltr.RankingData(X, np.zeros(N), QID)
    left = ltr.compare(SYSTEMS, flat, empty="skip").loc["good"]
    assert (
        left["n_queries"] == 0 and math.isnan(left["difference"]) and "cannot be compared" in left["sentence"]
    )
    some = ltr.RankingData(X, np.where(QID < 5, 0, Y), QID)
    assert ltr.compare(SYSTEMS, some, empty="skip").loc["good"]["n_queries"] == 15


def test_wrong_comparisons_are_sentences():
    with pytest.raises(ltr.ParameterError, match="at least two systems"):
        ltr.compare({"a": SYSTEMS["good"]}, GROUPED)
    with pytest.raises(
        ltr.ParameterError, match="baseline = 'x' is none of the systems. Take one of 'random', 'good'"
    ):
        ltr.compare(SYSTEMS, GROUPED, baseline="x")
    with pytest.raises(ltr.ParameterError, match="There is no measure 'ndgc'"):
        ltr.compare(SYSTEMS, GROUPED, measure="ndgc")
