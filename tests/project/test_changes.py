"""Each change that CONTRIBUTING.md lists is made by the files that it names, and works."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from tests.project.changes import CHANGES, copy_project, make
from tests.sources import ROOT

PROGRAM = """
import json, sys, traceback
results = {}
for title, program in json.load(sys.stdin).items():
    try:
        exec(program, {})
        results[title] = ""
    except BaseException:
        results[title] = traceback.format_exc()
print(json.dumps(results))
"""


def table() -> str:
    """Return the table of CONTRIBUTING.md as it has to be."""
    rows = [
        f"| {title} | {len(change.edits)} | {', '.join(f'`{name}`' for name in change.edits)} |"
        for title, change in CHANGES.items()
    ]
    return "\n".join(["| a change | files | which |", "| --- | --- | --- |", *rows])


@pytest.fixture(scope="module")
def came_of_them(tmp_path_factory):
    """What came of each change's program in a copy of the project, by title; an empty text is well."""
    folder = tmp_path_factory.mktemp("changed") / "rankscope"
    copy_project(folder)
    said, programs = {}, {}
    for title, change in CHANGES.items():
        try:
            make(change, folder)
            programs[title] = change.program
        except (AssertionError, FileNotFoundError) as error:
            said[title] = repr(error)
    env = {**os.environ, "PYTHONPATH": str(folder), "RANKSCOPE_CACHE": str(folder.parent / "runs")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(programs),
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return said | json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("title", CHANGES)
def test_the_change_works(title, came_of_them):
    assert not came_of_them[title], came_of_them[title]


@pytest.mark.parametrize("title", CHANGES)
def test_the_change_is_small(title):
    assert len(CHANGES[title].edits) <= CHANGES[title].most


def test_contributing_names_the_files():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (written,) = re.findall(r"<!-- table: changes -->\n(.*?)\n<!-- end of table -->", text, re.DOTALL)
    assert written == table(), f"write into CONTRIBUTING.md:\n{table()}"
