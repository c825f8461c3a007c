"""Who may import whom: one list of layers, one test for each rule."""

from __future__ import annotations

import ast
import re

import pytest

from tests.project.layers import (
    ENTRANCES,
    FEATURES,
    LAYERS,
    MAY_USE_STREAMLIT,
    MODULES,
    NO_STREAMLIT,
    arrows,
    cycles,
    folder_of,
    goes_down,
    graph_of,
    module_of,
    room_of,
)
from tests.sources import APP, CORE, PAGES, SHIPPED, UI, dotted, imports_of, none_of, place, tree_of


def test_every_module_is_in_a_room_of_the_list_and_every_room_is_there():
    none_of(module for module in MODULES if module != "pages.ui" and not room_of(module))
    rooms = {room_of(module) for module in MODULES}
    none_of(room for rooms_of_layer in LAYERS for room in rooms_of_layer if room not in rooms)


def test_every_arrow_goes_down_the_layers():
    none_of(arrow for arrow in arrows() if not goes_down(arrow))


@pytest.mark.parametrize("of", [room_of, folder_of], ids=["layers", "folders"])
def test_no_cycle_between_rooms(of):
    def node(module):
        room = of(module)
        return (
            "entrances" if room in ENTRANCES else room
        )  # the command line and its `__main__` are one another's

    none_of(cycles(graph_of(node)))


def test_no_feature_imports_another():
    none_of(
        arrow
        for arrow in arrows()
        if room_of(arrow.source) in FEATURES
        and room_of(arrow.target) in set(FEATURES) - {room_of(arrow.source)}
    )


def test_only_the_entrances_and_sweeps_import_algorithms():
    allowed = (*ENTRANCES, "ltr_core.papers", "ltr_core.sweeps", "ltr_core.algorithms")
    none_of(
        arrow
        for arrow in arrows()
        if room_of(arrow.target) == "ltr_core.algorithms"
        and arrow.source.startswith("ltr_core")
        and room_of(arrow.source) not in allowed
    )


def test_tables_charts_runs_and_style_know_no_streamlit():
    none_of(
        f"{place(path, node)}: {module}"
        for path in UI
        for module, _, node in imports_of(path)
        if module.partition(".")[0] == "streamlit"
        and room_of(module_of(path)) in NO_STREAMLIT
        and module_of(path) not in MAY_USE_STREAMLIT
    )


def test_the_core_knows_no_dashboard_and_nothing_shipped_knows_the_tests():
    foreign = {"streamlit", "pages", "app", "plotly", "tests"}
    none_of(
        f"{place(path, node)}: {module}"
        for path in SHIPPED
        for module, _, node in imports_of(path)
        if module.partition(".")[0] in (foreign if path in CORE else {"tests"})
    )


def test_no_page_knows_another_and_nothing_below_knows_a_page():
    page = re.compile(r"app$|pages\.(?!ui(\.|$))")
    none_of(
        f"{place(path, node)}: {used}"
        for path in PAGES + UI
        for module, names, node in imports_of(path)
        for used in {module, *(f"{module}.{name}" for name in names)} - {"pages"}
        if page.match(used)
    )


def test_the_dashboard_uses_public_names_only():
    """Nothing underscored is imported, or reached through a module, from another layer."""
    none_of(offender for path in PAGES + UI + APP for offender in _private_names_in(path))


def _private_names_in(path):
    modules = set()
    for module, names, node in imports_of(path):
        if module == "__future__" or (path in UI and module.startswith("pages.ui")):
            continue
        hidden = [n for n in (*module.split("."), *names) if n.startswith("_") and n != "__future__"]
        yield from (f"{place(path, node)}: {module} {name}" for name in hidden)
        modules |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr):
            head = dotted(node.value).partition(".")[0]
            yield from (f"{place(path, node)}: {head} {node.attr}" for _ in modules & {head})
