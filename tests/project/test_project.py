"""The project around the code: commands, pins, settings, documents."""

from __future__ import annotations

import ast
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from pages.ui.runs.uploads import MAX_MB
from pages.ui.style.theme import DARK, LIGHT
from tests import naive
from tests.sources import (
    CORE,
    ROOT,
    SHIPPED,
    calls_in,
    imported,
    imports_of,
    name_of,
    tracked_files,
    tree_of,
)

TOP_LEVEL = {
    "app.py", "pages", "ltr_core", "data", "tests", "requirements.txt", "README.md",
    "Makefile", "pyproject.toml", "requirements-dev.txt", "requirements-peers.txt", ".streamlit", ".ci",
    "CONTRIBUTING.md", "LICENSE", ".gitignore", "SECURITY.md", "requirements.lock",
    "CHANGELOG.md", "CITATION.cff", "Dockerfile", "compose.yaml", ".dockerignore", ".devcontainer",
}  # fmt: skip
PETROFF = ["3f90da", "ffa90e", "bd1f01", "94a4a2", "832db6", "a96b59", "e76300", "b9ac70", "717581", "92dadd"]
DISTRIBUTION = {"sklearn": "scikit-learn", "dask": "distributed", "google": "protobuf"}
PEERS = {"catboost", "lightgbm", "xgboost"}


def read(name: str) -> str:
    """Return the text of a file of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def requirements(name: str) -> dict[str, str]:
    """Return the version of each package that a list asks for."""
    lines = [line.partition("#")[0].strip() for line in read(name).splitlines()]
    found = [re.fullmatch(r"([A-Za-z0-9_.-]+)(.*)", line) for line in lines if line and line[0] != "-"]
    return {match[1].lower(): match[2] for match in found if match}


# What is where ----------------------------------------------------------------------------------------------


def test_top_level_holds_what_the_design_names():
    there = {path.relative_to(ROOT).parts[0] for path in tracked_files()}
    assert there == TOP_LEVEL


def test_files_are_small_and_finished():
    # Words are put together here, or this file would find itself.
    unfinished = "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "NotImplemented" + "Error"))
    elsewhere = "|".join(("ho" + "me", "ro" + "ot", "wo" + "rk", "Use" + "rs"))
    wrong = re.compile(rf"\b({unfinished})\b|(?<![\w.~}}])/({elsewhere})/\w")
    for path in tracked_files():
        assert path.stat().st_size < 1_000_000, f"{name_of(path)} is past 1 MB"
        if path.suffix in (".py", ".md", ".toml") or path.name in ("Makefile", "run"):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                assert not wrong.search(line), f"{name_of(path)}:{number}: {line.strip()}"


def test_licence():
    assert "MIT License" in read("LICENSE") and "The Rankscope authors" in read("LICENSE")


def test_every_oracle_is_in_naive():
    for path in sorted(ROOT.glob("tests/oracles/*.py")):
        module = imported(path)
        for name, oracle in vars(module).items():
            offered = getattr(module, "__all__", None)
            own = inspect.isfunction(oracle) and oracle.__module__ == module.__name__
            if own and (name in offered if offered else not name.startswith("_")):
                found = getattr(naive, name, None)
                assert found is not None, f"tests/naive.py does not export {path.name}'s {name}"
                assert found is oracle, f"two oracles are called {name}"


def test_oracles_share_no_code_with_the_package():
    for path in sorted(ROOT.glob("tests/oracles/*.py")):
        assert not [m for m, _, _ in imports_of(path) if m.startswith("ltr_core")], name_of(path)


# Packages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "requirements-peers.txt"])
def test_packages_are_pinned_to_compatible_releases(name):
    for package, version in requirements(name).items():
        assert version.startswith("~="), f"{name}: {package}{version}"


def test_the_lock_holds_what_the_list_asks_for_with_hashes_and_names_no_host():
    text = read("requirements.lock")
    assert "://" not in text, "where packages come from is each machine's own affair"
    blocks = [line for line in text.replace("\\\n", " ").splitlines() if line and line[0] != "#"]
    locked: dict[str, list[Version]] = {}
    for block in blocks:
        asked, *hashes = block.split(" --hash=")
        assert hashes and all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", one) for one in hashes), asked
        wanted = Requirement(asked)
        (exact,) = wanted.specifier
        assert exact.operator == "=="
        locked.setdefault(wanted.name, []).append(Version(exact.version))
    for package, versions in requirements("requirements.txt").items():
        assert locked[package], f"{package} is not locked: make lock"
        assert all(v in SpecifierSet(versions) for v in locked[package]), f"{package}: make lock"


def test_the_package_asks_for_what_the_lists_ask_for():
    """requirements.txt is what the library and the dashboard ask for; the peers have a list of their own."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    extras = {name: set(asked) for name, asked in project["optional-dependencies"].items()}
    ours = {f"rankscope[{','.join(sorted(extras.keys() - {'app', 'peers'}))}]"}
    together = {*project["dependencies"], *set().union(*extras.values())} - ours
    assert ours < extras["app"]
    lists = ("requirements-peers.txt", "requirements.txt")
    peers, run = ({f"{name}{version}" for name, version in requirements(one).items()} for one in lists)
    assert extras["peers"] == peers and together - peers == run
    named = [re.split(r"\W", asked.replace("-", "_"))[0] for asked in project["dependencies"]]
    assert named == ["numba", "numpy", "pandas", "scikit_learn", "scipy"], "the library alone needs no more"


def test_what_is_imported_is_required():
    wanted = set(requirements("requirements.txt"))
    used = set()
    for path in SHIPPED:
        for module, _, node in imports_of(path):
            top = module.partition(".")[0]
            if top in sys.stdlib_module_names or top in ("ltr_core", "pages", "app"):
                continue
            package = DISTRIBUTION.get(top, top)
            used.add(package)
            assert package in wanted | PEERS, (
                f"{name_of(path)}:{node.lineno}: {top} is not in requirements.txt"
            )
        calls = [call for name, call in calls_in(tree_of(path)) if name == "import_extra" and call.args]
        named = [[arg.value for arg in call.args if isinstance(arg, ast.Constant)] for call in calls]
        used |= {words[0] for words in named if len(words) == 3 and words[1]}
    assert wanted == used - PEERS, "requirements.txt asks for packages that nothing imports"


def test_peers_are_imported_only_where_they_are_wanted():
    """A module of the package imports without LightGBM, XGBoost and CatBoost."""
    for path in CORE:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
                assert not PEERS & {name.partition(".")[0] for name in names}, (
                    f"{name_of(path)}:{node.lineno}"
                )


# Settings ---------------------------------------------------------------------------------------------------


def test_server_settings():
    config = tomllib.loads(read(".streamlit/config.toml"))
    server = config["server"]
    assert server["address"] == "localhost", "nobody else is let in unasked"
    assert server["headless"] and server["enableXsrfProtection"] and server["enableCORS"]
    assert server["maxUploadSize"] == MAX_MB, "one limit"
    assert config["global"]["maxCachedMessageAge"] >= 30, "a browser has every chart that it is said to have"
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["toolbarMode"] == "viewer"
    assert config["client"]["showErrorDetails"] == "none"
    assert config["theme"]["light"]["chartCategoricalColors"] == [f"#{colour}" for colour in PETROFF]
    for name, palette in (("light", LIGHT), ("dark", DARK)):
        assert config["theme"][name]["chartCategoricalColors"] == list(palette.slots)


def test_ci_makes_the_browser_compulsory_and_runs_the_suite():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True)
    text = script.read_text(encoding="utf-8")
    assert "RANKSCOPE_BROWSER=required" in text and "make test" in text and "chromium" in text


# The commands -----------------------------------------------------------------------------------------------

STUB = """#!/bin/sh
# Stands for Python: makes a .venv that holds itself, and writes down what else it was asked.
case "$*" in
  *version_info*) exit ${OLD:-0} ;;
  --version) echo "Python 3.99" ;;
  "-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  "-c pass"|"-m pip --version") ;;
  *require-hashes*) echo "$*" >> calls; echo "$SAYS" >&2; test -z "$SAYS"; exit ;;
  *) echo "$*" >> calls; exit ${FAILS:-0} ;;
esac
"""


@pytest.fixture
def make(tmp_path):
    """Run make in a copy of the project whose Python only writes down what it is asked."""
    for name in ("Makefile", *(path.name for path in ROOT.glob("requirements*"))):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "ltr_core" / "__pycache__").mkdir(parents=True)
    (tmp_path / "ltr_core" / "a.py").write_text("")
    stub = tmp_path / "python-stub"
    stub.write_text(STUB)
    stub.chmod(0o755)

    def run(target, fails=False, **env):
        (tmp_path / "calls").write_text("")
        done = subprocess.run(
            ["make", target, "PYTHON=./python-stub"],
            cwd=tmp_path,
            env={
                k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "PORT", "ADDRESS")
            }
            | env,
            capture_output=True,
            text=True,
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return (tmp_path / "calls").read_text().splitlines(), done.stdout

    run.folder = tmp_path
    return run


@pytest.mark.parametrize(
    "target, command, installs",
    [("run", "-m pages.ui.app.serve --port 8501", 1), ("test", "-m pytest", 2)],
)
def test_each_command_alone_makes_the_venv_installs_and_starts_and_then_only_starts(
    make, target, command, installs
):
    calls, said = make(target)
    assert len(calls) == installs + 1 and calls[-1].startswith(command)
    assert "--require-hashes -r requirements.lock" in calls[0]
    assert all(call.startswith("-m pip install") for call in calls[:-1])
    assert "Making .venv" in said and "Installing requirements.lock" in said
    calls, said = make(target)
    assert len(calls) == 1 and calls[0].startswith(command)
    assert "Installing" not in said


def test_setup_only_makes_the_venv(make):
    calls, _ = make("setup")
    assert [call[:14] for call in calls] == ["-m pip install"]
    assert make("setup")[0] == []


def test_what_the_suite_needs_holds_what_the_dashboard_needs(make):
    make("test")
    assert len(make("run")[0]) == 1


def test_a_changed_list_is_installed_anew_and_a_failed_one_again(make):
    make("setup")
    with open(make.folder / "requirements.txt", "a") as file:
        file.write("another\n")
    assert make("setup", fails=True, SAYS="no line", FAILS="1")[0]
    assert make("setup")[0]
    assert make("setup")[0] == []


def test_what_the_lock_does_not_cover_is_installed_from_the_list_and_that_is_said(make):
    calls, said = make("setup", SAYS="No matching distribution found for numba==0.68.1")
    assert len(calls) == 2 and calls[1].endswith("-r requirements.txt") and "without hashes" in said
    assert make("setup")[0] == []


def test_a_package_that_is_not_the_one_locked_ends_it(make):
    calls, said = make(
        "setup", fails=True, SAYS="THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS"
    )
    assert len(calls) == 1 and "nothing was installed" in said
    assert len(make("setup", SAYS="")[0]) == 1, "it is tried again"


def test_an_old_python_is_refused_with_a_sentence(make):
    _, said = make("setup", fails=True, OLD="1")
    assert "3.11" in said


def test_port_can_be_chosen(make):
    calls, said = make("run", PORT="9000")
    assert "--port 9000 " in calls[-1] and calls[-1].endswith("--address localhost")
    assert "http://localhost:9000" in said


def test_changed_sources_clear_the_kernel_cache(make):
    core = make.folder / "ltr_core"
    kernel = core / "__pycache__" / "a.kernel.nbi"
    make("test")
    kernel.write_text("")
    make("test")
    assert kernel.exists()
    (core / "a.py").write_text("x = 1\n")
    make("test")
    assert not kernel.exists()


# The documents ----------------------------------------------------------------------------------------------


def blocks(name: str, language: str) -> list[str]:
    """Return the fenced blocks of a document."""
    return re.findall(rf"^```{language}\n(.*?)^```", read(name), re.DOTALL | re.MULTILINE)


def test_readme_names_the_two_commands_and_those_without_make():
    text = read("README.md")
    assert "make run" in text and "make test" in text
    assert "-m venv .venv" in text and "-m pages.ui.app.serve" in text


@pytest.mark.slow
def test_readme_python_runs(tmp_path):
    """All blocks in order, in one process, in a folder that holds nothing but data/."""
    program = "\n".join(blocks("README.md", "python"))
    assert "import ltr_core as ltr" in program
    (tmp_path / "data").symlink_to(ROOT / "data")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_documents_point_at_what_is_there(name):
    text = read(name)
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
        assert (ROOT / target).exists(), f"{name} links to {target}"
    for path in re.findall(r"`((?:ltr_core|pages|tests|data|\.ci|\.streamlit)/[\w./-]+)`", text):
        if "my_" not in path:
            assert (ROOT / path).exists(), f"{name} names {path}"
    for target in re.findall(r"`make (\w+)", text):
        assert re.search(rf"^{target}:", read("Makefile"), re.MULTILINE), f"{name}: make {target}"
