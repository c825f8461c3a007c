"""`warmup` misses no kernel: measured in a fresh process with an empty kernel cache, before other tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from numba.core.caching import UserProvidedCacheLocator

from tests.conftest import COLD
from tests.sources import CORE, ROOT

PROGRAM = """
import json, sys, threading
from numba.core.dispatcher import Dispatcher
import ltr_core as ltr
from ltr_core import threads
from ltr_core.warming import is_warm
from tests.sources import CORE, imported

modules = [imported(path) for path in CORE if path.name != "__main__.py"]
kernels = {
    f"{value.py_func.__module__}.{value.py_func.__name__}": value
    for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)
}
assert not is_warm()
heard = []
callers = [threading.Thread(target=ltr.warmup, args=(lambda *what: heard.append(what),)) for _ in range(2)]
for caller in callers: caller.start()
for caller in callers: caller.join()
assert is_warm()
ltr.warmup(lambda *what: heard.append(("again", *what)))
missed = sorted(name for name, kernel in kernels.items() if not kernel.signatures)
before = {name: len(kernel.signatures) for name, kernel in kernels.items()}

folder = sys.argv[1]
for data in (
    ltr.datasets.make("cubic", n_queries=30, n_docs=12),
    ltr.datasets.make("web1-like", n_queries=30, n_features=20),
):
    train, valid, test = ltr.split(data, (0.6, 0.2, 0.2), seed=0)
    ltr.save(train, folder + "/train.txt")
    train = ltr.load(folder + "/train.txt")
    scores = {}
    for name, algorithm in ltr.ALGORITHMS.items():
        if algorithm.peer:
            continue
        model = algorithm(**({algorithm.rounds_param: 3} if algorithm.rounds_param else {}))
        try:
            for twins in (threads.serial_only, threads.parallel_always):
                with twins():
                    model.fit(train, eval_set={"valid": valid}, measures=("ndcg@10", "map"))
                    scores[name] = model.predict(test)
        except ltr.DataError:
            continue  # it takes no continuous grades
        model.predict(test.X, qid=test.qid)
        list(model.staged_predict(test))
        if model.additive:
            model.explain(test)
ltr.evaluate(scores["MPBoost"], test, ["ndcg@5", "map"])
ltr.compare({**scores, "first": test.X[:, 0], "second": test.X[:, 1].copy()}, test, baseline="MPBoost")
late = sorted(name for name, kernel in kernels.items() if len(kernel.signatures) > before[name])
print(json.dumps({"missed": missed, "late": late, "heard": heard, "kernels": len(kernels)}))
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What a fresh process saw of its kernels before and after `warmup`."""
    folder = tmp_path_factory.mktemp("warmup")
    # From a cache kernels come without those that they call: the cache must be empty.
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels")}
    if not COLD:  # what is compiled here is thrown away: slow kernels will do on six rows
        env |= {"NUMBA_OPT": "0", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if COLD:
        _hand_over(folder / "kernels")
    return json.loads(done.stdout.splitlines()[-1])


def _hand_over(kernels):
    """Give the kernels compiled here to the tests that follow, which need not compile them again."""
    for room in {path.parent for path in CORE}:
        compiled = kernels / UserProvidedCacheLocator.get_suitable_cache_subpath(str(room / "any.py"))
        cache = room / "__pycache__"
        for index in sorted(compiled.glob("*.nbi")):
            if not (cache / index.name).exists():  # another test was quicker: its kernels stay whole
                for file in (*compiled.glob(f"{index.stem}.*.nbc"), index):  # the index names what is there
                    shutil.copyfile(file, cache / f"{file.name}.new")
                    (cache / f"{file.name}.new").rename(cache / file.name)


@pytest.mark.slow
def test_every_kernel_is_compiled(report):
    assert report["kernels"] > 10
    assert report["missed"] == []


@pytest.mark.slow
def test_nothing_is_left_to_compile_when_training_and_measuring(report):
    assert report["late"] == []


@pytest.mark.slow
def test_progress_is_told_once_and_in_order(report):
    heard = report["heard"]
    total = heard[0][1]
    assert [done for done, _, _ in heard] == list(range(total + 1))
    assert [what for _, _, what in heard][:5] == [
        "binning",
        "threads",
        "MPBoost",
        "measures",
        "data",
    ] and heard[-1][2] == ""
