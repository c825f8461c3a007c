"""The kernels' tests twice more: as plain Python, and with every index checked.

Compiled code reads and writes past the end of an array, and divides by zero, without a word; plain Python and
numba's own checks speak up. Each leg is a process of its own, because numba reads these settings when it is
imported, with a kernel cache of its own, which does not tell one kind of kernel from another.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.sources import ROOT

ENGINES = [
    f"tests/engines/test_{name}.py" for name in ("binning", "linear", "network", "pairwise_steps", "trees")
]
FILES = [
    "tests/measures",
    "tests/distances",
    "tests/evaluation",
    *ENGINES,
    "tests/algorithms/test_contracts.py",
]
LEGS = {
    "plain Python": {"NUMBA_DISABLE_JIT": "1"},
    # Compiled in a third of the time, and all the slower: the data are small.
    "checked bounds": {
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_OPT": "0",
        "NUMBA_LOOP_VECTORIZE": "0",
        "NUMBA_SLP_VECTORIZE": "0",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("leg", LEGS)
def test_the_kernels_tests_pass_with(leg, tmp_path):
    env = {**os.environ, **LEGS[leg], "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    for name in [name for name in env if name.startswith("PYTEST_")]:
        del env[name]  # this run's worker
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += [
        "-m",
        "not slow and not letor and not compiled",
        "-W",
        "ignore:Cannot cache compiled function",
    ]
    done = subprocess.run([*command, *FILES], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
