"""What the registry of papers promises, exhibit by exhibit."""

from __future__ import annotations

import json

import pytest

import ltr_core as ltr
from ltr_core.algorithms import ALGORITHMS
from ltr_core.datasets import DATASETS
from ltr_core.evaluation import State
from ltr_core.papers import PAPERS, Progress, Result, Stopped, published
from ltr_core.papers.stored import settings_to_store, stored
from tests.papers.test_published import EXHIBITS, FEATURERANK, FRANK, MCRANK, MPBOOST, QBRANK
from tests.papers.times import small

SOURCES = {
    "mpboost": MPBOOST, "featurerank": FEATURERANK, "qbrank": QBRANK, "frank": FRANK, "mcrank": MCRANK,
}  # fmt: skip
ALL = [(paper, exhibit) for paper in PAPERS.values() for exhibit in paper.exhibits.values()]
COMPUTED = [
    (paper, exhibit) for paper, exhibit in ALL if exhibit.compute is not None and exhibit.stamp is None
]

STORED = [(paper, exhibit) for paper, exhibit in COMPUTED if list(settings_to_store(exhibit))]


def name(value):
    return f"{value[0].id}-{value[1].id}"


@pytest.mark.parametrize("paper", [id for id in SOURCES if id in PAPERS])
def test_a_paper_has_all_its_exhibits_in_its_order(paper):
    printed = published(SOURCES[paper])
    assert [exhibit.name for exhibit in PAPERS[paper].exhibits.values()] == list(printed)
    for exhibit in PAPERS[paper].exhibits.values():
        assert exhibit.published is printed[exhibit.name]
    assert len(printed) == EXHIBITS[SOURCES[paper]]


@pytest.mark.parametrize("case", ALL, ids=name)
def test_an_exhibit_says_what_it_is(case):
    _, exhibit = case
    assert exhibit.title and exhibit.finding.endswith(".") and "-" not in exhibit.id
    assert exhibit.compute is not None or exhibit.ways
    if exhibit.compute is not None:
        assert exhibit.paper_data and exhibit.our_data and exhibit.estimate() > 0
    for param in exhibit.params:
        assert param.help.endswith(".") and param.check(param.default) == param.default
    assert set(exhibit.grows) <= {p.name for p in exhibit.params}
    with pytest.raises(ltr.ParameterError, match="no parameter 'nonsense'"):
        exhibit.checked({"nonsense": 1})
    if exhibit.setting is not None:
        setting = exhibit.setting(exhibit.checked())
        assert set(setting.size) <= {p.name for p in DATASETS[setting.data].params}
        for system in setting.systems:
            ALGORITHMS[system.algorithm](**system.params).checked_params()


@pytest.mark.slow
@pytest.mark.parametrize("case", COMPUTED, ids=name)
def test_an_exhibit_computes_reports_and_ends_when_told(case):
    _, exhibit = case
    told = []
    progress = Progress(lambda done, total: told.append((done, total)))
    result = exhibit.run(small(exhibit), progress)
    assert result.charts
    for chart in result.charts:
        assert chart.title and len(chart.frame)
        if chart.kind != "table":
            columns = {"series", "value"} | ({"x"} if chart.kind != "bars" else set())
            assert columns <= set(chart.frame.columns) and chart.frame["value"].notna().all()
    again = Result.from_json(result.to_json())
    assert again.to_json() == result.to_json()
    assert [v.state for v in again.verdicts] == [v.state for v in result.verdicts]
    assert all(v.state in State and v.claim.endswith(".") for v in result.verdicts)
    if told:
        assert told[-1][0] == told[-1][1] and [done for done, _ in told] == sorted(done for done, _ in told)
        with pytest.raises(Stopped):
            exhibit.run(small(exhibit), Progress(cancelled=lambda: True))


@pytest.mark.parametrize("case", STORED, ids=name)
def test_what_takes_longer_is_stored(case):
    paper, exhibit = case
    for values in settings_to_store(exhibit):
        held = stored(paper, exhibit, values)
        assert held is not None, f"python -m tests.papers.store {paper.id} {exhibit.id}"
        assert held.result.charts and held.seconds > 0 and held.versions["numpy"]
    assert stored(paper, exhibit, {"seed": 9_999}) is None


def test_a_result_that_is_damaged_is_refused():
    good = json.loads(PAPERS["mpboost"].exhibits["fig1"].run().to_json())
    for damage in ("", "[]", "{", json.dumps({**good, "charts": 3}), json.dumps({**good, "verdicts": [{}]})):
        with pytest.raises(ltr.DataError, match="Compute it again"):
            Result.from_json(damage)
