"""Learn: a scripted student does every lesson, wrong and right; its numbers are the core's."""

from __future__ import annotations

import itertools
from collections import Counter
from urllib.parse import parse_qs

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.datasets import tiny_web
from ltr_core.evaluation.significance import randomization_test
from pages.ui.learn.course import EARLIER, LESSONS
from pages.ui.learn.lessons import (
    chance,
    distances,
    losses,
    overshoot,
    ranking,
    regression,
    rounds,
    stopping,
    web,
    why,
)
from pages.ui.learn.task import is_same, judge
from pages.ui.tables.steps import FRESH, LEARNT
from tests.dashboard import open_app, text_of

LINK = "data.tiny..runs.none"


def learn(number, *words):
    app = open_app("..".join([LINK, f"learn.{number}", *words]), page="learn")
    assert not app.exception
    return app


def is_met(app):
    assert not app.exception
    return any("Goal met" in s.value for s in app.success)


def give(app, name, value, draw=0):
    """Type a number, or choose an answer."""
    key = f"learn-{app.session_state['learn']}-{draw}-{name}"
    kinds = [*app.number_input, *app.radio, *app.selectbox, *app.slider, *app.get("button_group")]
    (widget,) = [one for one in kinds if one.key == key]
    widget.set_value(value).run()
    assert not app.exception
    return text_of(app)


def press(app, name, draw=0):
    app.button(key=f"learn-{app.session_state['learn']}-{draw}-{name}").click().run()
    assert not app.exception


def predict(app, name, value):
    give(app, name, value)
    press(app, f"{name}-go")


def pairs_of(y):
    """Pairs of places in a list, the better page first."""
    return [(i, j) for i, j in itertools.permutations(range(len(y)), 2) if y[i] > y[j]]


# Numbers by hand --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer, right, decimals, same",
    [
        (0.45, 0.4491, 2, True),
        (0.44, 0.4491, 2, True),  # cut
        (0.46, 0.4491, 2, False),
        (0.449, 0.4536, 2, False),  # three decimals, and they are wrong
        (0.454, 0.4536, 2, True),
        (20.91, 20.9158, 2, True),
        (20.92, 20.9158, 2, True),
        (0.5, 0.5, 2, True),
        (0.5, 0.4958, 2, True),
        (-0.12, -0.1263, 2, True),
        (-0.13, -0.1263, 2, True),
        (7.0, 7.0, 0, True),
        (7.0, 8.0, 0, False),
        (1e-9, 0.0, 2, False),
    ],
)
def test_a_number_is_right_to_the_decimals_it_has(answer, right, decimals, same):
    assert is_same(answer, right, decimals) == same


def test_what_went_wrong_is_said():
    assert judge(None, 1.0) == (False, "")
    assert judge(0.5, 0.7, {"a slip": 0.5}) == (False, "a slip")
    assert judge(0.5, 0.7) == (False, "too small") and judge(0.9, 0.7) == (False, "too large")


@pytest.mark.parametrize(
    "answer, right, decimals, said",
    [
        (-0.45, 0.4491, 2, "the sign is not"),
        (0.4, 0.4491, 2, "rounded too far"),
        (15.6, 15.6309, 2, "rounded too far"),
        (16.0, 15.6309, 2, "rounded too far"),
        (45.0, 0.4491, 2, "a point, not a comma"),  # 0,45 in a field that drops commas
        (1563.0, 15.6309, 2, "a point, not a comma"),
        (44.91, 0.4491, 2, "percent"),
        (0.46, 0.4491, 2, "Nearly"),
        (0.47, 0.4491, 2, "Nearly"),
        (0.48, 0.4491, 2, "too large"),
        (6.0, 7.0, 0, "One too few"),
        (8.0, 7.0, 0, "One too many"),
        (5.0, 7.0, 0, "too small"),
        (0.0, 0.0042, 3, "too small"),
    ],
)
def test_how_an_answer_was_written_down_wrongly_is_said(answer, right, decimals, said):
    met, told = judge(answer, right, {"another slip": -1e9}, decimals)
    assert not met and said in told


def said_of(app, name, value, draw=0):
    """What stands under a question once a number is given."""
    before, after = (Counter(give(app, name, one, draw).splitlines()) for one in (None, value))
    (told,) = [line for line in after - before if line.startswith(("✓", "✗"))]
    return told


def told_apart(values):
    """Whether no two of some answers are nearly the same: each mistake can be told from the others."""
    return np.diff(np.sort(np.asarray(values, dtype=float))).min() > 0.02


# The course -------------------------------------------------------------------------------------------------


def test_the_course_leads_on_and_remembers():
    app = open_app(LINK, page="learn")
    assert "0 of 11 done" in text_of(app) and len(LESSONS) == 11
    app.button(key="open-0").click().run()
    given = ranking.listed(0, few=True)
    give(app, "pairs", given.pairs())
    give(app, "wrong", given.wrong())
    assert not is_met(app)  # the list is still to be put right
    app.session_state["_learn-0-0-order"] = list(np.argsort(-given.y, kind="stable"))
    app.run()
    assert is_met(app)
    (pills,) = [g for g in app.get("button_group") if g.key == "learn"]
    assert pills.options[0].startswith("✓")  # at once, not with the next click
    app.button(key="lesson-next").click().run()
    assert app.session_state["learn"] == "1" and app.session_state["_lessons_done"] == {"0"}
    app.session_state["learn"] = None
    app.run()
    assert "1 of 11 done" in text_of(app)
    app.button(key="learn-forget").click().run()
    assert "0 of 11 done" in text_of(app)


@pytest.mark.parametrize("old, new", EARLIER.items())
def test_links_to_the_lessons_of_step_through_lead_to_the_course(old, new):
    app = open_app(LINK, page="step_through", lesson=old)
    (way,) = [p.proto for p in app.get("page_link") if p.proto.page.endswith("learn")]
    assert not app.exception and way.label == f"Lesson {new}: {LESSONS[new].title}"
    there = open_app(parse_qs(way.query_string)["s"][0], page="learn")
    assert f"Lesson {new}: " in text_of(there)


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_opens_unsolved_whatever_the_link_says(number):
    app = learn(number, "learn_round.7")
    assert not is_met(app) and f"Lesson {number}: " in text_of(app)
    assert app.session_state["learn_round"] in (None, rounds.first_round(rounds.stage(0)))


def test_a_lesson_leaves_ones_own_settings_alone():
    app = learn("4", "step_round.7", "step_rounds.12")
    give(app, f"stump-{rounds.first_round(rounds.stage(0))}", 0)
    app.number_input(key="learn_round").set_value(3).run()
    assert app.session_state["step_round"] == 7 and app.session_state["step_rounds"] == 12


def test_in_a_hall_pages_are_turned():
    app = open_app(LINK, page="learn", learn="3", present="1")
    assert "Lesson 3: " in text_of(app) and "font-size: 20px" in text_of(app)
    app.button(key="present-on").click().run()
    assert "Lesson 4: " in text_of(app) and app.session_state["present"]
    app.button(key="present-leave").click().run()
    assert "font-size: 20px" not in text_of(app) and not app.exception


# Lesson by lesson -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", range(8))
def test_lessons_are_on_the_tiny_web_with_titles_and_whole_grades(draw):
    pages = tiny_web.pages()
    titles = dict(zip(pages["doc_id"], pages["title"], strict=True))
    whole = ltr.datasets.make("tiny-web", n_queries=160)
    given = web.few(draw)
    assert given.data.n_queries == 6 and (np.diff(given.data.offsets) == 8).all()
    assert set(np.unique(given.data.y)) <= {0, 1, 2, 3, 4}
    for query in given.data.query_ids:
        own, of_web = given.data.qid == query, whole.qid == query
        rows = zip(given.data.doc_ids[own], given.data.y[own], given.data.X[own, 0], strict=True)
        known = zip(
            [titles[a] for a in whole.doc_ids[of_web]], whole.y[of_web], whole.X[of_web, 0], strict=True
        )
        assert {(t, g, round(float(x), 2)) for t, g, x in rows} <= {
            (t, g, round(float(x), 2)) for t, g, x in known
        }
        assert len(set(given.data.doc_ids[own])) == 8  # no two pages are called alike
    assert not set(given.data.query_ids) & set(whole.query_ids[given.fresh.query_ids])
    assert given.data.n_queries + given.fresh.n_queries == whole.n_queries
    for listed in (ranking.listed(draw), ranking.listed(draw, few=True), regression.guesses(draw)):
        names = listed.titles if isinstance(listed, regression.Guesses) else listed.names
        assert set(names) <= {titles[address] for address in whole.doc_ids[whole.qid == listed.query]}


@pytest.mark.parametrize("draw", range(8))
def test_0_counts_pairs(draw):
    given = ranking.listed(draw, few=True)
    pairs = pairs_of(given.y)
    assert given.pairs() == len(pairs)
    assert given.wrong() == sum(i > j for i, j in pairs) > 0
    assert given.wrong(list(np.argsort(-given.y, kind="stable"))) == 0


def test_0_says_what_was_counted_wrongly():
    app = learn("0")
    given = ranking.listed(0, few=True)
    assert "twice" in give(app, "pairs", 2 * given.pairs())
    assert "neighbours only" in said_of(app, "pairs", int((np.diff(given.y) != 0).sum()))
    assert "One too many" in said_of(app, "pairs", given.pairs() + 1)
    give(app, "pairs", given.pairs())
    assert "in order" in give(app, "wrong", given.pairs() - given.wrong())
    assert not is_met(app)


def test_1_is_met_by_the_right_numbers_only():
    app = learn("1")
    y = ranking.listed(0).y
    best, counts = np.sort(y)[::-1], 1 / np.log2([2, 3, 4])
    dcg, ideal = float((2 ** y[:3] - 1) @ counts), float((2 ** best[:3] - 1) @ counts)
    ndcg = ltr.ndcg(y, -np.arange(8.0), np.zeros(8), k=3)
    assert ndcg == pytest.approx(dcg / ideal)
    assert "without the discount" in give(app, "dcg", float((2 ** y[:3] - 1).sum()))
    give(app, "dcg", round(dcg, 2))
    give(app, "ideal", np.trunc(100 * ideal) / 100)  # cut
    assert "too large" in give(app, "ndcg", round(ndcg + 0.1, 2))
    wrong = ltr.ndcg(y, -np.arange(8.0), np.zeros(8), k=3, gain="grade")
    assert "the grade itself as the gain" in give(app, "ndcg", round(wrong, 2))
    assert not is_met(app)
    give(app, "ndcg", round(ndcg, 2))
    assert is_met(app) and "To keep:" in text_of(app)
    press(app, "anew")
    assert not is_met(app) and f"asked for **{ranking.listed(1).query}**" in text_of(app)


def slips_of_1(y):
    """What DCG@3 comes to, rightly and by mistakes, each with a part of what is said of it."""
    y, j = y.astype(float), np.arange(1, 4)
    worth, by_log2 = 2 ** y[:3] - 1, 1 / np.log2(1 + j)
    return [
        (worth @ by_log2, "right"),
        (y[:3] @ by_log2, "grade itself as the gain"),
        ((worth + 1) @ by_log2, "1 is to be taken off"),
        (worth @ (1 / np.log(1 + j)), "natural logarithm"),
        (worth @ (1 / np.log10(1 + j)), "base 10"),
        (worth @ np.log2(1 + j), "multiplies by the logarithm"),
        (worth @ (1 / j), "divides by the rank itself"),
        (worth @ (1 / np.log2(2 + j)), "the first rank is 1, not 0"),
        ((2**y - 1) @ (1 / np.log2(np.arange(2, 10))), "only the first three count"),
    ]


def test_1_says_which_step_went_wrong():
    for draw in range(99):
        y = ranking.listed(draw).y
        best = np.sort(y)[::-1]
        dcg, ideal = slips_of_1(y)[0][0], slips_of_1(best)[0][0]
        of_ideal = [
            *slips_of_1(best),
            (dcg, "own order"),
            (slips_of_1(np.append(np.sort(y[:3])[::-1], y[3:]))[0][0], "sorts the"),
        ]
        if all(told_apart([value for value, _ in slips]) for slips in (slips_of_1(y), of_ideal)):
            break
    app = learn("1", f"learn_draw.{draw}")
    of_ratio = [(dcg, "divide it by the ideal"), (ideal / dcg, "the other way round")]
    for name, slips in (("dcg", slips_of_1(y)), ("ideal", of_ideal), ("ndcg", of_ratio)):
        for value, said in slips:
            assert said in said_of(app, name, round(float(value), 2), draw), said
    assert not is_met(app)


def test_2_says_which_step_went_wrong():
    for draw in range(99):
        given = regression.guesses(draw)
        asked = {}
        for name, scores in (("error-a", given.close), ("error-b", given.ordered)):
            off = np.abs(scores - given.y)
            asked[name] = [
                ((off**2).mean(), "right"),
                ((off**2).sum(), "the sum over the pages"),
                (off.mean(), "takes the differences as they are"),
                (off.sum(), "adds up the differences as they are"),
                (np.sqrt((off**2).mean()), "its root"),
                ((off**2).sum() / 4, "divides by 5"),
            ]
        if all(told_apart([value for value, _ in slips]) for slips in asked.values()):
            break
    app = learn("2", f"learn_draw.{draw}")
    order = np.argsort(-given.close, kind="stable")[:3]
    asked["ndcg-a"] = [((2 ** given.y[order] - 1) @ (1 / np.log2([2, 3, 4])), "divide it")]
    for name, slips in asked.items():
        for value, said in slips:
            assert said in said_of(app, name, round(float(value), 4), draw), (name, said)


@pytest.mark.parametrize("draw", range(6))
def test_2_the_closer_guesses_are_the_worse_list(draw):
    given = regression.guesses(draw)
    assert ((given.close - given.y) ** 2).mean() < ((given.ordered - given.y) ** 2).mean() / 5
    assert given.ndcg(given.ordered) == 1.0 > given.ndcg(given.close)


def test_2_is_met_by_the_numbers_and_the_reason():
    app = learn("2")
    given = regression.guesses(0)
    error = float(((given.close - given.y) ** 2).mean())
    assert "the sum over the pages" in give(app, "error-a", round(5 * error, 4))
    give(app, "error-a", round(error, 4))
    give(app, "error-b", round(float(((given.ordered - given.y) ** 2).mean()), 2))
    give(app, "ndcg-a", round(given.ndcg(given.close), 2))
    reasons = next(r for r in app.radio if r.key.endswith("-why")).options
    assert "Nothing is said of training" in give(app, "why", reasons[1]) and not is_met(app)
    give(app, "why", reasons[0])
    assert is_met(app)
    rows, sentence = regression.trained(0)
    assert rows.loc[rows["error"].idxmin(), "method"] == "GBT" != rows.loc[rows["ndcg"].idxmax(), "method"]
    assert sentence in text_of(app)


def test_3_predicts_before_it_shows():
    app = learn("3")
    assert "fresh queries" not in text_of(app)
    predict(app, "which", "BINARY")
    text, data = text_of(app), web.few(0).data
    values = {}
    for ddf in ("binary", "ldd", "logdd", "logitdd"):
        model = ltr.MPBoost(ddf=ddf, n_rounds=6, size=1.0).fit(data)
        values[ddf] = ltr.ndcg(data.y, model.predict(data), data.qid, k=3)
        assert f"{values[ddf]:.3f}" in text
        assert distances.stage(ddf, 0).value(LEARNT, 6) == pytest.approx(values[ddf])
    assert max(values, key=values.get) == "ldd" and "You said BINARY" in text
    reasons = next(r for r in app.radio if r.key.endswith("-why")).options
    assert "same stumps" in give(app, "why", reasons[2]) and not is_met(app)
    give(app, "why", reasons[0])
    assert is_met(app)


def test_4_a_stump_then_its_value_then_the_weights():
    app = learn("4")
    stage = rounds.stage(0)
    t = rounds.first_round(stage)
    details = stage.details(t)
    give(app, f"stump-{t}", int(details.candidates["gain"].idxmin()))
    assert "the best has" in text_of(app)
    give(app, f"stump-{t}", int(details.candidates["gain"].idxmax()))
    assert "the best of all" in text_of(app)
    page, before, after, value = rounds.question(stage, t)
    assert before != 0 and after - before == pytest.approx(value) == details.chosen["n"] / details.chosen["d"]
    assert "?" in text_of(app) and f"{value:.4f}" not in "".join(e.value for e in app.get("latex"))
    n, d = details.chosen["n"], details.chosen["d"]
    for wrong, said in ((n, "divide it by D"), (n * n / d, "the gain"), (d / n, "the other way round")):
        assert said in said_of(app, f"a-{t}", round(float(wrong), 4))
    give(app, f"a-{t}", round(value, 2))
    assert "a is added" in said_of(app, f"score-{t}", round(before, 2))
    assert "with its sign" in said_of(app, f"score-{t}", round(before - value, 2))
    assert "what it had" in give(app, f"score-{t}", round(value, 2))
    give(app, f"score-{t}", round(after, 2))
    right, wrong = rounds.heavier(stage, t)
    assert "weighs less" in give(app, f"heavier-{t}", right) and not is_met(app)
    give(app, f"heavier-{t}", wrong)
    assert is_met(app)
    (door,) = [p.proto for p in app.get("page_link") if p.proto.page.endswith("step_through")]
    there = open_app(parse_qs(door.query_string)["s"][0], page="step_through")
    assert there.session_state["step_pace"] == "slowly", "rounds are played to be followed"


def test_4_the_pair_put_wrong_weighs_more():
    taken_from = 0  # rounds that take something from the pages above the threshold
    for stage in map(rounds.stage, range(4)):
        letters = stage.at(0).set_index("row")["doc"]
        for t in range(1, stage.n_rounds + 1):
            pairs, two = stage.details(t).pairs, rounds.heavier(stage, t)
            names = letters[pairs["better"]].to_numpy() + " over " + letters[pairs["worse"]].to_numpy()
            grows = dict(zip(names, pairs["weight_after"] / pairs["weight"], strict=True))
            if two is not None:
                assert grows[two[0]] < 1 < grows[two[1]]
                taken_from += stage.details(t).chosen["value"] < 0
    assert taken_from > 0


def test_5_finds_the_largest_step_that_is_steady():
    data = web.few(0).data
    steady = []
    for lam in overshoot.LAMBDAS:
        model = ltr.MPBoost(ddf="logdd", lam=lam, n_rounds=14).fit(data)
        loss = model.history_.query("measure == 'loss' and split == 'train'")["value"].to_numpy()
        np.testing.assert_allclose(overshoot.losses(overshoot.stage(lam, 0)), loss)
        if (np.diff(loss) <= 0).all():
            steady.append(lam)
    app = learn("5")
    predict(app, "what", "falls faster")
    assert "rises in" in text_of(app) and "Theorem 1 holds all the same" in text_of(app)
    assert "the loss rises at least once" in give(app, "largest", "4.64")
    assert "steady too" in give(app, "largest", "0.5") and not is_met(app)
    give(app, "largest", f"{max(steady):g}")
    assert is_met(app) and "goes up and down" in app.success[0].value


def test_6_hides_what_counts_until_one_stops():
    app = learn("6")
    values = stopping.stage(0).curve(FRESH)
    assert values[-1] < values.max() - 0.03  # there is something to see
    for _ in range(3):
        press(app, "go")
    assert "You stopped" not in text_of(app) and not is_met(app)
    press(app, "stop")
    assert f"You stopped at round 6: {values[6]:.3f}" in text_of(app)
    options = next(r for r in app.radio if r.key.endswith("-what")).options
    assert "falls to the end" in give(app, "what", options[2]) and not is_met(app)
    give(app, "what", options[0])
    assert is_met(app)


def test_6_rounds_that_print_alike_are_alike():
    stage = stopping.stage(0)
    best = stopping.best_rounds(stage)
    printed = [f"{v:.3f}" for v in stage.curve(FRESH)]
    assert best == [t for t, text in enumerate(printed) if text == max(printed)]


def test_7_shuffles_agree_with_the_exact_test():
    given = chance.case(0)
    assert given.p == randomization_test(given.differences)
    shuffled = given.shuffled(2000)
    share = (np.abs(shuffled) >= abs(given.mean) - 1e-12).mean()
    assert share == pytest.approx(given.p, abs=4 * np.sqrt(0.25 / 2000))
    app = learn("7")
    predict(app, "often", list(chance._OFTEN)[0])
    press(app, "one")
    assert "(1 so far)" in " ".join(i.value for i in app.info)
    press(app, "many")
    options = next(r for r in app.radio if r.key.endswith("-p")).options
    assert "says not how likely" in give(app, "p", options[1])
    give(app, "p", options[0])
    assert "the smallest of five" in said_of(app, "holm", 0.08)
    assert "as it was" in give(app, "holm", 0.02) and not is_met(app)
    give(app, "holm", 0.10)
    assert is_met(app)


def test_8_the_hopeless_pair():
    app = learn("8")
    rows = losses.shares(losses.hopeless(0)).set_index("name")
    assert rows.loc["exponential", "bad"] == pytest.approx(np.e)
    assert rows["share"].idxmax() == "exponential" and rows.loc["fidelity", "bad"] < 1
    predict(app, "which", "Hinge")
    assert "mind the sign" in give(app, "exp", 0.37)
    assert "a power of 2" in give(app, "exp", 2) and "a power of 10" in give(app, "exp", 10)
    give(app, "exp", 2.72)
    assert "without end" in give(app, "bound", "Hinge") and not is_met(app)
    give(app, "bound", "Fidelity")
    assert is_met(app)


@pytest.mark.parametrize("draw", range(4))
def test_9_a_score_is_the_sum_of_its_parts(draw):
    given, stage = why.split(draw), why.stage(draw)
    (row,) = np.flatnonzero(stage.data.doc_ids == given.name)[:1] if draw == 0 else (None,)
    if row is not None:
        score = stage.model.predict(stage.data)[row] - stage.model.base_
        assert given.own.sum() == pytest.approx(float(score))
    assert given.gaps.min() < 0


def test_9_is_met_by_the_feature_and_the_number():
    app = learn("9")
    given = why.split(0)
    worst = int(np.argmin(given.gaps))
    other = given.features[int(np.argmax(given.gaps))]
    assert "Against the mean page" in give(app, "which", other) and not is_met(app)
    give(app, "which", given.features[worst])
    assert "the sign is not" in said_of(app, "much", round(float(given.gaps[worst]), 2))
    give(app, "much", round(abs(float(given.gaps[worst])), 2))
    assert is_met(app)


def test_9_says_which_step_went_wrong():
    for draw in range(99):
        given = why.split(draw)
        worst = int(np.argmin(given.gaps))
        own, mean = float(given.own[worst]), float(given.mean[worst])
        parts = [abs(own), abs(mean), mean - own, abs(mean + own), abs(float(given.gaps.sum()))]
        if told_apart(parts):
            break
    app = learn("9", f"learn_draw.{draw}")
    give(app, "which", given.features[worst], draw)
    told = ("against the mean page", "the mean page's part", "right", "adds the two", "the whole scores")
    for value, said in zip(parts, told, strict=True):
        assert said in said_of(app, "much", round(value, 2), draw), said


def test_10_a_claim_has_to_be_borne_out():
    app = learn("10")
    base, own = distances.own_stages("ldd", 0.5, 0)
    differences = distances.on_fresh(own, 0) - distances.on_fresh(base, 0)
    n = len(differences)
    assert n == web.everything().n_queries - web.QUERIES
    half = 1.975590 * differences.std(ddof=1) / np.sqrt(n)  # t with 153 degrees of freedom
    low, high = differences.mean() - half, differences.mean() + half
    true = "better" if low > 0 else "worse" if high < 0 else "open"
    for kind, text in distances._CLAIMS.items():
        give(app, "claim-ldd-0.5", text)
        assert is_met(app) == (kind == true)
