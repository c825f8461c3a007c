"""Step through: every number of a round is the core's."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.engines.stumps.rounds import round_details
from pages.ui.charts.rounds import draw_candidates
from pages.ui.charts.steps import draw_steps
from pages.ui.step.controls import STEPPED
from pages.ui.step.few import few_of, in_words
from pages.ui.step.html import written
from pages.ui.tables import steps
from pages.ui.tables.steps import FRESH, LEARNT, MISORDER, UNSEEN, setup_of, stage_of
from tests.dashboard import open_app, text_of
from tests.pages.test_shapes import values_of

LINK = "data.tiny..runs.none"
QUERY = 1


def open_step(*words):
    app = open_app("..".join([LINK, *words]), page="step_through")
    assert not app.exception
    return app


def figure_of(app, key):
    """A plotly chart as it is sent."""
    (chart,) = [c for c in app.get("plotly_chart") if c.proto.id.endswith(f"-{key}")]
    return json.loads(chart.proto.spec)


def model_of(name, **params):
    data = ltr.datasets.make("tiny").select([QUERY])
    papers = (
        {"size": 1.0} if name == "MPBoost" else {}
    )  # the page's distances have a mean of 1, as the paper's
    return ltr.ALGORITHMS[name](**papers, **params).fit(data), data


@pytest.mark.parametrize("name", STEPPED)
@pytest.mark.parametrize("t", [1, 5])
def test_a_round_on_screen_is_the_models(name, t):
    app = open_step(f"step_algorithm.{name}", f"step_round.{t}", "step_rounds.12")
    model, data = model_of(name, n_rounds=12)
    details = round_details(model, data, t)
    c, text = details.chosen, text_of(app)
    feature = data.feature_names[int(c["feature"])]
    value = f"{c['value']:+.3f}".replace("-", "−")
    assert f"adds {value} to every page whose {feature} is above {c['threshold']:.6g}" in text
    latex = " ".join(element.value for element in app.get("latex")) or text
    for number in (c["value"], c["plus"], c["minus"]):
        assert f"{number:.4f}" in latex or f"{abs(number):.2e}"[:4] in latex
    if name == "MPBoost":
        bound = model.history_.query("measure == 'bound' and iteration == @t")["value"].item()
        misorder = ltr.misorder(data.y, model.predict(data, iteration=t), data.qid)
        assert f"{bound:.4f}" in latex and f"{misorder:.4f}" in latex and misorder <= bound
    rows = re.findall(r"<tr><td>(\d)</td>.*?<b>([A-H])</b>.*?</tr>", text)
    scores = model.predict(data, iteration=t)
    assert [int(rank) for rank, _ in rows] == list(range(1, 9))
    order = np.argsort(-scores, kind="stable")
    letters = dict(zip(np.argsort(-data.y, kind="stable"), "ABCDEFGH", strict=True))
    assert [letter for _, letter in rows] == [letters[row] for row in order]
    afters = [float(v.replace("−", "-")) for v in re.findall(r"<td>([+−]?[\d.]+)</td></tr>", text)]
    np.testing.assert_allclose(afters, np.round(scores[order], 3), atol=1e-9)


def test_the_picture_holds_every_round_from_the_untrained_model_to_the_last():
    app = open_step("step_rounds.15")
    figure = figure_of(app, "stage-chart")
    model, data = model_of("MPBoost", n_rounds=15)
    assert [frame["name"] for frame in figure["frames"]] == [str(t) for t in range(16)]
    losses = model.history_.query("measure == 'loss' and split == 'train'")["value"].to_numpy()
    bound = {trace.get("name"): trace for trace in figure["data"]}
    assert {"loss = Π Z", MISORDER, LEARNT, UNSEEN} <= set(bound)
    staged = list(model.staged_predict(data))
    previous = None
    for t, frame in enumerate(figure["frames"]):
        badges, names, scores, shifts, *grown, measure = frame["data"]
        loss = grown.pop(2)
        ranks = np.array(badges["y"])
        by_grade = np.argsort(-data.y, kind="stable")
        wanted = np.empty(8, dtype=int)
        wanted[np.argsort(-staged[t], kind="stable")] = np.arange(1, 9)
        np.testing.assert_array_equal(ranks, wanted[by_grade])
        assert [float(s.replace("−", "-")) for s in scores["text"]] == pytest.approx(
            staged[t][by_grade].round(3)
        )
        said = [0 if s in "=·" else int(s[2:]) * (1 if s[0] == "▲" else -1) for s in shifts["text"]]
        assert said == ([0] * 8 if previous is None else (previous - ranks).tolist())
        previous = ranks
        assert set(loss["x"]) == set(measure["x"]) == {t}
        assert losses[t] in loss["y"]
        value = ltr.ndcg(data.y, staged[t], data.qid, k=10)
        assert min(abs(np.array(measure["y"]) - value)) < 1e-12
        assert len(grown) == 4 and all(c["x"] == [min(i, t) for i in range(16)] for c in grown)
        assert grown[0]["y"] == pytest.approx(losses[np.minimum(np.arange(16), t)], rel=1e-5)
        assert grown[2]["y"][t:] == pytest.approx([value] * (16 - t), rel=1e-5)  # as far as it is reached


def test_theorem_1_holds_on_screen_at_every_round():
    for ddf in ("binary", "ldd", "logdd", "logitdd"):
        stage = stage_of(setup_of("MPBoost", {"ddf": ddf}, "all", 0, 40, 0.06, 0), "ndcg@3")
        assert (stage.curve(MISORDER) <= stage.curve("loss = Π Z") + 1e-12).all()


def test_pair_weights_are_shares_of_all_weight():
    app = open_step("step_learn.all", "step_query.2", "step_round.3")
    data = ltr.datasets.make("tiny")
    model = ltr.MPBoost(n_rounds=30, size=1.0).fit(data)
    details = round_details(model, data, 3)
    inside = details.pairs["query"] == 2
    figure = figure_of(app, "step-weights")
    (heat,) = [trace for trace in figure["data"] if trace["type"] == "heatmap"]
    marks = [cell for row in heat["text"] for cell in row if cell]
    assert len(marks) == inside.sum()
    shown = sorted(float(re.match(r"[\d.]+", cell)[0]) for cell in marks)
    np.testing.assert_allclose(shown, sorted((100 * details.pairs["weight"][inside]).round(1)), atol=0.051)
    plus = sum("+" in cell for cell in marks)
    assert plus == (details.pairs["side"][inside] > 0).sum()
    assert f"carry {100 * details.pairs['weight'][inside].sum():.0f}%" in text_of(app)


def test_candidates_are_all_drawn_and_the_best_is_taken():
    app = open_step("step_round.2")
    model, data = model_of("MPBoost", n_rounds=30)
    details = round_details(model, data, 2)
    figure = figure_of(app, "step-candidates")
    gains = np.concatenate([values_of(trace["y"]) for trace in figure["data"]])
    np.testing.assert_allclose(gains, details.candidates["gain"], rtol=1e-12)
    assert f"The {len(gains)} candidate stumps" in text_of(app)
    assert gains.max() == pytest.approx(details.chosen["gain"])


def test_the_round_field_takes_any_round_and_round_0():
    app = open_step("step_rounds.9")
    app.number_input(key="step_round").set_value(9).run()
    assert not app.exception and app.session_state["step_round"] == 9
    app.number_input(key="step_round").set_value(0).run()
    assert "Nothing is learnt yet" in text_of(app)
    app = open_step("step_rounds.5", "step_round.40")  # a round that there is not
    assert app.session_state["step_round"] == 5


def test_training_that_ends_at_once_is_no_error():
    """With pages that stray so far that nothing is left to tell apart, or a single round."""
    app = open_step("step_rounds.1", "step_noise.0_5", "step_seed.7")
    assert app.session_state["step_round"] == 1


OWN = "data.cubic..cubic-n_queries.60..cubic-n_docs.20..cubic-n_features.7..runs.none..step_data.own"


def own_few():
    app = open_app(f"{OWN}..step_rounds.12..step_round.4", page="step_through")
    assert not app.exception
    splits = app.session_state["_screen"].splits
    return app, splits.train, splits.valid, few_of(splits.train, splits.valid)


def test_the_data_in_use_are_cut_to_what_can_be_drawn():
    _, train, valid, few = own_few()
    data, at = few.data, [list(train.feature_names).index(name) for name in few.data.feature_names]
    assert data.n_queries == 6 and data.n_docs == 6 * 8 and data.n_features == 3 and few.of == 7
    begins = {query: train.offsets[at] for at, query in enumerate(train.query_ids)}
    kept = np.array(
        [begins[q] + int(name.split()[1]) - 1 for q, name in zip(data.qid, data.doc_ids, strict=True)]
    )
    np.testing.assert_array_equal(train.y[kept], data.y)
    for query in range(6):  # from the best grade to the worst
        rows = slice(data.offsets[query], data.offsets[query + 1])
        (first,) = np.flatnonzero(train.query_ids == data.query_ids[query])
        whole = train.y[train.offsets[first] : train.offsets[first + 1]]
        assert (data.y[rows].max(), data.y[rows].min()) == (whole.max(), whole.min())
    close = [abs(np.corrcoef(train.X[kept, k], data.y)[0, 1]) for k in range(7)]
    assert sorted(at) == sorted(np.argsort(close)[-3:])
    plain = ltr.RankingData(train.X[kept][:, at], data.y, data.qid)
    for name in STEPPED:  # stretching the values changes no list
        models = [ltr.ALGORITHMS[name](n_rounds=12).fit(one) for one in (data, plain)]
        np.testing.assert_allclose(models[0].predict(data), models[1].predict(plain), atol=1e-9)
    assert few.fresh.n_docs == valid.n_docs and few.fresh.feature_names == data.feature_names


@pytest.mark.parametrize("learn", ["one", "all"])
def test_a_round_on_the_data_in_use_is_the_models(learn):
    app, _, _, few = own_few()
    app.segmented_control("step_data").set_value("own").run()
    app.selectbox("step_learn").set_value(learn).run()
    assert not app.exception and "step_data.own" in app.session_state["s"]
    text, data = text_of(app), few.data if learn == "all" else few.data.select([1])
    model = ltr.MPBoost(n_rounds=12, size=1.0).fit(data, eval_set={"fresh": few.fresh}, measures=("ndcg@10",))
    chosen = round_details(model, data, 4).chosen
    feature = data.feature_names[int(chosen["feature"])]
    value = f"{chosen['value']:+.3f}".replace("-", "−")
    assert f"adds {value} to every page whose {feature} is above {chosen['threshold']:.6g}" in text
    assert "6 training queries, of each up to 8 pages" in text and "3 of 7 features" in text
    assert "whole" not in text.partition("stretched to 0 … 1.")[2][:40]
    curves = {trace.get("name"): trace for trace in figure_of(app, "stage-chart")["data"]}
    history = model.history_.query("split == 'fresh' and measure == 'ndcg@10'")["value"].to_numpy()
    np.testing.assert_allclose(values_of(curves[FRESH]["y"]), history, rtol=1e-12)
    assert UNSEEN not in curves
    assert app.selectbox("step_query").options == [str(query) for query in few.data.query_ids]


def test_data_that_cannot_be_stepped_through_are_not_offered_and_broken_grades_are_said():
    X, y, qid = np.random.default_rng(0).random((12, 2)), np.tile([0.0, 0.5, 1.5], 4), np.repeat([1, 2], 6)
    few = few_of(data := ltr.RankingData(X, y, qid), data)
    assert "Grades are not whole" in in_words(few)
    assert few_of(data := ltr.RankingData(np.ones((12, 2)), y, qid), data) is None
    assert few_of(data := ltr.RankingData(X, np.ones(12), qid), data) is None
    app = open_step("step_data.own")  # Tiny is in use: there is nothing else
    assert "few enough pages to follow each" in text_of(app)
    assert not [one for one in app.get("button_group") if one.key == "step_data"]


def test_names_of_others_files_are_short_and_no_html():
    rng, names = np.random.default_rng(0), [f"<b>{'long' * 12}</b>{n}" for n in range(12)]
    given = [rng.random((12, 2)), np.tile([0.0, 1.0, 2.0], 4), np.repeat([1, 2], 6)]
    data = ltr.RankingData(*given, feature_names=["<i>a</i>" * 9, "b"], doc_ids=names)
    few = few_of(data, data)
    stage = stage_of(setup_of("MPBoost", {}, "all", 0, 3, 0.06, 0, few), "ndcg@3", few)
    figures = [draw_steps(stage.lists, stage.curves, "NDCG@3")]
    figures += [draw_candidates(stage.details(1).candidates, stage.data.feature_names)]
    texts = [text for trace in figures[0].data if trace.text is not None for text in trace.text]
    texts += [title.text for title in figures[1].layout.annotations]
    assert sum("&lt;" in text for text in texts) == 6 + 1
    assert not any("<b>l" in text or "<i>" in text for text in texts)
    assert max(len(unescape(re.sub("<[^>]+>|&nbsp;", "", text))) for text in texts) <= 32 + len("A  ")


def test_drawn_anew_are_other_pages_of_the_same_queries():
    stage = stage_of(setup_of("MPBoost", {}, "one", QUERY, 5, 0.06, 0), "ndcg@3")
    assert stage.data.n_queries == 1 and len(stage.lists) == 6 * 8
    same = stage_of(setup_of("MPBoost", {}, "one", QUERY, 5, 0.0, 0), "ndcg@3")
    np.testing.assert_allclose(same.curve(LEARNT), same.curve(UNSEEN), atol=1e-12)  # without noise: the same
    assert steps.N_ANEW >= 10 and not np.allclose(stage.curve(LEARNT), stage.curve(UNSEEN))


def test_a_column_of_values_has_one_number_of_digits():
    assert written([0.5, 0.123, 1.0]) == ["0.500", "0.123", "1.000"]
    assert written([1.0, 2.0]) == ["1", "2"] and written([]) == []
    assert written([1e-9, 0.5]) == ["1e-09", "0.5"]
