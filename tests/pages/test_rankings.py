"""Rankings: every number on screen is the core's, every list in order, every shift a difference of ranks."""

from __future__ import annotations

import html
import math
import re

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.datasets import tiny_web
from pages.ui.charts.rankings import draw_differences, draw_slopes
from pages.ui.charts.scores import draw_parts, draw_rounds
from pages.ui.rankings import html as rankings_html
from pages.ui.style.theme import LIGHT, stroke
from pages.ui.tables import comparison, outcomes
from pages.ui.tables import queries as tables
from pages.ui.tables.documents import Page
from tests.dashboard import jobs, open_app, text_of

LINK = "data.cubic..cubic-n_queries.60..cubic-n_docs.12..cubic-n_features.5..ndcg-k.5"
RUNS = "r0.MPBoost.ddf.binary.n_rounds.20..r1.MPBoost.n_rounds.25..r2.GBT.n_trees.15"
GARBAGE = f"{RUNS}..rank_query.nowhere..rank_run.9..rank_round.999999..rank_doc.777"
RUNS += "..rank_run.1"  # whichever run the headline names


@pytest.fixture(scope="module")
def splits():
    return ltr.split(ltr.datasets.make("cubic", n_queries=60, n_docs=12, n_features=5), (0.6, 0.2, 0.2))


def screen_of(app):
    return app.session_state["_screen"]


def lists_of(app):
    """Read the lists off the screen: slot → (value, [(rank, doc, grade, shift, score)])."""
    (text,) = [h.value for h in app.get("html") if 'class="lists' in h.value]
    lists = {}
    for slot, body in re.findall(r'<section class="ranked" data-slot="(-?\d+)".*?>(.*?)</section>', text):
        value = float(re.search(r'class="value">.*?<b>(.*?)</b>', body)[1].replace("−", "-"))
        rows = []
        for doc, item in re.findall(r'<li [^>]*?data-doc="(\d+)"[^>]*>(.*?)</li>', body):
            rank = int(re.search(r'class="rank">(\d+)<', item)[1])
            grade = float(re.search(r'class="grade"[^>]*>([\d.]+)<', item)[1])
            moved = re.search(r"(▲|▼) (\d+)", item)
            shift = (1 if moved[1] == "▲" else -1) * int(moved[2]) if moved else 0
            rows.append((rank, int(doc), grade, shift))
        lists[int(slot)] = value, rows
    return lists


def dcg(grades, k):
    return sum((2**g - 1) / math.log2(j + 2) for j, g in enumerate(grades[:k]))


def test_wins_ties_and_losses_are_the_cores_and_all_queries(splits):
    app = open_app(f"{LINK}..{RUNS}", page="rankings")
    assert not app.exception
    screen, test = screen_of(app), splits[2]
    scores = {
        x.name: x.trained.model.predict(test, iteration=outcomes.chosen_iteration(screen, x.trained))
        for x in screen.runs
    }
    compared = ltr.compare(scores, test, screen.measure).iloc[0]
    (tally,) = [h.value for h in app.get("html") if 'class="tally"' in h.value]
    text = html.unescape(re.sub(r"<[^>]+>", " ", tally.partition('class="tally"')[2]))
    won, tied, lost, total = map(int, re.findall(r"\d+", text.partition("·")[0]))
    assert (won, tied, lost) == (compared.wins, compared.ties, compared.losses)
    assert won + tied + lost == total == test.n_queries
    frame = tables.differences(screen, screen.runs[1], screen.runs[0], "test")
    assert len(frame) == test.n_queries and frame["difference"].is_monotonic_increasing
    a, b = (ltr.ndcg(test.y, scores[screen.runs[i].name], test.qid, k=5, per_query=True) for i in (1, 0))
    assert np.array_equal(frame.sort_values("position")["difference"], a - b)
    assert frame["difference"].mean() == pytest.approx(compared.difference, abs=1e-12)


def test_the_worst_query_is_shown_first_and_ndcg_by_hand_is_what_is_printed(splits):
    app = open_app(f"{LINK}..{RUNS}", page="rankings")
    test, worst = splits[2], tables.differences(screen_of(app), *screen_of(app).runs[1::-1], "test").iloc[0]
    assert app.selectbox("pick-rank_query").value == worst["query"]
    lists = lists_of(app)
    assert list(lists) == [-1, 0, 1, 2]
    grades = test.y[test.offsets[worst["position"]] : test.offsets[worst["position"] + 1]]
    ideal, order = lists[-1]
    assert ideal == 1.0 and [row[2] for row in order] == sorted(grades, reverse=True)[:10]
    for slot, (value, rows) in lists.items():
        assert [row[0] for row in rows] == list(range(1, 11))
        assert [row[2] for row in rows] == [grades[row[1] - 1] for row in rows]
        if not any(x.rows["tied"].any() for x in all_lists(app) if x.slot == slot):
            by_hand = dcg([row[2] for row in rows], 5) / dcg([row[2] for row in order], 5)
            assert f"{by_hand:.4f}" == f"{value:.4f}"
    assert (
        f"{lists[1][0]:.4f}" == f"{worst['value']:.4f}" and f"{lists[0][0]:.4f}" == f"{worst['baseline']:.4f}"
    )


def all_lists(app, at=None, against="baseline", split="test"):
    frame = tables.differences(screen_of(app), *screen_of(app).runs[1::-1], split)
    return tables.query_lists(screen_of(app), split, int(frame["position"].iloc[0]), at, against)


@pytest.mark.parametrize("against", ["baseline", "ideal"])
def test_shifts_are_differences_of_ranks(against):
    app = open_app(f"{LINK}..{RUNS}..rank_against.{against}..rank_whole.1", page="rankings")
    lists = lists_of(app)
    reference = {row[1]: row[0] for row in lists[0 if against == "baseline" else -1][1]}
    assert len(reference) == 12
    for slot, (_, rows) in lists.items():
        if slot != -1:
            assert [row[3] for row in rows] == [reference[row[1]] - row[0] for row in rows]
            assert sum(row[3] for row in rows) == 0
    assert any(row[3] for _, rows in lists.values() for row in rows)


def test_the_slider_moves_all_lists(splits):
    app = open_app(f"{LINK}..{RUNS}", page="rankings")
    test, frame = splits[2], tables.differences(screen_of(app), *screen_of(app).runs[1::-1], "test")
    position = int(frame["position"].iloc[0])
    rows = slice(test.offsets[position], test.offsets[position + 1])
    slider = app.slider("pick-rank_round")
    assert (slider.min, slider.max) == (0, 25)
    for t in (0, 7, 22, 25):
        app.slider("pick-rank_round").set_value(t).run()
        assert not app.exception and f"rank_round.{t}" in app.session_state["s"]
        lists = lists_of(app)
        for run in screen_of(app).runs:
            scores = run.trained.model.predict(test, iteration=min(t, run.trained.model.n_iter_))[rows]
            assert [row[1] - 1 for row in lists[run.slot][1]] == list(np.argsort(-scores, kind="stable")[:10])
            assert f"round {min(t, run.trained.model.n_iter_)} of" in text_of(app)
            value = ltr.ndcg(test.y[rows], scores, np.zeros(12), k=5)
            assert f"{lists[run.slot][0]:.4f}" == f"{value:.4f}"
    app.button("rank-compared").click().run()
    assert "rank_round" not in app.session_state["s"]


def test_equal_scores_are_marked_and_the_expectation_is_told_from_the_order():
    """At round 0 all scores are equal: the list is in file order, the value the mean over all orders."""
    app = open_app(f"{LINK}..{RUNS}..rank_round.0", page="rankings")
    listed = next(x for x in all_lists(app, at=0) if x.slot == 0)
    assert listed.rows["tied"].all() and list(listed.rows["doc"]) == list(range(12))
    (text,) = [h.value for h in app.get("html") if 'class="lists' in h.value]
    assert text.count("≈</i>") >= 10
    grades = list(listed.rows["grade"])
    ideal = dcg(sorted(grades, reverse=True), 5)
    mean = np.mean([2**g - 1 for g in grades]) * sum(1 / math.log2(j + 2) for j in range(5)) / ideal
    assert listed.value == pytest.approx(mean, abs=1e-12)
    assert listed.as_listed == pytest.approx(dcg(grades, 5) / ideal, abs=1e-12)
    assert f"{listed.as_listed:.4f} as listed" in text


@pytest.mark.parametrize("split", ["valid", "train"])
def test_other_splits(split, splits):
    app = open_app(f"{LINK}..{RUNS}..rank_split.{split}", page="rankings")
    part = splits[("train", "valid", "test").index(split)]
    frame = tables.differences(screen_of(app), *screen_of(app).runs[1::-1], split)
    assert list(frame.sort_values("position")["query"]) == [str(q) for q in part.query_ids]
    assert f"{len(frame)} {'validation' if split == 'valid' else 'training'} queries" in text_of(app)


def test_query_run_and_document_are_in_the_link():
    app = open_app(f"{LINK}..{RUNS}", page="rankings")
    third = app.selectbox("pick-rank_query").options[2].split()[0]
    app.selectbox("pick-rank_query").select(third).run()
    app.selectbox("pick-rank_run").select(2).run()
    app.selectbox("pick-rank_doc").select(4).run()
    app.selectbox("pick-rank_why").select(0).run()
    link = app.session_state["s"]
    for part in (f"rank_query.{third}", "rank_run.2", "rank_doc.4", "rank_why.0"):
        assert part in link.split("..")
    again = open_app(link, page="rankings")
    assert not again.exception and again.selectbox("pick-rank_query").value == third
    assert again.selectbox("pick-rank_run").value == 2 and again.selectbox("pick-rank_doc").value == 4
    assert lists_of(again) == lists_of(app)
    other = app.selectbox("pick-rank_query").options[0].split()[0]
    app.selectbox("pick-rank_query").select(other).run()
    assert "rank_doc" not in app.session_state["s"], "another query, another first document"


def test_garbage_in_the_link_is_the_default():
    app = open_app(f"{LINK}..{GARBAGE}", page="rankings")
    assert not app.exception and app.slider("pick-rank_round").value == 25
    assert app.selectbox("pick-rank_run").value == comparison.headlined(screen_of(app))


@pytest.mark.parametrize("slot", [0, 1, 2])
def test_a_score_is_the_sum_of_its_features_and_of_its_rounds(slot, splits):
    app = open_app(f"{LINK}..{RUNS}..rank_why.{slot}", page="rankings")
    test, run = splits[2], screen_of(app).runs[slot].trained
    one = test.select([3])
    for t in (0, 6, run.model.n_iter_):
        score = run.model.predict(test, iteration=t)[test.offsets[3] + 2]
        split = tables.by_feature(run, one, 2, t)
        assert split.iteration == t and split.score == score
        assert split.rows["contribution"].sum() + split.base == pytest.approx(score, abs=1e-9)
        assert split.rows["contribution"].abs().is_monotonic_decreasing
        rounds = tables.by_round(run, "test", one, 3, 2, t)
        assert len(rounds) == t + 1 and rounds["added"].sum() == pytest.approx(score, abs=1e-9)
        assert rounds["score"].iloc[-1] == score
    if t and slot < 2:
        first = run.model.rounds_.iloc[0]
        assert (
            rounds["by"].iloc[1] == f"{test.feature_names[int(first['feature'])]} > {first['threshold']:.6g}"
        )


def test_models_that_are_no_sum_and_models_without_rounds_say_so():
    runs = "r0.RankNet.hidden.3.epochs.4..r1.RankSVM..score_at.last"
    app = open_app(f"data.tiny..{runs}..rank_why.0", page="rankings")
    assert not app.exception and "no sum over features" in text_of(app)
    app = open_app(f"data.tiny..{runs}..rank_why.1", page="rankings")
    assert not app.exception and "trained in one go" in text_of(app) and "add up to the score" in text_of(app)


def test_one_run_alone_and_none():
    app = open_app("data.tiny..r0.MPBoost.n_rounds.5", page="rankings")
    assert not app.exception and "Add a second run" in text_of(app)
    assert list(lists_of(app)) == [-1, 0]
    app = open_app("data.tiny..runs.none", page="rankings")
    assert not app.exception
    app.button("rank-start").click().run()
    assert not app.exception and len(screen_of(app).runs) == 5


@pytest.mark.slow
def test_pages_of_the_tiny_web_can_be_read():
    app = open_app("data.tiny-web..r0.RankBoost.n_rounds.4..r1.FRank.n_rounds.4", page="rankings")
    assert not app.exception
    read = [h.value for h in app.get("html") if 'class="page"' in h.value]
    assert read and "<mark>" in read[0]
    pages = tiny_web.pages()
    row = pages[pages["doc_id"] == html.unescape(re.search('class="note">(.*?)<', read[0])[1])].iloc[0]
    assert html.escape(row["text"])[:20] in re.sub(r"</?mark>", "", read[0])
    (lists,) = [h.value for h in app.get("html") if 'class="lists' in h.value]
    assert 'class="lists tall"' in lists
    app.toggle("rank_features").set_value(True).run()
    assert not app.exception and "BM25" in app.dataframe[0].value.columns


def test_measures_where_less_is_better_and_queries_left_out():
    app = open_app(f"data.tiny..{RUNS}..measure.tau_distance", page="rankings")
    assert not app.exception
    screen = screen_of(app)
    frame = tables.differences(screen, screen.runs[1], screen.runs[0], "test")
    assert (frame.loc[frame["outcome"] == "loss", "difference"] > 0).all()
    data = ltr.RankingData(np.arange(6.0)[:, None], [0, 0, 1, 0, 0, 2], [1, 1, 2, 2, 3, 3])
    frame = tables.worst_first(data, ltr.measure("ndcg@1", empty="skip"), np.arange(6.0), -np.arange(6.0))
    assert list(zip(frame["query"], frame["outcome"], strict=True)) == [
        ("2", "loss"),
        ("3", "win"),
        ("1", "left out"),
    ]
    n = tables.counts(frame)
    assert n["left out"] == 1 and n["win"] + n["tie"] + n["loss"] == 2


def test_names_from_files_are_text_and_nothing_else():
    evil = '<img src=x onerror="alert(1)">'
    rows = tables.ranked(np.array([1.0, 0.0]), np.array([0.5, 0.2]), np.array([1, 2]))
    listed = tables.Listed(0, evil, 3, 5, 0.5, 0.5, rows)
    looks = {0: stroke(0, False, LIGHT)}
    text = rankings_html.lists_html(
        [listed], [Page(evil), Page("b", evil, evil)], looks, ltr.measure("ndcg@5"), 2, 0
    )
    assert "<img" not in text and "&lt;img" in text
    for query in ("img", "lt quot", evil, "("):
        page = rankings_html.page_html(Page("b", evil, evil), query, 2.0, 4.0)
        assert "<img" not in page and 'onerror="' not in page
    frame = pd.DataFrame(
        {
            "query": [evil],
            "n_docs": [2],
            "value": [0.5],
            "baseline": [0.4],
            "difference": [0.1],
            "outcome": ["win"],
        }
    )
    assert "<img" not in str(draw_differences(frame, "Δ", True, 0).data[0].text)
    both = pd.DataFrame({"doc": [0], "grade": [1.0], "left": [1], "right": [1], "shift": [0]})
    figure = draw_slopes(both, [evil], evil, evil, 5, 0)
    assert "<img" not in figure.to_json().replace("\\u003c", "<")
    parts = pd.DataFrame({"feature": [evil], "value": [1.0], "contribution": [0.5], "mean": [0.1]})
    assert "<img" not in draw_parts(parts).to_json().replace("\\u003c", "<")
    rounds = pd.DataFrame({"iteration": [0, 1], "added": [0.0, 0.5], "score": [0.0, 0.5], "by": ["", evil]})
    assert "<img" not in draw_rounds(rounds).to_json().replace("\\u003c", "<")


def test_where_a_score_starts_does_not_dwarf_what_rounds_add():
    rounds = pd.DataFrame(
        {"iteration": [0, 1], "added": [1.5, -0.02], "score": [1.5, 1.48], "by": ["", "f1"]}
    )
    line, bars = draw_rounds(rounds).data
    assert list(line.y) == [1.5, 1.48] and list(bars.x) == [1] and list(bars.y) == [-0.02]


def test_a_run_whose_rounds_are_not_said_in_advance(tmp_path, restart):
    """FeatureRank with all features: its number of rounds is that of the features."""
    restart(tmp_path)
    app = open_app("data.tiny..r0.FeatureRank..r1.MHR", page="rankings")
    assert not app.exception and list(lists_of(app)) == [-1, 0, 1]
    assert jobs(app)[0].n_rounds == screen_of(app).splits.train.n_features
