"""``python -m ltr_core check FILE``."""

import json
import subprocess
import sys

import pytest

from ltr_core.cli import main
from tests import live, malformed

TEXT = b"2 qid:1 1:0.5 2:1 #docid = a\n0 qid:1 1:1 2:1\n1 qid:2 1:4 2:1\n"


def check(capsys, *words):
    code = main(["check", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_what_a_file_holds(tmp_path, capsys):
    path = tmp_path / "x.txt"
    path.write_bytes(TEXT)
    code, out, err = check(capsys, path)
    assert (code, err) == (0, "")
    said = {line[2:].split("  ")[0]: line.split("  ")[-1].strip() for line in out.splitlines()[1:]}
    assert out.splitlines()[0] == str(path)
    assert said["queries"] == "2" and said["documents"] == "3" and said["features"] == "2"
    assert said["grades"] == "0 × 1, 1 × 1, 2 × 1"
    assert said["documents per query"] == "min 1, median 1.5, max 2"
    assert said["queries without pairs"] == "1" and said["pairs of distinct grade"] == "1"
    assert said["constant features"] == "1: f2" and said["doc ids"] == "yes"


def test_json(tmp_path, capsys):
    path = tmp_path / "x.txt"
    path.write_bytes(TEXT)
    code, out, _ = check(capsys, path, "--json")
    facts = json.loads(out)
    assert code == 0 and facts["ok"] is True and facts["file"] == str(path)
    assert facts["grades"] == [[0, 1], [1, 1], [2, 1]] and facts["queries"] == 2
    path.write_bytes(b"1 qid:1 1:x\n1 1:1\n")
    code, out, err = check(capsys, path, "--json")
    facts = json.loads(out)
    assert code == 2 and facts["ok"] is False and not facts["more_problems"]
    assert [(p["line"], p["column"]) for p in facts["problems"]] == [(1, 11), (2, 3)]
    assert [p["sentence"] for p in facts["problems"]] == err.splitlines()


@pytest.mark.parametrize("case", list(malformed.all_files()), ids=lambda case: case[0])
def test_each_malformed_file_gives_a_sentence(tmp_path, capsys, case):
    _, file, content, line, _, words = case
    path = tmp_path / file
    path.write_bytes(content)
    code, out, err = check(capsys, path)
    assert (code, out) == (2, "")
    first = err.splitlines()[0]
    assert first.startswith(str(path)) and words in first and "Traceback" not in err
    assert line is None or ", line " in first


def test_no_more_than_ten_problems_are_shown(tmp_path, capsys):
    path = tmp_path / "x.txt"
    features = ["1:x", "-1:1", "x:1", "1", "1:inf", "1:1e99", "1:NULL", "1:", "2:1,2", ":1", "9999999:1"]
    rows = ["x qid:1 1:1", "1 1:1", "-1 qid:1 1:1", *(f"1 qid:1 {word}" for word in features)]
    path.write_text("\n".join(rows) + "\n")
    lines = check(capsys, path)[2].splitlines()
    assert "more problems" in lines[-1] and sum("line" in line for line in lines[:-1]) >= 10
    assert json.loads(check(capsys, path, "--json")[1])["more_problems"] is True


def test_alike_lines_become_one_with_a_count_and_advice_is_in_flags(tmp_path, capsys):
    path = tmp_path / "x.txt"
    path.write_bytes(b"1 qid:1 1:NULL\n" * 3)
    assert len(check(capsys, path)[2].splitlines()) == 3
    path.write_bytes(b"1 qid:1 1:NULL\n1 qid:1 1:1\n" * 200)
    first, more = check(capsys, path)[2].splitlines()
    assert ", line 1, " in first and "Choose --missing zero or --missing query_min, or fill it in." in first
    assert more == "  and 199 more like it, in lines 3, 5, 7 …"
    path.write_bytes(b"1 qid:1 1:NULL\n" * 10_001)
    assert "  and at least 9,999 more like it" in check(capsys, path)[2]


def test_missing_values_and_ignored_columns(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_bytes(b"grade,qid,title,a\n1,1,words,\n0,1,words,2\n")
    assert check(capsys, path)[0] == 2
    assert check(capsys, path, "--ignore", "title")[0] == 2
    code, out, _ = check(capsys, path, "--ignore", "title", "--missing", "zero")
    assert code == 0 and "constant features        none" in out
    assert "1: a" in check(capsys, path, "--ignore", "title", "--missing", "query_min")[1]


def test_folders_and_files_that_are_not_there(tmp_path, capsys):
    assert check(capsys, tmp_path)[0] == 2
    code, _, err = check(capsys, tmp_path / "none.txt")
    assert code == 2 and "no such file" in err


def test_many_grades_are_told_as_a_range(tmp_path, capsys):
    path = tmp_path / "x.txt"
    path.write_text("".join(f"{i / 4} qid:1 1:{i}\n" for i in range(40)))
    assert "40 distinct, from 0 to 9.75" in check(capsys, path)[1]


@pytest.mark.slow
def test_as_a_process(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"1 qid:1 1:x\n")

    def run(*words):
        command = [sys.executable, "-m", "ltr_core", *map(str, words)]
        return subprocess.run(command, cwd=live.ROOT, capture_output=True, text=True)

    bad = run("check", path)
    assert bad.returncode == 2 and bad.stdout == "" and "Traceback" not in bad.stderr
    assert bad.stderr.startswith(f"{path}, line 1, column 11: ")
    path.write_bytes(TEXT)
    assert run("check", path).returncode == 0
    assert run().returncode == 2 and "usage" in run().stderr
    assert "check" in run("--help").stdout
