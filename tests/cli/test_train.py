"""``python -m ltr_core train``: options from the registry, the same numbers as in Python, Ctrl-C."""

from __future__ import annotations

import argparse
import io
import signal

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core import stopping
from ltr_core.cli import COMMANDS, build_parser
from ltr_core.cli.progress import Meter, say_seconds
from ltr_core.cli.values import read_value, typed
from ltr_core.errors import ParameterError
from tests.command import CUBIC, Command

FOLD = ltr.load_folds(CUBIC, only=2)[0]
ONE = ("--data", CUBIC, "--fold", 2)


@pytest.fixture
def command(capsys):
    return Command(capsys)


# Options ----------------------------------------------------------------------------------------------------


def sub_parser(*words: str) -> argparse.ArgumentParser:
    parser = build_parser(words)
    (commands,) = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return commands.choices[words[0]]


@pytest.mark.parametrize("name", ltr.ALGORITHMS)
def test_every_parameter_is_an_option_with_its_help_and_default(name):
    parser = sub_parser("train", name.lower())
    actions = {action.dest: action for action in parser._actions}
    shown = " ".join(parser.format_help().split())
    for param in ltr.ALGORITHMS[name].all_params():
        action = actions[f"param:{param.name}"]
        option = param.name.replace("_", "-")
        assert action.option_strings in ([f"--{option}"], [f"--{name.lower()}-{option}"])
        # The formatter may wrap within a word: hyphens are where it cuts.
        assert " ".join(param.help.split())[:30].replace(" ", "") in shown.replace(" ", "")
        assert read_value(param, typed(param, param.default), name) == param.default
        for choice in param.choices:
            value = read_value(param, str(choice), name)
            assert value == choice and type(value) is type(choice)
        if param.low is not None:
            with pytest.raises(ParameterError, match=param.name):
                read_value(param, str(param.low - 1), name)


def test_help_ends_well_and_has_examples(capsys):
    for name in COMMANDS:
        words = [name, *(["mpboost"] if name in ("train", "sweep") else [])]
        with pytest.raises(SystemExit) as ended:
            Command(capsys)(*words, "--help")
        assert ended.value.code == 0
        out = capsys.readouterr().out
        assert "examples:\n  python -m ltr_core " + words[0] in out, words


def test_values_reach_the_algorithm_in_their_types(command, tmp_path):
    out = tmp_path / "m.json"
    words = ("--n_rounds", 3, "--max-bins=16", "--ddf", "LDD", "--alpha", "none", "--binning", "quantile")
    command("train", "mpBOOST", *ONE, *words, "--out", out)
    params = ltr.load_model(out).get_params()
    wanted = ltr.MPBoost(n_rounds=3, max_bins=16, ddf="ldd", alpha=None, binning="quantile").get_params()
    assert params == wanted
    command("train", "frank", *ONE, "--n-rounds", 2, "--tied-pairs", "--seed", 5, "--out", out)
    assert (
        ltr.load_model(out).get_params()
        == ltr.FRank(n_rounds=2, tied_pairs=True, random_state=5).get_params()
    )
    command("train", "qbrank", *ONE, "--n-trees", 2, "--margin", "1", "--line-search", "no", "--out", out)
    params = ltr.load_model(out).get_params()
    assert params["margin"] == 1.0 and params["line_search"] is False


def test_a_parameter_called_like_an_option_is_called_after_its_algorithm(command, tmp_path):
    out = tmp_path / "m.json"
    found = command.json(
        "train",
        "adarank",
        *ONE,
        "--adarank-measure",
        "map",
        "--measure",
        "ndcg@3",
        "--n-rounds",
        2,
        "--out",
        out,
    )
    assert ltr.load_model(out).measure == "map" and set(found["measures"]) == {"ndcg@3"}


def test_a_table_is_typed_or_in_a_file(command, tmp_path):
    rows = [[0, 1, 2, 3, 4], [0, 0, 1, 2, 3], [0, 0, 0, 1, 2], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]]
    rows = (np.array(rows).T - np.array(rows)).tolist()
    file = tmp_path / "ddf.csv"
    file.write_text("\n".join(",".join(map(str, row)) for row in rows))
    histories = []
    for number, given in enumerate((str(rows), file)):
        path = tmp_path / f"{number}.csv"
        words = ("--ddf", "table", "--ddf-table", given, "--n-rounds", 3, "--history", path)
        command("train", "mpboost", *ONE, *words)
        histories.append(path.read_text())
    assert histories[0] == histories[1]
    assert "no table" in command.refused(
        "train", "mpboost", *ONE, "--ddf", "table", "--ddf-table", "[[1, a]]"
    )


# Numbers ----------------------------------------------------------------------------------------------------


def test_the_same_numbers_as_in_python(command, tmp_path):
    out, curves = tmp_path / "m.json", tmp_path / "curves.csv"
    words = ("--ddf", "logdd", "--lam", 0.5, "--n-rounds", 12, "--measure", "ndcg@10,map")
    found = command.json("train", "mpboost", *ONE, *words, "--out", out, "--history", curves)
    train, valid, test = FOLD
    model = ltr.MPBoost(ddf="logdd", lam=0.5, n_rounds=12)
    model.fit(train, eval_set={"valid": valid, "test": test}, measures=("ndcg@10", "map"))
    assert np.array_equal(ltr.load_model(out).predict(test), model.predict(test))
    history = pd.read_csv(curves)
    pd.testing.assert_frame_equal(history, model.history_, check_exact=True, check_dtype=False)
    assert (found["n_iter"], found["stopped"]) == (12, "rounds")
    assert found["best_iteration"] == model.best_iteration_
    values = model.history_.set_index(["iteration", "split", "measure"])["value"]
    for split in ("train", "valid", "test"):
        for name in ("loss", "ndcg@10", "map"):
            assert found["values"][split][name] == values[12, split, name]
            assert found["best_values"][split][name] == values[model.best_iteration_, split, name]
    assert found["data"]["test"]["fingerprint"] == test.fingerprint
    text = command("train", "mpboost", *ONE, *words)
    assert f"{values[12, 'test', 'ndcg@10']:.6f}" in text and f"{values[12, 'valid', 'loss']:.6f}" in text


def test_generated_and_split_by_the_seed(command, tmp_path):
    out = tmp_path / "m.json"
    size = ("--set", "n_queries=20", "n-docs=10", "--seed", 3)
    command("train", "gbt", "--data", "cubic", *size, "--split", "0.5,0.5", "--n-trees", 3, "--out", out)
    data = ltr.datasets.make("cubic", seed=3, n_queries=20, n_docs=10)
    train, valid = ltr.split(data, (0.5, 0.5), seed=3)
    model = ltr.GBT(n_trees=3, random_state=3).fit(train, eval_set={"valid": valid})
    assert np.array_equal(ltr.load_model(out).predict(data), model.predict(data))
    found = command.json("train", "gbt", "--data", "cubic", *size, "--n-trees", 2)
    assert list(found["values"]) == ["train"] and found["best_iteration"] is None
    assert found["data"]["train"]["queries"] == 20


def test_files_of_their_own_with_fewer_features_mentioned(command, tmp_path):
    train, valid, test = (tmp_path / f"{name}.txt" for name in ("train", "valid", "test"))
    ltr.save(FOLD[0], train)
    valid.write_text("2 qid:1 1:0.5 3:1\n0 qid:1 1:0.2\n")
    ltr.save(FOLD[2], test)
    words = ("--data", train, "--valid", valid, "--test", test, "--n-rounds", 4)
    found = command.json("train", "rankboost", *words)
    assert found["data"]["valid"]["features"] == FOLD[0].n_features
    assert found["data"]["test"]["fingerprint"] == FOLD[2].fingerprint


def test_early_stopping_and_measures_by_their_options(command):
    words = ("--measure", "ndcg@5", "--gain", "grade", "--convention", "letor", "--early-stopping", 2)
    found = command.json("train", "mpboost", *ONE, *words)
    measure = ltr.measure("ndcg@5", "letor", gain="grade")
    model = ltr.MPBoost(early_stopping=2).fit(FOLD[0], eval_set={"valid": FOLD[1]}, measures=(measure,))
    assert found["stopped"] == model.stopped_ == "early stop" and found["n_iter"] == model.n_iter_
    assert found["measures"] == {"ndcg@5": measure.describe()}


def test_a_parameter_without_effect_is_told(command):
    command("train", "mpboost", *ONE, "--ddf", "ldd", "--lam", 2, "--n-rounds", 1, "--quiet")
    assert command.err == "Note: lam has no effect with ddf = ldd.\n"


# What cannot be done ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, said",
    [
        (["trian"], "no command 'trian'. Did you mean train?"),
        (["train"], "ALGORITHM"),
        (["train", "mpbost", *ONE], "no algorithm 'mpbost'. Did you mean MPBoost"),
        (["train", "qqq", *ONE], "no algorithm 'qqq'. Take one of MPBoost, "),
        (["train", "mpboost", *ONE, "--lamm", 1], "train has no option --lamm. Did you mean --lam"),
        (["train", "mpboost", *ONE, "more"], "does not take 'more'"),
        (
            ["train", "mpboost", *ONE, "--lam", "much"],
            "--lam much cannot be used. Take a number from 1e-06",
        ),
        (["train", "mpboost", *ONE, "--n-rounds", 0], "--n-rounds 0 cannot be used. Take a whole number"),
        (["train", "mpboost", *ONE, "--ddf", "log"], "--ddf log cannot be used. Take one of 'binary'"),
        (["train", "mpboost", *ONE, "--seed", -1], "seed = -1 cannot be used"),
        (["train", "mpboost", *ONE, "--lam"], "--lam: expected one argument"),
        (["train", "mpboost", *ONE, "--measure", "best"], "no measure 'best'"),
        (["train", "mpboost", *ONE, "--measure", "map", "--gain", "grade"], "'gain'"),
        (["train", "mpboost", *ONE, "--split"], "is cut into training, validation and test data already"),
        (["train", "mpboost", *ONE, "--set", "n_queries=3"], "--set is for generated data sets"),
        (["train", "mpboost", *ONE, "--out", "no/such/folder/m.json"], "there is no such folder"),
        (["train", "mpboost", "--data", CUBIC], "5 folds: say which one with --fold"),
        (["train", "mpboost", "--data", CUBIC, "--fold", 6], "no fold 6"),
        (["train", "mpboost", "--data", "cubik"], "no such file, folder or data set. Did you mean cubic"),
        (["train", "mpboost", "--data", "tiny", "--set", "n=3"], "no parameter 'n'"),
        (["train", "mpboost", "--data", "tiny", "--set", "noise"], "NAME=VALUE"),
        (["train", "mpboost", "--data", "tiny", "--set", "noise=1", "noise=2"], "twice"),
        (["train", "mpboost", "--data", "tiny", "--fold", 1], "take --split"),
        (["train", "mpboost", "--data", "tiny", "--split", "0.5,x"], "--split 0.5,x: give the shares"),
        (["train", "mpboost", "--data", "tiny", "--split", "0.9,0.9"], "add up to 1"),
        (
            ["train", "mpboost", "--data", "tiny", "--early-stopping", 3],
            "--early-stopping looks at validation",
        ),
        (["train", "mpboost", "--data", "tiny", "--test", "x.txt"], "x.txt"),
        (["train", "mpboost", "--data", CUBIC, "--fold", 1, "--valid", "none"], "leave --valid out"),
        (["train", "mpboost", "--data", "tiny", "--valid", "no.txt"], "no.txt"),
    ],
    ids=lambda value: (
        " ".join(map(str, value[1:])).replace(CUBIC, "…")[:60] if isinstance(value, list) else ""
    ),
)
def test_a_sentence_for_what_cannot_be_used(command, words, said):
    assert said in command.refused(*words)


def test_nothing_given(command):
    command(code=2)
    assert "usage" in command.err and "--help" in command.err


# Interrupted ------------------------------------------------------------------------------------------------


@pytest.fixture
def interrupting(monkeypatch):
    """Press Ctrl-C in given rounds."""
    rounds = []

    def update(self, done, total, text="", left=None):
        if done in rounds:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Meter, "update", update)
    return rounds


def test_ctrl_c_keeps_the_rounds_so_far(command, interrupting, tmp_path):
    interrupting.append(3)
    out = tmp_path / "m.json"
    handler = signal.getsignal(signal.SIGINT)
    found = command.json("train", "mpboost", *ONE, "--out", out, code=130)
    assert signal.getsignal(signal.SIGINT) is handler
    assert (found["n_iter"], found["stopped"]) == (3, "cancelled")
    model = ltr.MPBoost(n_rounds=3).fit(FOLD[0])
    assert np.array_equal(ltr.load_model(out).predict(FOLD[2]), model.predict(FOLD[2]))
    assert f"Interrupted after 3 rounds; they are in {out}." in command.err
    command("train", "mpboost", *ONE, code=130)
    assert "Interrupted after 3 rounds; they are not kept" in command.err


def test_sigterm_is_a_ctrl_c_with_a_code_of_its_own(command, monkeypatch, tmp_path):
    def update(self, done, total, text="", left=None):
        if done == 3:
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(Meter, "update", update)
    out, handler = tmp_path / "m.json", signal.getsignal(signal.SIGTERM)
    found = command.json("train", "mpboost", *ONE, "--out", out, code=143)
    assert signal.getsignal(signal.SIGTERM) is handler
    assert (found["n_iter"], ltr.load_model(out).n_iter_) == (3, 3)


def test_told_before_the_first_round_there_is_nothing_to_keep(command, monkeypatch, tmp_path):
    def start(*_):
        signal.raise_signal(signal.SIGINT)
        stopping.look()

    monkeypatch.setattr(ltr.MPBoost, "_start", start)
    assert command("train", "mpboost", *ONE, "--out", tmp_path / "m.json", code=130) == ""
    assert "before the first round: there is nothing to keep." in command.err
    assert not (tmp_path / "m.json").exists()


def test_a_second_ctrl_c_ends_at_once(command, monkeypatch, tmp_path):
    def update(self, done, total, text="", left=None):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Meter, "update", update)
    out = tmp_path / "m.json"
    assert command("train", "mpboost", *ONE, "--out", out, code=130) == ""
    assert "Interrupted." in command.err and not out.exists()


# Progress ---------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_lines_now_and_then_where_there_is_no_terminal():
    stream, now = io.StringIO(), [0.0]
    progress = Meter("rounds", stream=stream, clock=lambda: now[0])
    for done in range(1, 21):
        now[0] += 1.0
        progress.update(done, 20, f"x {done}", 20.0 - done)
    progress.close()
    lines = stream.getvalue().splitlines()
    assert lines == [
        "5 of 20 rounds, x 5, 15 s left",
        "10 of 20 rounds, x 10, 10 s left",
        "15 of 20 rounds, x 15, 5.0 s left",
        "20 of 20 rounds, x 20",
    ]


def test_a_bar_on_a_terminal():
    stream, now = Terminal(), [0.0]
    progress = Meter("fits", stream=stream, clock=lambda: now[0])
    for done in range(0, 25):
        now[0] += 0.05
        progress.update(done, 24)
    progress.close()
    drawn = stream.getvalue().split("\r")[1:]
    assert 10 <= len(drawn) <= 14, "at most every tenth of a second"
    assert drawn[0].startswith("[" + "-" * 24 + "] 0 of 24 fits")
    assert drawn[-1].startswith("[" + "#" * 24 + "] 24 of 24 fits") and drawn[-1].endswith("\n")


def test_quiet_says_nothing_and_progress_is_never_on_stdout(command):
    words = ("train", "mpboost", "--data", "tiny", "--n-rounds", 3)
    assert "3 of 3" not in command(*words)
    assert command.err.startswith("3 of 3 rounds, train ndcg@10 0.")
    command(*words, "--quiet")
    assert command.err == ""


def test_times_in_words():
    said = [say_seconds(s) for s in (0.0001, 0.25, 3.21, 100.4, 600, 9000)]
    assert said == ["0.01 s", "0.25 s", "3.2 s", "100 s", "10 min", "2.5 h"]
