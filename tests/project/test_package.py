"""The wheel: what is in it, what it needs, and that it works in an environment and a folder of its own."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.sources import ROOT, SHIPPED, name_of, tree_of

pytestmark = pytest.mark.slow
EXTRAS = ("optuna", "pyarrow", "distributed", "dask", "streamlit", "plotly", "starlette", "google")

# Refuses what the extras bring, as if it were not installed, and goes through a day of the library alone.
ALONE = f"""
import sys

class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRAS}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Refuses())
import ltr_core as ltr

train, valid, test = ltr.load_folds("letor", only=1)[0]
model = ltr.MPBoost(n_rounds=2).fit(train, eval_set={{"valid": valid}})
model.save("m.json")
same = ltr.load_model("m.json")
assert (same.predict(test) == model.predict(test)).all()
ltr.compare({{"m": model, "first": test.X[:, 0]}}, test)
result = ltr.sweep("MPBoost", {{"lam": [0.1, 0.4]}}, [(train, valid, test)], fixed={{"n_rounds": 2}})
assert result.best_params
for refused in (
    lambda: ltr.save(test, "test.csv"),
    lambda: ltr.load("test.parquet"),
    lambda: ltr.sweep("MPBoost", {{"lam": [0.1, 0.4]}}, [(train, valid, test)], sampler="tpe", n_trials=2),
    lambda: ltr.sweep("MPBoost", {{"lam": [0.1, 0.4]}}, [(train, valid, test)], executor="tcp://127.0.0.1:1"),
):
    try:
        refused()
    except ltr.ParameterError as error:
        print(error)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, made by the packages at hand: nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def bare(wheel, tmp_path_factory):
    """An environment that holds the wheel and, as if they were installed there, the packages of this one."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False)
    python = next(folder.glob("[bS][ic][nr]*/python*"))
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run([*command, "--no-index", "--no-compile", str(wheel)], check=True)
    (site,) = folder.glob("[Ll]ib/**/site-packages")
    (site / "others.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return python.parent


def run(*command, cwd, code=0, **env):
    """Run a program of the bare environment; kernels as plain Python, which is quick on a few documents."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "RANKSCOPE_DATA")}
    clean |= {"NUMBA_DISABLE_JIT": "1", "XDG_DATA_HOME": str(cwd), **env}
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=clean, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_the_wheel_holds_what_is_shipped_and_no_more(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if ".dist-info/" not in name]
    assert {Path(name).parts[0] for name in names} == {"ltr_core", "rankscope"}
    shipped = {name_of(path) for path in SHIPPED if path.name != "docs.py"}
    assert {name.removeprefix("rankscope/") for name in names if name.endswith(".py")} == shipped
    assert "ltr_core/py.typed" in names and "ltr_core/papers/published.json" in names
    assert "rankscope/.streamlit/config.toml" in names and "rankscope/pages/ui/style/style.css" in names
    assert sum(name.startswith("rankscope/data/cubic-small/") for name in names) == 15
    assert not [name for name in names if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_an_installation_trains_from_another_folder(bare, tmp_path):
    said = run(bare / "rankscope", "datasets", "--json", cwd=tmp_path)
    (found,) = json.loads(said)["found"]
    assert found["name"] == "cubic-small" and not Path(found["path"]).is_relative_to(ROOT)
    own = tmp_path / "rankscope" / "data"
    own.mkdir(parents=True)
    (own / "mine.txt").symlink_to(ROOT / "data" / "cubic-small" / "Fold1" / "test.txt")
    said = run(bare / "rankscope", "datasets", "--json", cwd=tmp_path)
    assert [found["name"] for found in json.loads(said)["found"]] == ["cubic-small", "mine.txt"]
    words = ("train", "mpboost", "--data", "mine.txt", "--split", "--n-rounds", "2", "--out", "m.json")
    said = run(bare / "rankscope", *words, cwd=tmp_path)
    assert "The model is in m.json." in said and (tmp_path / "m.json").exists()


def test_an_installation_brings_peers_by_their_extra(bare, tmp_path):
    program = "import ltr_core as ltr; print(ltr.LightGBM.install)"
    assert run(bare / "python", "-c", program, cwd=tmp_path) == "pip install 'rankscope[peers]'\n"


def test_the_library_alone_needs_none_of_the_extras(bare, tmp_path):
    (tmp_path / "letor").symlink_to(ROOT / "data" / "cubic-small")
    (tmp_path / "test.parquet").write_bytes(b"PAR1")
    told = run(bare / "python", "-c", ALONE, cwd=tmp_path).splitlines()
    brought_by = [line.split("'")[1] for line in told]
    assert brought_by == [f"rankscope[{extra}]" for extra in ("tables", "tables", "search", "cluster")]


def test_a_dashboard_without_its_packages_says_which_extra_brings_them(bare, tmp_path):
    program = ALONE.partition("import ltr_core")[0] + "from ltr_core.cli import open_or_run; open_or_run()"
    done = subprocess.run([bare / "python", "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert "pip install 'rankscope[app]'" in done.stderr and "Traceback" not in done.stderr


def test_help_loads_no_core(bare, tmp_path):
    program = "import sys; from ltr_core.cli import main; main(['--version'])"
    watch = f"import atexit, sys; atexit.register(lambda: print(*sys.modules)); {program}"
    loaded = run(bare / "python", "-c", watch, cwd=tmp_path).split()
    assert not {"numpy", "numba", "pandas", "sklearn"} & set(loaded)


def test_what_type_checkers_see_of_the_library_is_what_there_is():
    import ltr_core

    (typed,) = (node for node in tree_of(ROOT / "ltr_core" / "__init__.py").body if isinstance(node, ast.If))
    seen = {alias.name: node.module for node in typed.body for alias in node.names}
    assert seen.pop("datasets") is None
    assert seen == ltr_core._HOME_OF
    assert all(getattr(ltr_core, name) is not None for name in ltr_core.__all__)
