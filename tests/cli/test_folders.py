"""Folders without a file to validate with, test data alone, folders that are checked, the version."""

from __future__ import annotations

import tomllib

import pytest

import ltr_core as ltr
from tests.command import CUBIC, Command
from tests.live import ROOT

TRAIN, VALID, TEST = ltr.load_folds(CUBIC, only=1)[0]


@pytest.fixture
def command(capsys):
    return Command(capsys)


@pytest.fixture
def folder(tmp_path):
    ltr.save(TRAIN, tmp_path / "train.txt")
    ltr.save(TEST, tmp_path / "test.txt")
    return tmp_path


def test_validation_is_cut_from_training_and_it_is_said(command, folder):
    found = command.json("train", "mpboost", "--data", folder, "--n-rounds", 3, "--seed", 5)
    assert "has no file to validate with. It is a quarter of the training queries" in command.err
    assert "--valid none trains on all of them" in command.err
    train, valid, _ = ltr.load_folds(folder, valid="cut", seed=5)[0]
    assert found["data"]["train"]["fingerprint"] == train.fingerprint
    assert found["data"]["valid"]["fingerprint"] == valid.fingerprint
    assert found["data"]["test"]["queries"] == TEST.n_queries


def test_or_all_of_it_trains(command, folder, tmp_path):
    out = tmp_path / "m.json"
    for words in (
        ("--data", folder, "--valid", "none"),
        ("--data", folder / "train.txt", "--test", folder / "test.txt"),
    ):
        found = command.json("train", "mpboost", *words, "--n-rounds", 3, "--out", out)
        assert [*found["data"]] == ["train", "test"] and found["best_iteration"] is None
        assert found["data"]["train"]["fingerprint"] == TRAIN.fingerprint
        model = ltr.MPBoost(n_rounds=3).fit(TRAIN)
        assert found["values"]["test"]["ndcg@10"] == ltr.evaluate(model, TEST).attrs["mean"]["ndcg@10"]
        assert ltr.load_model(out).best_iteration_ is None, "nothing is chosen on test data"
        assert "looks at validation data" in command.refused(
            "train", "mpboost", *words, "--early-stopping", 2
        )
    found = command.json("evaluate", out, "--data", folder)
    assert found["queries"] == TEST.n_queries


def test_a_folder_is_checked_file_by_file(command, folder):
    text = command("check", CUBIC)
    assert text.count("documents per query") == 15
    (folder / "test.txt").write_text("1 qid:1 1:x\n")
    text = command("check", folder, code=2)
    assert text.count("documents per query") == 1 and "test.txt, line 1" in command.err


def test_the_version(command, capsys):
    with pytest.raises(SystemExit) as ended:
        command("--version")
    assert ended.value.code == 0 and capsys.readouterr().out == f"rankscope {ltr.__version__}\n"
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == ltr.__version__
