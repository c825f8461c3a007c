"""Counts of a thousand and more have commas wherever people read them, and none where machines do."""

from __future__ import annotations

import json
import re

import pytest

from ltr_core.evaluation.significance import say
from pages.ui.compare import exports
from pages.ui.kit.html import run_table_html
from pages.ui.runs.specs import recipe_of
from pages.ui.style import words
from pages.ui.tables import several
from tests.dashboard import open_app, text_of
from tests.pages.test_charts import LOOKS, run_rows

DATA = "data.cubic..cubic-n_queries.2600..cubic-n_docs.4..cubic-n_features.5..cubic-seed.12345"
RUNS = "r0.MPBoost.ddf.binary.n_rounds.1200..r1.MPBoost.n_rounds.1300..score_at.last"
BARE = re.compile(r"(?<![\w.,−&#])\d{4,}(?![\w,])(?!\.\d)")
YEAR = re.compile(r"\b[A-Z][A-Za-z]+ (?:19|20)\d\d\b")  # of a paper's conference


def read(app):
    """Return what is read on a page, its hints with it."""
    text = re.sub(r"<(script|style|svg).*?</\1>", " ", text_of(app), flags=re.DOTALL)
    hints = " ".join(re.findall(r'title="([^"]*)"', text))
    return YEAR.sub("", re.sub(r"<[^>]*>", " ", text) + hints)


@pytest.mark.parametrize("page", ["compare", "rankings", "_inspect", "sweep", "history", "data", "overview"])
def test_no_page_has_a_bare_thousand(page):
    app = open_app(f"{DATA}..{RUNS}", page=page)
    assert not app.exception
    said = read(app)
    assert not BARE.findall(said), [said[m.start() - 60 : m.end() + 30] for m in BARE.finditer(said)]
    if page in ("compare", "_inspect"):
        assert "1,300" in said
    for picker in (*app.selectbox, *app.multiselect):
        if picker.key != "pick-rank_query":  # queries are names
            assert not [option for option in picker.options if BARE.search(option)]


def test_tables_that_streamlit_paints_have_commas_too():
    app = open_app(f"{DATA}..{RUNS}", page="history")
    (table,) = [frame.proto for frame in app.dataframe if "rounds" in frame.value]
    assert json.loads(table.columns)["rounds"]["type_config"]["format"] == "%,d"


def test_a_seed_counts_nothing_and_keeps_its_digits():
    recipes = [recipe_of("LambdaRank", {"random_state": seed, "epochs": 2000}) for seed in (1234, 5678)]
    assert words.run_names(recipes) == ["seed 1234", "seed 5678"]
    assert words.run_names(recipes[:1]) == ["LambdaRank epochs 2,000 · seed 1234"]


def test_rounds_of_several_trainings_have_commas_and_their_export_has_none():
    rows = run_rows(at="900–2500", rounds=2500)
    html = run_table_html(rows, LOOKS, "NDCG@5", 0, {})
    assert ">900–2,500</td>" in html and ">2,500</td>" in html
    texts = several.as_texts(rows, ["at", "rounds"], "NDCG@5", [])
    assert texts["Rounds"].iloc[0] == "2500" and "900–2500" in several.as_markdown(texts)


def test_the_sentence_of_a_comparison_has_commas():
    said = say("A", "B", "MAP", 0.02, 1400, 2600, 0.001, tied=1100)
    assert "better on 1,400 of 2,600 queries, equal on 1,100, worse on 100" in said
    assert words.verdict(0.001, 2600).startswith("On 2,600 queries")


def test_runs_are_found_by_their_numbers_either_way_and_tagged_without_commas():
    app = open_app(f"{DATA}..{RUNS}..table_find.1300", page="compare")
    screen = app.session_state["_screen"]
    for find in ("1300", "1,300"):
        assert list(several.arranged(screen, find=find)["slot"]) == [1]
    assert exports.tag(screen.runs[1]).count("1300") == 1
