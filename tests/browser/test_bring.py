"""A ranking of one's own in a real browser: files sent on Compare become runs, or one sentence each."""

from __future__ import annotations

import numpy as np

import ltr_core as ltr
from ltr_core.evaluation import trec_run
from tests.browser.visit import SMALL, TWO, await_finished, await_idle, go_to, names, table, visit

CUBIC = ltr.datasets.make("cubic", n_queries=60, n_docs=8, n_features=5)


def test_files_sent_become_runs_and_what_does_not_fit_is_a_sentence(page, server, tmp_path):
    test = ltr.split(CUBIC, (0.6, 0.2, 0.2), 0)[2]
    scores = np.random.default_rng(1).normal(size=test.n_docs)
    (tmp_path / "bm25.run").write_text(trec_run(test, scores, "bm25"))
    (tmp_path / "short.txt").write_text("0.5\n" * 3)
    visit(page, server, "/compare", f"{SMALL}..{TWO}")
    await_finished(page)
    page.locator(".st-key-new input").click()
    page.get_by_role("option", name="A ranking of your own").click()
    page.locator(".st-key-bring input[type=file]").set_input_files(
        [tmp_path / "bm25.run", tmp_path / "short.txt"]
    )
    page.get_by_text("short.txt: 3 scores, and there are").wait_for()
    await_idle(page)
    assert len(names(page)) == 3 and names(page)[2].endswith("bm25")
    value = ltr.evaluate(scores, test, ["ndcg@10"]).attrs["mean"]["ndcg@10"]
    assert table(page)[2][1] == f"{value:.4f}"
    link = page.evaluate("location.search")
    go_to(page, "Rankings")
    page.get_by_text("brought along").first.wait_for()
    lists = page.locator("section.ranked").evaluate_all("all => all.map(x => [x.scrollWidth, x.clientWidth])")
    assert all(wide <= room for wide, room in lists)  # a long name stays in its own list
    page.go_back()
    await_finished(page)
    await_idle(page)
    assert page.evaluate("location.search") == link and len(names(page)) == 3
