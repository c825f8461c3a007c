"""Nothing can be written: folders that belong to somebody else, and no place for compiled kernels."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

import ltr_core as ltr
from pages.ui.runs.store import Store
from tests.dashboard import SMALL, open_app, text_of
from tests.live import ROOT

# Root may write whatever a file's rights say, unless it gives that up.
ROOT_TOO = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search,-fowner"]
PROGRAM = """
import json, os
from ltr_core import kernels
from ltr_core.measures.parts import ranking  # kernels
place = os.environ["NUMBA_CACHE_DIR"]
print(json.dumps([kernels.IS_KEPT, os.path.isdir(place), place]))
"""


@pytest.fixture
def installed(tmp_path):
    """A copy of the library, and a home, in which nothing can be written."""
    shutil.copytree(ROOT / "ltr_core", tmp_path / "ltr_core", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "home").mkdir()
    folders = [tmp_path, *(path for path in tmp_path.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield tmp_path
    for folder in folders:
        folder.chmod(0o755)


@pytest.mark.skipif(os.name != "posix", reason="POSIX's rights")
def test_the_library_works_where_kernels_can_be_kept_nowhere(installed):
    """numba alone would not even import them."""
    is_root = os.geteuid() == 0
    if is_root and shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_CACHE", "XDG"))}
    done = subprocess.run(
        [*(ROOT_TOO if is_root else []), sys.executable, "-c", PROGRAM],
        cwd=installed,
        env={**plain, "HOME": str(installed / "home"), "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    is_kept, was_there, place = json.loads(done.stdout)
    assert not is_kept and was_there and not os.path.exists(place), "it ends with the process"
    assert "Compiled kernels cannot be kept" in done.stderr


@pytest.fixture
def read_only(tmp_path, monkeypatch, restart):
    """A run store in a folder in which nothing can be made, for root neither."""
    (tmp_path / "file").write_text("no folder")
    restart(tmp_path / "file" / "cache")
    return tmp_path / "file" / "cache"


def test_the_dashboard_says_what_is_not_kept(read_only, monkeypatch):
    monkeypatch.setattr("pages.ui.app.frame.IS_KEPT", False)
    app = open_app(SMALL)
    assert not app.exception and len(app.session_state["_screen"].finished) == 2
    assert "Nothing can be written to the run store (Not a directory): runs are kept in memory" in text_of(
        app
    )
    assert "each start of the server compiles them anew" in text_of(app)
    app.switch_page("pages/history.py").run()
    app.text_input("space-name").set_value("mine").run()
    app.button("space-save").click().run()
    assert not app.exception
    with pytest.raises(ltr.DataError, match="The workspace cannot be kept .Not a directory"):
        Store(read_only).history.save("mine", "x")
