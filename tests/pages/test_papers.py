"""Papers: every exhibit opens, its numbers are the library's, results are kept, a link restores a card."""

from __future__ import annotations

import pandas as pd
import pytest
import streamlit as st

import ltr_core as ltr
from ltr_core import PAPERS
from ltr_core.evaluation import State, Verdict
from ltr_core.papers import Chart, letor
from ltr_core.papers import stored as stored_results
from pages.ui.app import controls
from pages.ui.charts.exhibits import draw_lines
from pages.ui.papers import pictures, results, ways
from pages.ui.papers.controls import EXHIBITS
from pages.ui.papers.shown import Shown
from pages.ui.papers.verdicts import verdicts_html
from pages.ui.runs.specs import recipe_of
from pages.ui.style.theme import DARK, LIGHT, letters
from pages.ui.sweep.specs import decode_axes
from tests.dashboard import jobs, open_app, settle, text_of

pytestmark = pytest.mark.slow

CARD = "data.tiny..runs.none..exhibit."
SAYS = {"learn": "learn", "step_through": "step_algorithm", "shapes": "shape_part"}
SMALL = f"{CARD}mpboost-theorem1..mpboost-theorem1-n_rounds.90..mpboost-theorem1-alpha.0_75"


@pytest.fixture
def nothing_stored(monkeypatch, tmp_path):
    """No results come with the program."""
    monkeypatch.setattr(stored_results, "FOLDER", tmp_path)


def shown(name):
    paper, _, exhibit = name.partition("-")
    return Shown(PAPERS[paper], PAPERS[paper].exhibits[exhibit])


def test_every_exhibit_opens_with_its_words_and_something_to_see():
    app = open_app(CARD + EXHIBITS[0], page="papers")
    for name in EXHIBITS:
        app.session_state["exhibit"] = name
        app.run()
        assert not app.exception, name
        exhibit, text = shown(name).exhibit, text_of(app)
        assert f"{exhibit.name}. " in text.replace("&#x27;", "'") and "The paper prints" in text
        assert not app.error, name
    assert not [job for job in jobs(app) if not job.is_over]


def test_a_card_has_the_library_s_numbers(nothing_stored, restart, tmp_path):
    restart(tmp_path)
    app = settle(open_app(SMALL, page="papers"))  # came by a link: it runs by itself
    app.run()
    exhibit = PAPERS["mpboost"].exhibits["theorem1"]
    result = exhibit.run(n_rounds=90, alpha=0.75)
    text = text_of(app)
    for verdict in result.verdicts:
        assert verdict.found in text
    held = results.find(shown("mpboost-theorem1"), exhibit.checked({"n_rounds": 90, "alpha": 0.75}))
    assert held.result.to_json() == result.to_json()
    restart(tmp_path)  # a server that starts anew has it
    again = results.find(shown("mpboost-theorem1"), exhibit.checked({"n_rounds": 90, "alpha": 0.75}))
    assert again.result.to_json() == result.to_json()


def test_a_damaged_result_is_dropped(restart, tmp_path):
    restart(tmp_path)
    card, values = shown("mpboost-theorem1"), {"n_rounds": 10}
    results._write(results.key_of(card, values), results.Held(card.exhibit.run(values), 1.0))
    (path,) = tmp_path.glob("exhibits-*/*.json")
    path.write_text(path.read_text().replace("0.", "1."))
    assert results.find(card, card.exhibit.checked(values)) is None
    assert not path.exists()


def test_run_stop_and_full(nothing_stored, restart, monkeypatch, tmp_path):
    restart(tmp_path)
    waits = []
    monkeypatch.setattr(st, "skeleton", lambda **_: waits.append(1))
    app = open_app(f"{CARD}mpboost-fig5", page="papers")
    assert "have not been run" in text_of(app)
    assert not waits  # for nothing: it has not been asked for
    app.button(key="exhibit-full").click().run()
    for name, value in shown("mpboost-fig5").exhibit.in_full.items():
        assert app.session_state[f"mpboost-fig5-{name}"] == value
    app.button(key="exhibit-start").click().run()
    assert waits
    app.button(key="exhibit-stop").click().run()
    settle(app)
    assert "have not been run" in text_of(app.run())


def test_letor_s_folds_through_the_page_are_those_of_python(restart, monkeypatch, tmp_path):
    restart(tmp_path / "store")
    folds = ltr.datasets.make("ohsumed-like", seed=1, n_queries=20, n_docs=12)
    for number, parts in enumerate(ltr.folds(folds, 5, seed=0), start=1):
        (tmp_path / "MQ2008" / f"Fold{number}").mkdir(parents=True)
        for name, part in zip(("train", "vali", "test"), parts, strict=True):
            ltr.save(part, tmp_path / "MQ2008" / f"Fold{number}" / f"{name}.txt")
    monkeypatch.setattr(letor, "DATA_FOLDER", tmp_path)
    app = open_app(f"{CARD}letor-mq2008..letor-mq2008-n_rounds.10", page="papers")
    app = settle(app)  # came by a link: it runs by itself
    app.run()
    exhibit = PAPERS["letor"].exhibits["mq2008"]
    result = exhibit.run(n_rounds=10)
    held = results.find(shown("letor-mq2008"), exhibit.checked({"n_rounds": 10}))
    assert held.result.to_json() == result.to_json()
    text, table = text_of(app), result.charts[0].frame
    for _, row in table[table["which"] == "here"].iterrows():
        assert f'<td class="">{row["NDCG@5"]:.4f}</td>' in text
    assert len(table[table["which"] == "here"]) == 5


@pytest.mark.parametrize("name", [n for n in EXHIBITS if shown(n).exhibit.setting is not None])
def test_the_way_to_compare_carries_data_and_systems(name):
    exhibit = shown(name).exhibit
    setting = exhibit.setting(exhibit.checked())
    runs = ways.workspace_of(setting)
    assert len(runs.slots) == len(setting.systems)
    for (_, recipe), system in zip(runs.slots, setting.systems, strict=True):
        assert recipe.algorithm == system.algorithm
        assert {k: v for k, v in recipe.values().items() if k in system.params} == dict(system.params)
    assert ways.controls_of(setting)["data"] == setting.data


def test_the_python_on_the_card_computes_it(capsys):
    card = shown("mpboost-fig2")
    exec(ways.python_lines(card, {**card.exhibit.checked(), "alpha": 0.7}), {})
    printed, result = capsys.readouterr().out, card.exhibit.run(alpha=0.7)
    for verdict in result.verdicts:
        assert f"{verdict.state} | {verdict.claim}" in printed


def test_every_way_on_leads_to_what_it_names():
    for name in EXHIBITS:
        for way in shown(name).exhibit.ways:
            for control, value in way.controls.items():
                assert controls.state.CONTROLS[control].check(value, control) == value
            if way.page == "inspect":  # which has nothing to show of somebody else's runs, or of none
                assert way.systems, name
                assert all(recipe_of(one.algorithm, one.params) for one in way.systems)
            if way.page == "sweep":
                algorithm = way.controls["sweep_start"].split(".")[0]
                assert [axis.name for axis in decode_axes(way.controls["sweep_axes"], algorithm)] == ["lam"]
            if way.page in SAYS:  # and not what was last looked at there
                assert SAYS[way.page] in way.controls, name


def test_a_series_looks_the_same_in_all_pictures_of_a_card():
    frame = pd.DataFrame({"series": ["B", "C"], "value": [1.0, 2.0]})
    more = pd.DataFrame({"series": ["A", "B", "C"], "x": [1, 1, 1], "value": [1.0, 2.0, 3.0]})
    bars, lines = Chart("bars", frame, "bars"), Chart("lines", more, "lines", baseline="A")
    looks = pictures.looks_of((bars, lines), LIGHT)
    assert len({look.colour for look in looks.values()}) == 3
    assert looks == pictures.looks_of((bars, Chart("table", more, "table"), lines), LIGHT)
    assert {name: looks[name] for name in "BC"} == pictures.looks_of((bars,), LIGHT)
    apart = Chart("bars", pd.DataFrame({"series": ["D"], "value": [1.0]}), "of something else")
    assert pictures.looks_of((bars, lines, apart), LIGHT)["D"].colour == looks["B"].colour


def test_what_the_paper_prints_is_printed_as_there():
    texts = pictures._printed(PAPERS["mcrank"].exhibits["table1"].published)
    assert texts[0][1:4] == ["85.0", "9.5", "83.7"] and texts[0][7] == "0"
    assert texts[2][1:3] == ["–", "–"] and texts[2][-1] == "0.003"
    assert texts[3][-1] == "3.8e−07"
    assert [row[2] for row in pictures._printed(PAPERS["frank"].exhibits["table4"].published)][0] == "0.670"


def test_a_card_says_what_is_set_otherwise_and_asks_for_more_than_there_is():
    app = open_app(f"{CARD}mpboost-fig2..mpboost-fig2-alpha.0_7", page="papers")
    assert "Here: Its parameters: α 0.2, λ 3, β 0.5. Set otherwise: α 0.7." in text_of(app)
    few = Verdict("It is better.", State.UNTOLD, 0.1, -0.2, 0.4, 0.2, 2, 2.0, of="seeds")
    said = verdicts_html(shown("featurerank-fig2"), (few,), {})
    assert "2 seeds; too few seeds to say how many it would take" in said


def test_names_at_the_ends_of_lines_can_be_read_in_the_dark():
    frame = pd.DataFrame({"series": ["A", "A", "B", "B"], "x": [1, 2, 1, 2], "value": [1.0, 2.0, 2.0, 3.0]})
    looks = pictures.looks_of((Chart("lines", frame, "lines", baseline="A"),), DARK)
    labels = draw_lines(frame, looks, DARK).layout.annotations
    assert {label.text: label.font.color for label in labels} == {
        name: letters(look.colour, DARK) for name, look in looks.items()
    }
