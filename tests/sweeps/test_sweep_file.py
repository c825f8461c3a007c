"""A sweep's file that somebody edited, or made: a sentence that names the line, and nothing else."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

import ltr_core as ltr
from tests.algorithms.test_contracts import TRAIN, VALID
from tests.fuzz.targets import corpus

SPACE, FIXED = {"lam": [0.5, 1.0]}, {"n_rounds": 2, "ddf": "logdd"}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "s.jsonl"
    sweep(path)
    return path


def sweep(path, **more):
    return ltr.sweep("MPBoost", SPACE, (TRAIN, VALID, VALID), fixed=FIXED, store=path, **more)


def edit(path, number, change):
    """Change the content of a line, counted from 1, whose checksum stays as it was."""
    lines = path.read_text().splitlines()
    content = json.loads(lines[number - 1])
    change(content)
    lines[number - 1] = json.dumps(content)
    path.write_text("\n".join(lines) + "\n")


def line_of_a_fit(path):
    return next(n for n, line in enumerate(path.read_text().splitlines(), 1) if '"queries"' in line)


def test_an_edited_line_says_so_and_opens_on_trust(path):
    number = line_of_a_fit(path)
    edit(path, number, lambda fit: fit["curves"]["valid"]["ndcg@10"].__setitem__(2, 1.0))
    match = rf"line {number}: this line was edited.*--trust-edited.*trust_edited=True"
    for read in (ltr.load_sweep, sweep):
        with pytest.raises(ltr.DataError, match=match):
            read(path)
    assert ltr.load_sweep(path, trust_edited=True).table["value"].max() == 1.0
    assert sweep(path, trust_edited=True).best_value == 1.0


def test_lines_from_before_there_were_checksums_still_open_and_go_on(path):
    wanted = ltr.load_sweep(path)
    for number in range(1, len(path.read_text().splitlines()) + 1):
        edit(path, number, lambda line: line.pop("checksum"))
    assert ltr.load_sweep(path).table.equals(wanted.table)
    assert sweep(path).table.equals(wanted.table)


def test_windows_line_ends_are_no_edit(path):
    wanted = ltr.load_sweep(path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert ltr.load_sweep(path).table.equals(wanted.table)


def bomb():
    return base64.b64encode(zlib.compress(bytes(100_000_000), 9)).decode()


WRONG = {
    "base64 that is none": lambda fit: fit["queries"].__setitem__("2", "é?"),
    "base64 of nothing packed": lambda fit: fit["queries"].__setitem__("2", "AAAA"),
    "null for values": lambda fit: fit["queries"].__setitem__("2", None),
    "values that are cut": lambda fit: fit["queries"].__setitem__("2", fit["queries"]["2"][:8]),
    "a bomb": lambda fit: fit["queries"].__setitem__("2", bomb()),
    "half a character": lambda fit: fit.__setitem__("error", "\ud800"),
    "null curves": lambda fit: fit.__setitem__("curves", None),
    "a short curve": lambda fit: fit["curves"]["valid"]["ndcg@10"].pop(),
    "another status": lambda fit: fit.__setitem__("status", "fine"),
    "null seconds": lambda fit: fit.__setitem__("seconds", None),
    "Infinity": lambda fit: fit.__setitem__("seconds", float("inf")),
    "rungs that are none": lambda fit: fit.__setitem__("rungs", 3),
    "many rounds": lambda fit: fit.__setitem__("n_iter", 10**15),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_a_sentence_with_its_line(path, case):
    number = line_of_a_fit(path)
    edit(path, number, WRONG[case])
    with pytest.raises(ltr.DataError, match=r"s\.jsonl(, line \d+)?: not a (line of|usable) .*") as told:
        opened = ltr.load_sweep(path, trust_edited=True)
        _ = opened.table, opened.points, opened.against(None), repr(opened)
    str(told.value).encode()


@pytest.mark.parametrize(
    "raw", [b"[" * 100_000, b'{"seconds": 1e999}', b"null", b"[]", b'{"point": -1}', b"5"]
)
def test_a_line_of_anything_is_a_sentence(path, raw):
    path.write_bytes(path.read_bytes() + raw + b"\n")
    with pytest.raises(ltr.DataError, match="not a line of a sweep"):
        ltr.load_sweep(path, trust_edited=True)


def test_files_that_were_once_taken_and_broke_later_are_a_sentence(tmp_path):
    assert len(corpus("sweep")) > 1
    for content in corpus("sweep"):
        path = tmp_path / "s.jsonl"
        path.write_bytes(content)
        with pytest.raises(ltr.DataError, match="not a usable sweep"):
            ltr.load_sweep(path, trust_edited=True)
