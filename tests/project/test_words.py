"""What stands in the files: documents, types, names, colours, and what is not done anywhere."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter

from tests.project.layers import module_of
from tests.sources import (
    APP,
    CORE,
    PAGES,
    ROOT,
    SHIPPED,
    UI,
    calls_in,
    dotted,
    imported,
    imports_of,
    name_of,
    none_of,
    place,
    tracked_files,
    tree_of,
)

# Pages ------------------------------------------------------------------------------------------------------


def test_a_page_is_a_layout():
    """Widgets in order, one call for results, one for each picture: no loops, no arithmetic, no arrays."""
    none_of(offender for path in PAGES for offender in _work_in(path))


def _work_in(path):
    for node in ast.walk(tree_of(path)):
        if isinstance(node, (ast.For, ast.While, ast.AsyncFor, ast.ClassDef)):
            yield f"{place(path, node)}: {type(node).__name__}"
        if isinstance(node, ast.BinOp) and not (isinstance(node.op, ast.BitOr) or _joins_texts(node)):
            yield f"{place(path, node)}: arithmetic"
    for module, _, node in imports_of(path):
        if module.partition(".")[0] in ("numpy", "numba", "scipy", "threading"):
            yield f"{place(path, node)}: {module}"


def _joins_texts(node):
    return isinstance(node.op, ast.Add) and any(
        isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple))
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def test_a_page_leaves_the_session_and_the_caches_to_the_rooms():
    private = re.compile(r"session_state|query_params\b(?!\")|cache_data|cache_resource")
    none_of(
        f"{name_of(path)}: {word}"
        for path in PAGES
        for word in private.findall(path.read_text(encoding="utf-8"))
    )


CHARTS = [f"{kind}_chart" for kind in ["plotly", "line", "bar", "area", "scatter", "altair", "vega_lite"]]


def test_charts_have_words_and_widths():
    none_of(
        f"{place(path, call)}: {name}"
        for path in PAGES + UI + APP
        for name, call in calls_in(tree_of(path))
        for given in [{keyword.arg for keyword in call.keywords}]
        if "use_container_width" in given or (name.rpartition(".")[2] in CHARTS and not given & {"alt", None})
    )


# Colours ----------------------------------------------------------------------------------------------------

HEX = re.compile(r"(?<![\w&])#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})(?!\w)")
OF_NUMBERS = re.compile(r"\b(?:rgb|hsl)a?\(\s*\d[^)]*\)")
NO_COLOUR = {"rgba(0,0,0,0)"}  # plotly's word for transparent
COLOURED = (".py", ".css", ".js", ".html")  # the logo and the icon are drawings of their own


def test_a_colour_has_one_home():
    none_of(
        f"{name_of(path)}:{number}: {colour}"
        for path in tracked_files()
        if path.suffix in COLOURED
        and name_of(path).startswith(("pages/", "app.py", "ltr_core/"))
        and name_of(path) != "pages/ui/style/theme.py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for colour in HEX.findall(line) + OF_NUMBERS.findall(line)
        if colour.replace(" ", "") not in NO_COLOUR
    )


def test_streamlit_is_told_the_colours_of_the_theme():
    from pages.ui.style import theme

    told = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    for name, neutral in (("light", theme.LIGHT), ("dark", theme.DARK)):
        assert told[name]["textColor"] == neutral.text
        assert told[name]["backgroundColor"] == neutral.surface
        assert told[name]["chartCategoricalColors"] == list(neutral.slots)


# Names and types --------------------------------------------------------------------------------------------


def test_nothing_is_called_seen():
    """It was four things at once: what a variable is gives it its name."""
    uses = Counter(
        name_of(path)
        for path in SHIPPED
        for node in ast.walk(tree_of(path))
        if "seen" in (getattr(node, "id", None), getattr(node, "arg", None), getattr(node, "attr", None))
    )
    none_of(f"{name}: {count} times" for name, count in uses.items())


# What a caller may hand in as anything that holds rows, and what is read from a model's file.
OPEN = {"X", "y", "qid", "eval_set", "value", "values", "content", "dtype"}
BY_NAME = re.compile(r"(dict|Mapping)\[str, Any\]( \| None)?")


def test_rankers_say_what_they_take_and_give():
    """`Any` stands for what a caller hands in, for values by name and for the content of a file only."""
    none_of(
        f"{place(path, node)}: {text}"
        for path in CORE
        if name_of(path).startswith("ltr_core/rankers/")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.arg) and node.annotation is not None and node.arg not in OPEN
        for text in [ast.unparse(node)]
        if re.search(r"\bAny\b", text) and not BY_NAME.search(text)
    )


def test_every_file_says_what_it_is():
    none_of(name_of(path) for path in SHIPPED if tree_of(path).body and not ast.get_docstring(tree_of(path)))


def test_what_is_public_is_typed_and_documented():
    none_of(
        f"{place(path, node)}: {node.name} {what}"
        for path in CORE
        for node in _public(tree_of(path).body)
        for what in _missing(node)
    )


def _missing(node):
    if isinstance(node, ast.FunctionDef):
        arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        yield from (a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls"))
        if node.returns is None:
            yield "says not what it returns"
    if not ast.get_docstring(node):
        yield "has no docstring"


def _public(body):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            ends = {dotted(decorator).rpartition(".")[2] for decorator in node.decorator_list}
            if not ends & {"setter", "overload"}:
                yield node
            if isinstance(node, ast.ClassDef) and not node.bases:  # a base has said it already
                yield from _public(node.body)


# Not done anywhere ------------------------------------------------------------------------------------------

EXECUTING = ("eval", "exec", "os.system", "joblib.load", "torch.load")
UNPICKLING = ("pickle", "cloudpickle", "dill", "shelve", "marshal")


def test_nothing_is_printed():
    none_of(
        place(path, call)
        for path in SHIPPED
        if not name_of(path).startswith(("ltr_core/cli/", "ltr_core/docs.py"))
        for name, call in calls_in(tree_of(path))
        if name in ("print", "pprint.pprint")
    )


def test_nothing_is_executed_or_unpickled():
    none_of(offender for path in SHIPPED for offender in _executions_in(path))


def _executions_in(path):
    for name, call in calls_in(tree_of(path)):
        allows = [k for k in call.keywords if k.arg in ("allow_pickle", "shell")]
        if name in EXECUTING or any(getattr(k.value, "value", True) for k in allows):
            yield f"{place(path, call)}: {name}"
    for module, _, node in imports_of(path):
        if module.partition(".")[0] in UNPICKLING or "typed" in module or "experimental" in module:
            yield f"{place(path, node)}: {module}"


# The registry -----------------------------------------------------------------------------------------------


def test_every_algorithm_has_a_file_of_its_own():
    from ltr_core.algorithms import ALGORITHMS

    files = {}
    for name, algorithm in ALGORITHMS.items():
        assert algorithm.__name__ == name
        files.setdefault(algorithm.__module__, []).append(name)
    none_of(f"{module}: {names}" for module, names in files.items() if len(names) > 1)


def test_every_algorithm_is_registered():
    """A class that derives from Ranker is in the registry, or is the base of some that are."""
    from ltr_core.algorithms import ALGORITHMS
    from ltr_core.rankers.base import Ranker

    for path in CORE:
        if path.name != "__main__.py":
            imported(path)

    def below(cls):
        return {sub for direct in cls.__subclasses__() for sub in {direct, *below(direct)}}

    # Another test's example calls itself one of the package, and is there until it is collected.
    files = {module_of(path) for path in CORE}
    ours = {cls for cls in below(Ranker) if cls.__module__ in files}
    leaves = {cls for cls in ours if not (below(cls) & ours)}
    none_of(cls.__name__ for cls in leaves - set(ALGORITHMS.values()))
