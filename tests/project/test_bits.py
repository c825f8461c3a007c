"""The same bits from every algorithm, however many threads BLAS, OpenMP and numba have, whoever else trains.

Each count is a process of its own: the libraries read it when they are loaded. The data are large enough for
them to share sums out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.sources import ROOT

LIBRARIES = ("OPENBLAS", "MKL", "BLIS", "OMP", "NUMBA")
COUNTS = ("VECLIB_MAXIMUM_THREADS", *(f"{name}_NUM_THREADS" for name in LIBRARIES))
ALL_ALGORITHMS = """
import hashlib, json, sys, threading
import numpy as np
import ltr_core as ltr
from tests.algorithms.test_contracts import make

draw = np.random.default_rng(0)
X = np.round(draw.normal(size=(15_000, 12)), 2).astype(np.float32)
y = np.clip(np.round(X[:, 0] - X[:, 1] ** 2 + draw.normal(size=len(X))), 0, 4)
data = ltr.RankingData(X, y, np.arange(len(X)) // 15)
small = data.select(np.arange(200))
digest = lambda raw: hashlib.sha256(raw).hexdigest()
over, others = ltr.StopFlag(), []

def train(name):
    while not over.is_set():
        make(name, 50).fit(small, on_round=lambda info: not over.is_set())

for name in sys.argv[1:]:
    others.append(threading.Thread(target=train, args=(name,)))
    others[-1].start()
found = {}
for name, algorithm in ltr.ALGORITHMS.items():
    if not algorithm.peer:
        model = make(name, 3).fit(data, eval_set={"valid": small}, measures=("ndcg@5", "map"))
        parts = [*model.staged_predict(small), model.predict(data), model.history_["value"].to_numpy()]
        parts += [model.explain(small)] if model.additive else []
        found[name] = digest(b"".join(np.ascontiguousarray(part).tobytes() for part in parts))
found["features"] = digest(ltr.data.describe_features(data).to_csv().encode())
over.set()
for other in others:
    other.join()
print(json.dumps(found))
"""


def digests(n_threads, *others):
    """Return a digest of each algorithm's numbers, from a fresh process."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env |= dict.fromkeys(COUNTS, str(n_threads))
    command = [sys.executable, "-c", ALL_ALGORITHMS, *others]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_the_same_bits_on_one_thread_on_two_and_beside_others():
    one = digests(1)
    assert len(one) > 15
    assert digests(2) == one
    assert digests(2, "MPBoost", "RankNet", "GBT") == one
