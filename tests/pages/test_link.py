"""Links: what is written is read back, and nothing that somebody types can raise."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltr_core import ALGORITHMS, Param
from pages.ui.app import controls  # noqa: F401 - collects them
from pages.ui.runs.specs import MAX_RUNS, Workspace, recipe_of, workspace_of
from pages.ui.session import link
from pages.ui.session.state import CONTROLS

PARAMS = {
    "n": Param("n", "int", 3, 0, 10**9),
    "x": Param("x", "float", 1.0, -1e300, 1e300, optional=True),
    "on": Param("on", "bool", False),
    "pick": Param("pick", "choice", "a", choices=("a", "b c", "ü/–", 2)),
    "name": Param("name", "text", ""),
    "rows": Param("rows", "table", None, optional=True),
}


def there_and_back(values, workspace=None):
    text = link.encode(values, PARAMS, workspace or Workspace())
    found, runs, wrong = link.decode(text, PARAMS)
    assert not wrong
    return found, runs


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 10**9),
    st.none() | st.floats(-1e300, 1e300),
    st.booleans(),
    st.sampled_from(["a", "b c", "ü/–", 2]),
    st.text(st.characters(codec="utf-8"), max_size=40),
)
def test_values_come_back_to_the_last_bit(n, x, on, pick, name):
    values = {"n": n, "x": x, "on": on, "pick": pick, "name": name}
    found, _ = there_and_back(values)
    assert found == values
    assert x is None or math.copysign(1, found["x"]) == math.copysign(1, x)


def test_tables_come_back():
    rows = ((0.0, 1.5), (-1.5, 0.0))
    assert there_and_back({"rows": rows})[0] == {"rows": rows}


def test_a_link_is_made_of_plain_characters():
    text = link.encode({"name": "a b%/?&=#~ü", "x": -1.5e-7}, PARAMS, Workspace())
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_runs_of_every_algorithm_come_back(name):
    cls = ALGORITHMS[name]
    changed = {}
    for param in cls.all_params():
        if param.kind == "int":
            changed[param.name] = int(param.low) + 1
        elif param.kind == "float" and param.high is not None:
            changed[param.name] = (param.low + param.high) / 3
        elif param.kind == "choice":
            changed[param.name] = param.choices[-1]
        elif param.kind == "bool":
            changed[param.name] = not param.default
    recipe = recipe_of(name, changed)
    assert recipe.params
    workspace = Workspace(((3, recipe), (0, recipe_of(name, {}))), 0)
    assert there_and_back({}, workspace)[1] == workspace


def test_slots_order_and_baseline_come_back():
    recipes = [recipe_of("MPBoost", {"n_rounds": n}) for n in (5, 6, 7)]
    workspace = Workspace(((4, recipes[0]), (0, recipes[1]), (9, recipes[2])), 9)
    _, runs = there_and_back({}, workspace)
    assert runs == workspace and [slot for slot, _ in runs.slots] == [4, 0, 9]


def test_an_empty_workspace_comes_back_empty():
    assert there_and_back({}, Workspace())[1] == Workspace()


@pytest.mark.parametrize(
    "part, words",
    [
        ("zzz.1", "“zzz.1”, which is the name of nothing here"),
        ("r12.FRank", "“r12.FRank”, a run beyond the 10 that a page shows"),
        ("n.many", "n takes a whole number"),
        ("n.11e9", "n takes"),
        ("x.nan", "x takes a number"),
        ("x.inf", "x takes"),
        ("on.2", "on takes"),
        ("pick.q", "pick takes one of"),
        ("rows.x", "rows takes a table"),
        ("rows." + "_5B" * 5000, "rows takes"),
        ("name._FF", "name takes"),
        ("r1.NoSuch", "there is no algorithm “NoSuch” here"),
        ("r1.MPBoost.nope.1", "MPBoost has no parameter “nope”"),
        ("r1.MPBoost.n_rounds", "MPBoost: rounds has no value"),
        ("r1.MPBoost.odd", "MPBoost: “odd” has no value"),
        ("r1.MPBoost.n_rounds.0", "MPBoost: rounds takes a whole number from 1 to 100,000"),
        ("n.4.5", "n takes a whole number"),
        ("r1", "a run has no algorithm"),
        ("base.x", "the baseline is one of the runs on screen"),
        ("base", "the baseline is one of the runs on screen"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_rest_is_kept(part, words):
    found, runs, wrong = link.decode(f"n.4..{part}..on.1", PARAMS)
    assert found == {"n": 4, "on": True}
    assert len(wrong) == 1 and words in wrong[0]
    assert runs is None


@pytest.mark.parametrize(
    "part, words",
    [
        ("cubic-n_docs.many", "Cubic polynomial: documents takes a whole number from 1 to 10,000"),
        ("mq2008-list-like-noise.much", "MQ2008-list-like: noise takes a number from 0 to 10"),
        ("err-max_grade.high", "ERR: highest grade takes a number of at least 0"),
        ("rank_run.two", "compared run takes one of the runs on screen"),
        ("sweep_sampler.tp", "search takes one of “Grid”, “Random”, “TPE”"),
        ("valid.no", "validation takes one of “a file of its own”, “cut from training”"),
        ("look_tree.x", "round takes a whole number from 1 to 1,000,000"),
    ],
)
def test_a_note_says_whose_control_it_is_and_what_it_takes_in_the_words_on_screen(part, words):
    assert link.decode(part, CONTROLS)[2][0].startswith(words)


def test_no_note_is_of_a_name_that_only_the_link_has():
    """Each control is called something, and so are its choices."""
    for name in CONTROLS:
        for sentence in link.decode(f"{name}._00", CONTROLS)[2]:
            assert "_" not in sentence and "None" not in sentence.replace("“None”", ""), sentence


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200) | st.text("r0123456789._MPBostndlambeuk-", max_size=120))
def test_no_text_raises(text):
    values, runs, wrong = link.decode(text, CONTROLS)
    assert set(values) <= set(CONTROLS)
    assert all(isinstance(sentence, str) for sentence in wrong)
    assert runs is None or all(recipe.algorithm in ALGORITHMS for _, recipe in runs.slots)


def test_an_endless_link_is_not_read():
    values, runs, wrong = link.decode("n.4.." * 10_000, PARAMS)
    assert (values, runs) == ({}, None) and "longer" in wrong[0]


def test_no_more_runs_than_colours():
    parts = [f"r{i % 10}.MPBoost.n_rounds.{i + 1}" for i in range(30)]
    _, runs, _ = link.decode("..".join(parts), PARAMS)
    assert len(runs.slots) == MAX_RUNS


def test_the_same_run_twice_is_one():
    _, runs, _ = link.decode("r0.MPBoost..r1.MPBoost", PARAMS)
    assert runs == workspace_of(recipe_of("MPBoost", {"size": 1.0}))


def test_a_link_from_before_a_default_changed_means_what_it_said():
    """MPBoost was calibrated to a mean distance of 1: a link that does not name the size still is."""
    size = next(p for p in ALGORITHMS["MPBoost"].params if p.name == "size")
    assert size.was == (1.0,) and size.default != size.unnamed == 1.0
    now, then, binary = (recipe_of("MPBoost", v) for v in ({}, {"size": 1.0}, {"ddf": "binary"}))
    assert link.encode_recipe(now) == f"MPBoost.size.{link.encode_value(size, size.default)}"
    assert link.encode_recipe(then) == "MPBoost" and link.encode_recipe(binary) == "MPBoost.ddf.binary"
    for recipe in (now, then, binary, recipe_of("MPBoost", {"ddf": "ldd", "size": 0.3, "n_rounds": 9})):
        assert link.decode_recipe(link.encode_recipe(recipe).split(".")) == recipe
