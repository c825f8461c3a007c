"""What a click costs: an idle rerun of Compare calls few functions of the project, whatever is on screen."""

from __future__ import annotations

import threading
from collections import Counter

from tests.dashboard import ROOT, open_app

BUDGET = 1200
RUNS = "r0.MPBoost.ddf.binary.n_rounds.12..r3.GBT.n_trees.9..r5.MPBoost.n_rounds.15..r6.MPBoost.n_rounds.17"
OURS = tuple(f"{ROOT}/{room}" for room in ("app.py", "pages/", "ltr_core/"))


def test_an_idle_rerun_of_compare_keeps_to_the_budget():
    app = open_app(f"data.cubic..cubic-n_queries.47..{RUNS}", page="compare").run()
    assert len(app.session_state["_screen"].complete) == 4 and not app.exception
    calls: Counter[str] = Counter()

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS):
            calls[f"{code.co_filename.removeprefix(f'{ROOT}/')}:{code.co_firstlineno} {code.co_name}"] += 1

    threading.setprofile(note)  # the page is run by a thread of its own
    try:
        app.run()
    finally:
        threading.setprofile(None)  # type: ignore[arg-type]
    assert 100 < calls.total() <= BUDGET, calls.most_common(20)
