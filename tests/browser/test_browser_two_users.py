"""Two visitors train at the same moment, on numba's workqueue layer: two threads in a kernel abort it."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from tests import live
from tests.browser.visit import await_finished, private_window, table, visit

pytestmark = pytest.mark.browser

TIMES = 5
# Large enough for the parallel kernels (above their threshold in cells), small enough to be over soon.
DATA = "data.cubic..cubic-n_queries.400..cubic-n_docs.25"


@pytest.fixture(scope="module")
def wanted():
    train, valid, test = ltr.split(ltr.datasets.make("cubic", n_queries=400, n_docs=25), (0.6, 0.2, 0.2))
    measure = ltr.measure("ndcg@10")

    def row(cls, rounds, **params):
        model = cls(**params, **rounds).fit(train, eval_set={"valid": valid}, measures=(measure,))
        curve = [measure.mean(valid.y, s, valid.offsets) for s in model.staged_predict(valid)]
        at = int(np.argmax(curve))
        scores = model.predict(test, iteration=at)
        return f"{measure.mean(test.y, scores, test.offsets):.4f}", f"{curve[at]:.4f}", str(at)

    return row


def test_the_server_stays_up_and_the_results_are_right(browser, tmp_path, wanted):
    with (
        live.serve(tmp_path, NUMBA_THREADING_LAYER="workqueue", NUMBA_NUM_THREADS="2") as own,
        private_window(browser) as one,
        private_window(browser) as other,
    ):
        for page in (one, other):
            visit(page, own.url, "/compare", "data.tiny..runs.none")
        for i in range(TIMES):
            shared = f"n_rounds.{20 + i}..r1.GBT.n_trees.{10 + i}"
            data = f"{DATA}..cubic-seed.{i}"
            links = [f"{data}..r0.MPBoost.{shared}", f"{data}..r0.MPBoost.ddf.ldd.{shared}.n_leaves.6"]
            for page, link in zip((one, other), links, strict=True):
                page.goto(f"{own.url}/compare?s={link}", wait_until="commit")  # both at once
            for page in (one, other):
                await_finished(page)
            assert own.alive, own.log.read_text(errors="replace")[-2000:]
            if i == 0:
                found = [[(r[1], r[4], r[5]) for r in table(page)] for page in (one, other)]
                for rows, ddf, leaves in zip(found, ("logdd", "ldd"), ({}, {"n_leaves": 6}), strict=True):
                    assert rows[0] == wanted(ltr.MPBoost, {"n_rounds": 20}, ddf=ddf, size=1.0)
                    assert rows[1] == wanted(ltr.GBT, {"n_trees": 10}, **leaves)
        log = own.log.read_text(errors="replace")
        assert "Concurrent access" not in log and "Traceback" not in log
