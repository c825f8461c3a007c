"""``python -m ltr_core algorithms`` and ``datasets``: what the registries hold."""

from __future__ import annotations

import pytest

import ltr_core as ltr
from tests.command import CUBIC, Command


@pytest.fixture
def command(capsys):
    return Command(capsys)


def test_the_table_of_algorithms(command):
    lines = command("algorithms").splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(ltr.ALGORITHMS)
    for line, cls in zip(lines[1:], ltr.ALGORITHMS.values(), strict=True):
        assert cls.family in line and cls.paper in line and line.endswith(cls.summary)


def test_algorithms_as_json(command):
    found = command.json("algorithms")
    assert [entry["name"] for entry in found] == list(ltr.ALGORITHMS)
    for entry, cls in zip(found, ltr.ALGORITHMS.values(), strict=True):
        assert [p["name"] for p in entry["params"]] == [p.name for p in cls.all_params()]
    one = command.json("algorithms", "mcrank")
    assert one == next(entry for entry in found if entry["name"] == "McRank")
    rate = next(p for p in one["params"] if p["name"] == "learning_rate")
    assert (rate["kind"], rate["default"], rate["low"], rate["high"]) == ("float", 0.1, 0.0001, 1.0)


def test_one_algorithm_with_its_parameters(command):
    text = command("algorithms", "MPBOOST")
    for param in ltr.MPBoost.all_params():
        assert any(line.startswith(param.name) and param.help in line for line in text.splitlines())
    assert "Did you mean RankNet" in command.refused("algorithms", "ranknett")


def test_the_list_of_data_sets(command):
    text = command("datasets")
    for name, entry in ltr.datasets.DATASETS.items():
        assert any(line.split()[:1] == [name] and entry.summary in line for line in text.splitlines())
    assert "cubic-small" in text and "n_queries=200" in text
    found = command.json("datasets", "--folder", ltr.datasets.DATA_FOLDER)
    assert [entry["name"] for entry in found["generated"]] == list(ltr.datasets.DATASETS)
    bundled = next(entry for entry in found["found"] if entry["name"] == "cubic-small")
    assert len(bundled["folds"]) == 5 and bundled["path"] == CUBIC and bundled["bytes"] > 100_000


def test_a_folder_with_nothing_in_it(command, tmp_path):
    assert command.json("datasets", "--folder", tmp_path)["found"] == []
    assert f"nothing is found in {tmp_path}" in command("datasets", "--folder", tmp_path)


def test_a_generated_set_is_described_and_written(command, tmp_path):
    out = tmp_path / "x.parquet"
    words = ("datasets", "cubic", "--set", "n_queries=7", "noise=0.5", "--seed", 4, "--out", out)
    found = command.json(*words)
    data = ltr.datasets.make("cubic", seed=4, n_queries=7, noise=0.5)
    assert ltr.load(out).fingerprint == data.fingerprint == found["facts"]["fingerprint"]
    assert found["values"]["n_queries"] == 7 and found["values"]["seed"] == 4
    assert data.fingerprint in command(*words)


def test_a_found_set(command):
    assert "Fold3: train.txt" in command("datasets", "cubic-small")
    assert command.json("datasets", "cubic-small")["kind"] == "folds"


@pytest.mark.parametrize(
    "words, said",
    [
        (["qubic"], "Did you mean cubic"),
        (["cubic", "--set", "rows=3"], "no parameter 'rows'"),
        (["cubic", "--set", "n_queries=0"], "n_queries = 0 cannot be used"),
        (["cubic", "--out", "no/such/x.txt"], "no such folder"),
        (["cubic-small", "--out", "x.txt"], "only a generated set"),
    ],
)
def test_a_sentence_for_what_cannot_be_used(command, words, said):
    assert said in command.refused("datasets", *words)
