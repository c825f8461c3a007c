"""Papers: every exhibit opens, its numbers are the library's, results are kept, a link restores a card."""

from __future__ import annotations

import pytest

import ltr_core as ltr
from ltr_core import PAPERS
from ltr_core.papers import letor
from ltr_core.papers import stored as stored_results
from pages.ui.papers import results, ways
from pages.ui.papers.controls import EXHIBITS
from pages.ui.papers.shown import Shown
from tests.dashboard import jobs, open_app, settle, text_of

CARD = "data.tiny..runs.none..exhibit."
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


def test_run_stop_and_full(nothing_stored, restart, tmp_path):
    restart(tmp_path)
    app = open_app(f"{CARD}mpboost-fig5", page="papers")
    assert "have not been run" in text_of(app)
    app.button(key="exhibit-full").click().run()
    for name, value in shown("mpboost-fig5").exhibit.in_full.items():
        assert app.session_state[f"mpboost-fig5-{name}"] == value
    app.button(key="exhibit-start").click().run()
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
