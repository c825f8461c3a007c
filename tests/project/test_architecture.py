"""The house rules, read off the syntax tree: layers, kernels, pages, sizes."""

from __future__ import annotations

import ast
import re

import pytest

from tests.sources import (
    APP,
    CORE,
    PAGES,
    SHIPPED,
    UI,
    calls_in,
    dotted,
    imported,
    imports_of,
    kernels_in,
    name_of,
    place,
    tree_of,
)

KERNELS = [(path, node, flags) for path in CORE for node, flags in kernels_in(path)]

# Files past the size of the house, each with its reason.
LONGER: dict[str, str] = {
    "ltr_core/data/reading/letor_kernels.py": "one parser: its kernels have to stand in one file",
}


# Layers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_core_knows_no_dashboard(path):
    for module, _, node in imports_of(path):
        top = module.partition(".")[0]
        assert top not in ("streamlit", "pages", "app", "plotly", "tests"), f"{place(path, node)}: {module}"


@pytest.mark.parametrize("path", UI, ids=name_of)
def test_ui_knows_no_page(path):
    for module, names, node in imports_of(path):
        used = {module, *(f"{module}.{name}" for name in names)}
        wrong = [m for m in used if m.partition(".")[0] == "app" or re.match(r"pages\.(?!ui(\.|$))", m)]
        assert not wrong and not module.startswith("tests"), f"{place(path, node)}: {module}"


@pytest.mark.parametrize("path", PAGES + APP, ids=name_of)
def test_pages_know_no_other_page(path):
    for module, names, node in imports_of(path):
        if path.name != "app.py":
            used = {module, *(f"{module}.{name}" for name in names)} - {"pages"}
            assert not [m for m in used if re.match(r"pages\.(?!ui(\.|$))|app$", m)], place(path, node)


@pytest.mark.parametrize("path", PAGES + UI + APP, ids=name_of)
def test_dashboard_uses_public_names_only(path):
    """Nothing underscored is imported, or reached through a module, from another layer."""
    modules = set()
    for module, names, node in imports_of(path):
        layer = "pages.ui" if path in UI else "pages"
        if module == "__future__" or (path in UI and module.startswith(layer)):
            continue
        hidden = [n for n in (*module.split("."), *names) if n.startswith("_") and n != "__future__"]
        assert not hidden, f"{place(path, node)}: {module} {hidden}"
        modules |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            assert dotted(node.value).partition(".")[0] not in modules, f"{place(path, node)}: {node.attr}"


# Pages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_pages_are_thin(path):
    """Widgets in order, one call for results, one for each picture: no loops, no arithmetic, no arrays."""
    tree = tree_of(path)
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 90, f"{name_of(path)} is past 90 lines"
    for node in ast.walk(tree):
        assert not isinstance(node, (ast.For, ast.While, ast.AsyncFor, ast.ClassDef)), place(path, node)
        if isinstance(node, ast.BinOp):
            assert isinstance(node.op, ast.BitOr) or _joins_texts(node), f"{place(path, node)}: arithmetic"
    for module, _, node in imports_of(path):
        assert module.partition(".")[0] not in ("numpy", "numba", "scipy", "threading"), place(path, node)


def _joins_texts(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Add) and any(
        isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple))
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_pages_leave_session_caches_and_colours_to_the_ui(path):
    text = path.read_text(encoding="utf-8")
    found = re.findall(
        r"session_state|query_params\b(?!\")|cache_data|cache_resource|#[0-9a-fA-F]{6}\b", text
    )
    assert not found, f"{name_of(path)}: {found}"


CHARTS = {f"{kind}_chart" for kind in ("plotly", "line", "bar", "area", "scatter", "altair", "vega_lite")}


@pytest.mark.parametrize("path", PAGES + UI + APP, ids=name_of)
def test_charts_have_words_and_widths(path):
    for name, call in calls_in(tree_of(path)):
        given = {k.arg for k in call.keywords}
        assert "use_container_width" not in given, place(path, call)
        last = name.rpartition(".")[2]
        if last in CHARTS:
            assert given & {"alt", None}, f"{place(path, call)}: a chart without alt="


# Kernels ----------------------------------------------------------------------------------------------------


def test_there_are_kernels():
    assert len(KERNELS) > 10


@pytest.mark.parametrize(
    "path, node, flags", KERNELS, ids=lambda v: v.name if isinstance(v, ast.FunctionDef) else ""
)
def test_kernels_carry_the_house_flags(path, node, flags):
    where = place(path, node)
    assert flags["decorator"] == "njit", f"{where}: {flags['decorator']}"
    assert flags.get("nogil") is True and flags.get("cache") is True, f"{where}: nogil=True, cache=True"
    unknown = set(flags) - {"decorator", "nogil", "cache", "parallel", "inline", "error_model", "boundscheck"}
    assert not unknown, (
        f"{where}: {unknown}"
    )  # fastmath among them: results would depend on the compiler's mood
    assert ("parallel" in flags) == node.name.endswith("_parallel"), (
        f"{where}: parallel kernels are called so"
    )
    assert node.name.startswith("_"), f"{where}: kernels are private"


@pytest.mark.parametrize(
    "path, node, flags", KERNELS, ids=lambda v: v.name if isinstance(v, ast.FunctionDef) else ""
)
def test_kernels_keep_to_plain_means(path, node, flags):
    """No recursion, no typed containers, outputs last, and nothing of another module baked in."""
    where = place(path, node)
    arguments = [a.arg for a in node.args.args]
    outputs = [a.startswith("out") for a in arguments]
    assert outputs == sorted(outputs), f"{where}: outputs come last"
    foreign = {
        alias.asname or alias.name
        for module, _, imported in imports_of(path)
        if module.partition(".")[0] == "ltr_core"
        for alias in imported.names
    }
    for below in ast.walk(node):
        if isinstance(below, ast.Name) and isinstance(below.ctx, ast.Load):
            assert below.id != node.name, f"{where}: recursion"
            assert below.id not in foreign - set(arguments), (
                f"{where}: {below.id} comes from another file, whose edits numba's cache does not see"
            )


PARALLEL = [(path, node) for path, node, flags in KERNELS if "parallel" in flags]


@pytest.mark.parametrize(
    "path, node", PARALLEL, ids=lambda v: v.name if isinstance(v, ast.FunctionDef) else ""
)
def test_parallel_kernels_hold_only_a_prange_and_their_serial_twin(path, node):
    where = place(path, node)
    loops = [below for below in ast.walk(node) if isinstance(below, (ast.For, ast.While))]
    assert len(loops) == 1, f"{where}: {len(loops)} loops"
    assert isinstance(loops[0], ast.For) and dotted(loops[0].iter.func).endswith("prange"), where
    own = {kernel.name for kernel, _ in kernels_in(path)}
    assert {name for name, _ in calls_in(loops[0])} & own, f"{where}: the loop calls no serial kernel"


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_prange_is_in_parallel_kernels_and_they_are_launched_from_python(path):
    kernels = {node.name: (node, flags) for node, flags in kernels_in(path)}
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.FunctionDef):
            continue
        names = {name.rpartition(".")[2] for name, _ in calls_in(node)}
        if "prange" in names:
            assert node.name in kernels and "parallel" in kernels[node.name][1], place(path, node)
        if node.name in kernels:  # a parallel kernel below another kernel would be launched unseen
            assert not any(name.endswith("_parallel") for name in names), place(path, node)


# Everywhere -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED, ids=name_of)
def test_nothing_is_printed_executed_or_unpickled(path):
    may_print = name_of(path).startswith(("ltr_core/cli/", "ltr_core/docs.py"))
    for name, call in calls_in(tree_of(path)):
        assert may_print or name not in ("print", "pprint.pprint"), f"{place(path, call)}: print"
        assert name not in ("eval", "exec", "os.system", "joblib.load", "torch.load"), place(path, call)
        allows = [k for k in call.keywords if k.arg in ("allow_pickle", "shell")]
        assert not any(getattr(k.value, "value", True) for k in allows), place(path, call)
    for module, _, node in imports_of(path):
        top = module.partition(".")[0]
        assert top not in ("pickle", "cloudpickle", "dill", "shelve", "marshal"), place(path, node)
        assert "typed" not in module and "experimental" not in module, place(path, node)


@pytest.mark.parametrize("path", SHIPPED, ids=name_of)
def test_files_are_of_a_readable_size(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if name_of(path) in LONGER:
        assert lines > 250, f"{name_of(path)} has {lines} lines: take it off the list"
    else:
        assert lines <= 250, f"{name_of(path)} has {lines} lines: cut it by noun, or list it with its reason"


@pytest.mark.parametrize("path", SHIPPED, ids=name_of)
def test_every_file_says_what_it_is(path):
    tree = tree_of(path)
    assert not tree.body or ast.get_docstring(tree), f"{name_of(path)} has no docstring"


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_what_is_public_is_typed_and_documented(path):
    for node in _public(tree_of(path).body):
        if isinstance(node, ast.FunctionDef):
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            bare = [a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls")]
            assert not bare and node.returns is not None, f"{place(path, node)}: {node.name} {bare}"
        assert ast.get_docstring(node), f"{place(path, node)}: {node.name} has no docstring"


def _public(body):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            overload = any(
                dotted(d).rpartition(".")[2] in ("setter", "overload") for d in node.decorator_list
            )
            if not overload:
                yield node
            if isinstance(node, ast.ClassDef) and not node.bases:  # a base has said it already
                yield from _public(node.body)


def test_every_algorithm_has_a_file_of_its_own():
    from ltr_core.algorithms import ALGORITHMS

    files = {}
    for name, algorithm in ALGORITHMS.items():
        assert algorithm.__name__ == name
        files.setdefault(algorithm.__module__, []).append(name)
    assert {module: names for module, names in files.items() if len(names) > 1} == {}


def test_every_algorithm_is_registered():
    """A class that derives from Ranker is in the registry, or is the base of some that are."""
    from ltr_core.algorithms import ALGORITHMS, Ranker

    for path in CORE:
        if path.name != "__main__.py":
            imported(path)

    def below(cls):
        return {sub for direct in cls.__subclasses__() for sub in {direct, *below(direct)}}

    ours = {cls for cls in below(Ranker) if cls.__module__.startswith("ltr_core.")}
    leaves = {cls for cls in ours if not (below(cls) & ours)}
    assert leaves <= set(ALGORITHMS.values())
