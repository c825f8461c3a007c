"""What benchmarks tell becomes a table: ratios of the best times, their spread, two versions side by side."""

from __future__ import annotations

import pytest

from tests.benchmarks import evidence
from tests.benchmarks.evidence import Row
from tests.sources import ROOT


def test_a_row_is_the_best_over_the_best(tmp_path, monkeypatch):
    path = tmp_path / "told.jsonl"
    monkeypatch.setenv(evidence.FILE, str(path))
    evidence.tell("work", [2.0, 1.0, 4.0], "peer", [4.0, 5.0, 4.0], 0.5)
    evidence.tell("other", [3.0], "peer", [2.0])
    first, second = evidence.read(path)
    assert first.ratio == 0.25 and first.spread == (0.2, 1.0)
    assert second.ratio == 1.5 and second.limit is None
    lines = evidence.table([first, second]).splitlines()
    assert lines[2] == "| work | 1 | peer | 4 | 0.25 | 0.20–1.00 | 0.5 |"
    assert lines[3] == "| other | 3 | peer | 2 | 1.50 | 1.50–1.50 |  |"


def test_nothing_is_kept_where_nobody_collects(tmp_path, monkeypatch):
    monkeypatch.delenv(evidence.FILE, raising=False)
    evidence.tell("work", [1.0], "peer", [1.0])
    assert evidence.read(tmp_path / "none") == []


def test_two_versions_are_compared_by_the_same_peer():
    now, then = Row("work", [1.0], "peer", [2.0]), Row("work", [3.0], "peer", [4.0])
    (line,) = evidence.beside([now, Row("new", [1.0], "peer", [1.0])], [then], "abc1234").splitlines()[2:]
    assert line == "| work | 0.50 | 0.75 | 0.67 |"


def test_the_readme_shows_the_table_that_was_measured_last():
    readme, results = (ROOT / name for name in ("README.md", "tests/benchmarks/RESULTS.md"))
    text = results.read_text(encoding="utf-8")
    table = text[text.index("| work |") :].rstrip("\n")
    document = readme.read_text(encoding="utf-8")
    assert evidence.into(document, table) == document and table.count("\n") > 10


def test_the_machine_is_said():
    assert "numba " in evidence.machine() and "cores" in evidence.machine()


@pytest.mark.parametrize("given, code", [(["nothing"], 2)])
def test_an_unknown_benchmark_is_a_sentence(given, code, capsys):
    from tests.benchmarks.run import main

    assert main(given) == code and "There is no benchmark nothing" in capsys.readouterr().out
