"""Several servers and sweeps on one folder and one file: nothing is lost, and the second is told."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

import ltr_core as ltr
from ltr_core.cli import main
from pages.ui.runs.history import History
from pages.ui.runs.specs import DataSpec, RunSpec, recipe_of
from pages.ui.runs.store import Store
from tests.live import ROOT
from tests.sweeps.test_sweep import FOLDS

SPACE = {"lam": [0.2, 0.5, 1.0, 2.0]}

# Put runs into the store of a folder and say something of each, as a server does, beside another one.
_SERVER = """
import sys
import ltr_core as ltr
from pathlib import Path
from pages.ui.runs.specs import DataSpec, RunSpec, recipe_of
from pages.ui.runs import history, store

store._MAX_BYTES = 200_000  # old entries are deleted all the while
name, folder = sys.argv[1], Path(sys.argv[2])
data = ltr.datasets.make("tiny")
model = ltr.MPBoost(n_rounds=6).fit(data, eval_set={"valid": data, "test": data})
own = store.Store(folder)
sys.stdin.readline()
for seed in range(40):
    spec = RunSpec(DataSpec("tiny", seed=seed), recipe_of("MPBoost", {"n_rounds": 6}))
    own.put(store.Training(spec, model, 0.25, "measure('ndcg@10')"))
    own.history.mark(spec.key, **{name: f"by {name} {seed}"})
    own.history.save(f"{name} {seed % 3}", f"link {seed}")
    again = store.Store(folder).get(spec)
    assert again is None or again.model.n_iter_ == 6
    assert len(own.history.runs()) > seed and not own.history.dropped
"""


@pytest.mark.slow
def test_two_servers_share_a_folder(tmp_path):
    command = [sys.executable, "-c", _SERVER]
    servers = [
        subprocess.Popen([*command, name, str(tmp_path)], cwd=ROOT, stdin=subprocess.PIPE, text=True)
        for name in ("name", "note")
    ]
    for server in servers:  # both at once, when both are there
        server.stdin.write("go\n")
        server.stdin.flush()
    assert [server.wait(300) for server in servers] == [0, 0]
    for server in servers:
        server.stdin.close()
    runs = {past.data.seed: past for past in History(tmp_path).runs()}
    assert {seed: (past.name, past.note) for seed, past in runs.items()} == {
        seed: (f"by name {seed}", f"by note {seed}") for seed in range(40)
    }
    assert set(History(tmp_path).spaces()) == {f"{name} {n}" for name in ("name", "note") for n in range(3)}
    whole = Store(tmp_path)
    specs = [RunSpec(DataSpec("tiny", seed=n), recipe_of("MPBoost", {"n_rounds": 6})) for n in range(40)]
    assert sum(whole.get(spec) is not None for spec in specs) > 3
    assert not list(tmp_path.rglob("*.tmp"))


def test_one_sweep_writes_to_a_file_and_two_others_are_told(tmp_path, capsys):
    path, how = tmp_path / "s.jsonl", {"fixed": {"n_rounds": 5}, "n_workers": 1}
    told = []

    def meanwhile(progress):
        if progress.done_fits == 2:
            with pytest.raises(ltr.ParameterError, match="Another sweep is writing to .*s.jsonl. Wait for"):
                ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, **how)
            line = ["sweep", "mpboost", "--data", "tiny", "--vary", "lam=0.5,1", "--store", str(path)]
            told.append(main(line))
            assert ltr.load_sweep(path).n_trained == 2, "whoever reads only may"

    first = ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, on_fit=meanwhile, **how)
    assert told == [2] and "Another sweep is writing to" in capsys.readouterr().err
    assert ltr.load_sweep(path).chosen == first.chosen
    again = ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, **how)
    assert again.curves.equals(first.curves), "it is free again"


def test_three_sweeps_begin_one_file_at_a_time(tmp_path):
    path, answers, ready = tmp_path / "s.jsonl", [], threading.Barrier(3)

    def run() -> None:
        ready.wait()
        try:
            answers.append(ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, fixed={"n_rounds": 20}))
        except ltr.ParameterError as error:
            answers.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = [answer for answer in answers if not isinstance(answer, str)]
    assert done and all("Another sweep is writing" in said for said in answers if isinstance(said, str))
    held = ltr.load_sweep(path)
    assert held.n_trained == 4 and held.curves.equals(done[0].curves)


def test_a_first_line_that_was_cut_short_is_written_anew(tmp_path):
    path, how = tmp_path / "s.jsonl", {"fixed": {"n_rounds": 3}}
    wanted = ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, **how)
    head = path.read_bytes().splitlines(keepends=True)[0]
    for n_bytes in (0, 1, len(head) - 1):
        path.write_bytes(head[:n_bytes])
        assert ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, **how).curves.equals(wanted.curves)
    path.write_bytes(b"not a sweep")
    with pytest.raises(ltr.DataError, match="its first line is missing"):
        ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, **how)
    assert path.read_bytes() == b"not a sweep"
