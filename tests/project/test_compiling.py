"""A first use on a machine says that kernels are being compiled, once; later ones say nothing."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import numba
import pytest
from numba.core.event import Event, EventStatus

from ltr_core import compiling
from tests.sources import ROOT

PROGRAM = """
import numpy as np
from ltr_core import compiling
compiling.AFTER = 0.0
import ltr_core as ltr
for k in (1, 2):
    ltr.recall(np.arange(4.0), np.arange(4.0), np.zeros(4), k=k)
ltr.r_precision(np.arange(4.0), np.arange(4.0), np.zeros(4))
"""


def run(folder, **env):
    """Return what a fresh process says on stderr, with a kernel cache of its own."""
    env = {**os.environ, "RANKSCOPE_QUIET": "0", "NUMBA_CACHE_DIR": str(folder), **env}
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.compiled
@pytest.mark.slow
def test_it_is_said_once_and_not_when_kernels_come_from_the_cache(tmp_path):
    assert run(tmp_path) == f"{compiling.SENTENCE}\n"
    assert run(tmp_path) == ""
    assert run(tmp_path / "other", RANKSCOPE_QUIET="1") == ""


def test_short_compiling_is_not_told_and_kernels_within_others_count_once(monkeypatch):
    now, said = [0.0], []
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(compiling, "say", lambda: said.append(now[0]))
    told = compiling.Told()

    def compiles(seconds, within=0.0):
        told.on_start(None)
        now[0] += seconds - within
        if within:
            compiles(within)
        told.on_end(None)

    compiles(0.9, within=0.5)
    assert told.seconds == pytest.approx(0.9) and not said
    compiles(0.2)
    assert not said, "what has begun is soon over"
    compiles(3.0)
    assert said == [pytest.approx(1.1)]
    compiles(9.0)
    assert len(said) == 1


def test_garbage_waits_while_kernels_are_compiled_and_no_longer():
    lean, kernel = compiling.Lean(), numba.njit(lambda x: x)
    what = Event("numba:compile", EventStatus.START, data={"dispatcher": kernel})
    assert gc.isenabled()
    lean.on_start(what)
    lean.on_start(what)
    lean.on_end(what)
    assert not gc.isenabled(), "the kernel that called for the other one is not done"
    lean.on_end(what)
    assert gc.isenabled()
    gc.disable()
    try:
        lean.on_start(what)
        lean.on_end(what)
        assert not gc.isenabled(), "somebody else had stopped it"
    finally:
        gc.enable()


@pytest.mark.parametrize("given", [0, 1])
def test_vectors_of_what_stands_side_by_side_are_made_in_the_kernels_that_are_written_so(given, monkeypatch):
    side_by_side = compiling.SideBySide()
    monkeypatch.setattr(compiling, "SIDE_BY_SIDE", side_by_side)
    monkeypatch.setattr(numba.config, "SLP_VECTORIZE", given)  # somebody may want it everywhere

    def written_so(x):
        return x

    def other(x):
        return x

    events = [
        Event("numba:compile", EventStatus.START, data={"dispatcher": numba.njit(kernel)})
        for kernel in (written_so, other)
    ]
    compiling.side_by_side(*(event.data["dispatcher"] for event in events[:1]))
    compiling.side_by_side(written_so)  # plain Python, where nothing is compiled
    for outer, inner in (events, events[::-1]):
        side_by_side.on_start(outer)
        of_outer = numba.config.SLP_VECTORIZE
        side_by_side.on_start(inner)
        found = {id(outer): of_outer, id(inner): numba.config.SLP_VECTORIZE}
        assert found == {id(events[0]): 1, id(events[1]): given}
        side_by_side.on_end(inner)
        assert of_outer == numba.config.SLP_VECTORIZE
        side_by_side.on_end(outer)
        assert given == numba.config.SLP_VECTORIZE


@pytest.mark.compiled
def test_only_kernels_that_are_called_by_address_have_functions_for_c(tmp_path):
    program = """
import numba, numpy as np
import ltr_core as ltr
from ltr_core.measures.parts import ranking
own = numba.njit(lambda x: x + 1)
own(1)
made = {}
exec("def made(x): return x + 1", made)  # of no module
numba.njit(made["made"])(1)
X, y, q = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 2]), np.zeros(4)
ltr.ListNet(epochs=1).fit(X, y, qid=q)
ltr.average_precision(y, X[:, 0], q)
def has(kernel):
    (compiled,) = kernel.overloads.values()
    return compiled.fndesc.llvm_cfunc_wrapper_name in compiled.library.get_llvm_str()
print(has(own), has(ltr.ListNet.loss.kernel), has(ranking._rank_queries))
"""
    env = {**os.environ, "RANKSCOPE_QUIET": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.stdout == "True True False\n", done.stderr
