"""Controls: each is declared in one place and collected once, and a widget follows the control it sets."""

from __future__ import annotations

import ast
import os
import time

import pytest
from streamlit.testing.v1 import AppTest

from ltr_core import MEASURES, PAPERS, Param
from ltr_core.datasets import DATASETS
from ltr_core.datasets.parts.base import SEED
from pages.ui.app import controls
from pages.ui.runs import catalog
from pages.ui.session import state
from tests.sources import ROOT, calls_in, imported, place, tree_of

UI = ROOT / "pages" / "ui"
HOMES = sorted(UI.glob("*/controls.py"))


def made_in(path):
    """Return the first argument of each `Param(…)` of a file."""
    calls = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
    return [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Param"]


def declared(path):
    """Return the names of the controls that a file declares."""
    module = imported(path)
    own = module.FRAME if module is controls else module.CONTROLS
    return {param.name for param in own} | {
        name.value for name in made_in(path) if isinstance(name, ast.Constant)
    }


def test_every_feature_declares_its_controls():
    assert {path.parent.name for path in HOMES} >= {"app", "compare", "data", "inspect", "rankings", "sweep"}
    assert {path.parent.name for path in HOMES} >= {"shapes", "step"}


def test_what_is_declared_is_collected():
    missing = {path.parent.name: declared(path) - set(state.CONTROLS) for path in HOMES}
    assert not any(missing.values()), f"not in app/controls.py: {missing}"


def test_what_is_collected_is_declared():
    """A control has its home in a `controls.py`, or comes with a data set, a measure or an algorithm."""
    fixed = set().union(*(declared(path) for path in HOMES))
    owners = [d.name for d in DATASETS.values()] + list(MEASURES) + list(PAPERS) + ["step"]
    stray = {n for n in set(state.CONTROLS) - fixed if n.partition("-")[0] not in owners}
    stray = {n for n in stray if not n.startswith(tuple(f"{owner}-" for owner in owners))}
    assert not stray, stray
    for data_set in DATASETS.values():
        assert {f"{data_set.name}-{p.name}" for p in (*data_set.params, SEED)} <= set(state.CONTROLS)
    for name, cls in MEASURES.items():
        assert {f"{name}-{p.name}" for p in cls.params} <= set(state.CONTROLS)
    assert all(param.name == name for name, param in state.CONTROLS.items())


def test_a_control_is_collected_once():
    for param in (controls.FRAME[0], next(p for p in state.CONTROLS.values() if p.name == "layout")):
        with pytest.raises(ValueError, match=f"{param.name} is collected twice"):
            state.collect((param,))


def test_no_other_file_makes_controls():
    """A `Param` that is made elsewhere would be a widget without a word in the link."""
    allowed = {path.relative_to(UI).as_posix() for path in HOMES} | {"runs/catalog.py"}  # a file's gaps
    makers = {path.relative_to(UI).as_posix() for path in UI.rglob("*.py") if made_in(path)}
    assert makers <= allowed, makers - allowed


def test_widgets_are_bound():
    """Nothing in the rooms draws a widget that holds a value by itself: `bound` is the one way."""
    widgets = {"selectbox", "radio", "segmented_control", "pills", "slider", "select_slider", "toggle"}
    widgets |= {"checkbox", "number_input", "text_input", "text_area", "multiselect"}
    strays = []
    for path in sorted(UI.rglob("*.py")):
        for name, call in calls_in(tree_of(path)):
            if (
                name.startswith("st.") and name[3:] in widgets and path.name != "mirror.py"
            ):  # the link's own field
                strays.append(f"{place(path, call)}: {name}")
    assert not strays, strays


# Values -----------------------------------------------------------------------------------------------------


def values():
    import streamlit as st

    from pages.ui.app import controls  # noqa: F401
    from pages.ui.session import state

    for name, value in st.session_state.get("given", {}).items():
        state.put(name, value)
    st.session_state["out"] = {name: state.get(name) for name in st.session_state.get("given", {})}
    st.session_state["changed"] = state.changed()


@pytest.mark.parametrize(
    "name, given, read",
    [
        ("ndcg-k", 5, 5),
        ("ndcg-k", 0, 10),  # out of range: its default
        ("ndcg-k", True, 10),
        ("ndcg-k", 1.0, 1),
        ("log_rounds", 1, True),
        ("layout", "multiples", "multiples"),
        ("layout", "sideways", "overlay"),
        ("shape_table", ((0.0, 1.0), (-1.0, 0.0)), ((0.0, 1.0), (-1.0, 0.0))),
        ("shape_table", {"a": [1]}, {"a": [1]}),  # from a link, without a hash
    ],
)
def test_a_value_is_checked_when_it_is_read(name, given, read):
    app = AppTest.from_function(values)
    app.session_state["given"] = {name: given}
    app.run()
    assert not app.exception
    got, default = app.session_state["out"][name], state.CONTROLS[name].default
    assert got == read and type(got) is type(read)
    assert app.session_state["changed"] == ({name: read} if read != default else {})


def test_values_are_checked_once(monkeypatch):
    checks = []
    check = Param.check

    def counted(self, *given):
        if state.CONTROLS.get(self.name) is self:  # and not an algorithm's, in a thread meanwhile
            checks.append(self.name)
        return check(self, *given)

    monkeypatch.setattr(Param, "check", counted)
    state._checked.cache_clear()
    app = AppTest.from_function(values)
    app.session_state["given"] = {"ndcg-k": 7, "layout": "multiples"}
    app.run()
    assert sorted(checks) == ["layout", "ndcg-k"]
    app.run()
    assert len(checks) == 2


# Widgets ----------------------------------------------------------------------------------------------------


def widgets():
    import streamlit as st

    from pages.ui.app import controls  # noqa: F401
    from pages.ui.session import state
    from pages.ui.session.bound import bound

    session = st.session_state
    own = session.setdefault("parts", {"low": 1, "high": 9})
    bound(
        "layout", st.selectbox, "Layout", ["overlay", "multiples"], words={"overlay": "O", "multiples": "M"}
    )
    known = session.get("known", ["a", "b", "c"])
    shown = state.get("look_feature")
    shown = shown if shown in known else known[0]
    bound("look_feature", st.selectbox, "Feature", known, shows=shown, forget=("look_tree",))
    for part in own:
        bound(f"part-{part}", st.number_input, part, 0, 10, shows=own[part], take=partial_take(own, part))
    session["held"] = {name: state.get(name) for name in ("layout", "look_feature", "look_tree")}


def partial_take(own, part):
    return lambda value: own.__setitem__(part, value)


@pytest.fixture
def app(monkeypatch):
    import builtins

    monkeypatch.setattr(builtins, "partial_take", partial_take, raising=False)
    return AppTest.from_function(widgets).run()


def test_a_widget_holds_its_control(app):
    assert not app.exception
    assert app.selectbox("layout").options == ["O", "M"] and app.session_state["held"]["layout"] == "overlay"
    app.selectbox("layout").select("multiples").run()
    assert app.session_state["held"]["layout"] == "multiples"
    app.session_state["layout"] = "overlay"  # a link
    app.run()
    assert app.selectbox("layout").value == "overlay"


def test_a_widget_shows_what_a_control_comes_to_and_sets_it_when_it_is_used(app):
    box = app.selectbox("pick-look_feature")
    assert box.value == "a" and app.session_state["held"]["look_feature"] == ""  # nobody has chosen yet
    app.session_state["look_tree"] = 5
    box.select("c").run()
    assert app.session_state["held"] == {"layout": "overlay", "look_feature": "c", "look_tree": 1}
    app.session_state["look_feature"] = "b"  # a click, a link
    app.run()
    assert app.selectbox("pick-look_feature").value == "b"
    app.session_state["known"] = ["x", "y"]
    app.run()
    assert app.selectbox("pick-look_feature").value == "x" and app.session_state["look_feature"] == "b"


def test_a_choice_that_is_no_longer_offered_sets_nothing(app):
    app.session_state["known"] = ["x", "a"]
    app.selectbox("pick-look_feature").select("c").run()
    assert not app.exception and app.session_state["held"]["look_feature"] in ("", "c")


def test_a_widget_may_set_a_part(app):
    app.number_input("part-low").set_value(4).run()
    assert app.session_state["parts"] == {"low": 4, "high": 9} and app.number_input("part-low").value == 4
    app.session_state["parts"] = {"low": 2, "high": 8}
    app.run()
    assert app.number_input("part-low").value == 2 and app.number_input("part-high").value == 8


# The folder data/ -------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(catalog, "DATA_FOLDER", tmp_path)
    return tmp_path


def found():
    return [name for name in catalog.entries() if name.startswith(catalog.FILES)]


def age(folder):
    """Let the folder look as if nothing had happened in it for a while."""
    deadline = time.monotonic() + 60
    while max(os.stat(path).st_ctime for path in (folder, *folder.rglob("*"))) > time.time() - 1.2:
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
def test_what_is_dropped_into_the_folder_appears_by_itself(folder):
    assert found() == []
    (folder / "one.txt").write_text("1 qid:1 1:1\n")
    assert found() == ["files/one.txt"]
    age(folder)
    assert found() == found() == ["files/one.txt"]
    fold = folder / "deep" / "LETOR" / "set" / "Fold1"
    fold.mkdir(parents=True)
    name = "files/deep/LETOR/set"
    assert found() == [name, "files/one.txt"] and "no train file" in catalog.entries()[name].problem
    age(folder)
    assert catalog.entries()[name].problem
    for part in ("train", "vali", "test"):
        (fold / f"{part}.txt").write_text("1 qid:1 1:1\n")
    assert not catalog.entries()[name].problem
    age(folder)
    assert not catalog.entries()[name].problem
    (fold / "test.txt").unlink()
    assert "no test file" in catalog.entries()[name].problem
    (folder / "one.txt").unlink()
    assert found() == [name]


def test_a_file_that_grows_is_told_anew(folder):
    (folder / "one.txt").write_text("1 qid:1 1:1\n")
    age(folder)
    small = catalog.entries()["files/one.txt"].summary
    (folder / "one.txt").write_text("1 qid:1 1:1\n" * 100_000)
    assert catalog.entries()["files/one.txt"].summary != small


def test_the_folder_is_searched_once_while_nothing_changes(folder, monkeypatch):
    (folder / "one.txt").write_text("1 qid:1 1:1\n")
    age(folder)
    found()
    monkeypatch.setattr(catalog, "found", lambda folder: pytest.fail("searched again"))
    assert found() == ["files/one.txt"]


def test_what_comes_after_its_widget_has_gone_sets_nothing():
    """As when the page was left while a click was on the way: no key of the widget is in the session."""
    from pages.ui.session import bound

    taken = []
    bound._take("pick-nobody", taken.append, None, ())
    bound._take("pick-nobody", taken.append, ["a"], ("layout",))
    bound.clicked("layout", "no-table", rows=["overlay"])()
    bound.clicked("layout", "no-picture")()
    assert not taken and state.told("no-component") == {}
