"""The kernels' tests twice more: as plain Python, and with every index checked.

Compiled code reads and writes past the end of an array, and divides by zero, without a word; plain Python and
numba's own checks speak up. Each leg is a process of its own, because numba reads these settings when it is
imported, with a kernel cache of its own, which does not tell one kind of kernel from another.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.sources import ROOT

ENGINES = [f"tests/engines/test_{name}.py" for name in ("binning", "linear", "network")]
FILES = ["tests/measures", "tests/distances", "tests/evaluation", *ENGINES]
LEGS = {
    "plain Python": {"NUMBA_DISABLE_JIT": "1"},
    # Compiled in two thirds of the time, and all the slower: the data are small.
    "checked bounds": {
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_OPT": "0",
        "NUMBA_LOOP_VECTORIZE": "0",
        "NUMBA_SLP_VECTORIZE": "0",
    },
}
ALL_ALGORITHMS = """
import json
import tests.conftest
import ltr_core as ltr
from tests.algorithms.test_contracts import TRAIN, VALID, make

scores = {}
for name, algorithm in ltr.ALGORITHMS.items():
    if not algorithm.peer:
        model = make(name, 3).fit(TRAIN, eval_set={"valid": VALID}, measures=("ndcg@5", "map"))
        scores[name] = [model.predict(VALID).tolist(), *(s.tolist() for s in model.staged_predict(TRAIN))]
        if model.additive:
            scores[name].append(model.explain(VALID).ravel().tolist())
print(json.dumps(scores))
"""


# What needs no kernels of the shared cache comes first: on a fresh clone another worker fills it meanwhile.


def run(folder, *command, **more):
    """Run Python in a process of its own, and return what it prints."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | more
    if more:
        env["NUMBA_CACHE_DIR"] = str(folder / "kernels")
    done = subprocess.run([sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("leg", LEGS)
def test_the_tests_of_kernels_pass_with(leg, tmp_path):
    command = ["-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist"]
    # Kernels below full optimisation cannot be cached; hashes of counters are meant to wrap around.
    command += ["-W", "ignore:Cannot cache compiled", "-W", "ignore:overflow encountered:RuntimeWarning"]
    said = run(tmp_path, *command, "-m", "not slow and not letor and not compiled", *FILES, **LEGS[leg])
    assert " passed" in said


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The scores of every algorithm, as they are compiled."""
    return json.loads(run(tmp_path_factory.mktemp("compiled"), "-c", ALL_ALGORITHMS).splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("leg", LEGS)
def test_every_algorithm_gives_the_same_scores_with(leg, compiled, tmp_path):
    """To rounding: plain Python adds in another order than vectors do."""
    ours = json.loads(run(tmp_path, "-c", ALL_ALGORITHMS, **LEGS[leg]).splitlines()[-1])
    assert ours.keys() == compiled.keys()
    for name, scores in compiled.items():
        for there, here in zip(scores, ours[name], strict=True):
            np.testing.assert_allclose(here, there, rtol=1e-7, atol=1e-9, err_msg=name)
