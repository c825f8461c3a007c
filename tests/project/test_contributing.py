"""The algorithm that CONTRIBUTING.md shows whole: one file and one line, and every contract holds."""

from __future__ import annotations

import inspect
import re
import sys
import types

import pytest

import ltr_core as ltr
from ltr_core import docs
from tests.algorithms import test_contracts
from tests.sources import ROOT

NAME = "OneFeature"
GIVEN = {"name", "fitted", "tmp_path"}
CONTRACTS = {
    name: function
    for name, function in vars(test_contracts).items()
    if name.startswith("test_") and {"name"} <= set(inspect.signature(function).parameters) <= GIVEN
}


@pytest.fixture
def one_feature(monkeypatch):
    """The document's algorithm, in the registry for the length of a test."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    module = types.ModuleType("ltr_core.algorithms.features.my_ranker")
    module.__package__ = "ltr_core.algorithms.features"
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source, "my_ranker.py", "exec"), module.__dict__)
    monkeypatch.setitem(ltr.ALGORITHMS, NAME, getattr(module, NAME))


@pytest.mark.parametrize("contract", CONTRACTS)
def test_keeps_the_contract(contract, one_feature, tmp_path):
    def fitted(name):
        model = test_contracts.make(name)
        return model.fit(
            test_contracts.TRAIN, eval_set={"valid": test_contracts.VALID}, measures=("ndcg@5", "map")
        )

    given = {"name": NAME, "fitted": fitted, "tmp_path": tmp_path}
    function = CONTRACTS[contract]
    function(**{argument: given[argument] for argument in inspect.signature(function).parameters})


def test_is_in_the_table(one_feature):
    assert f"| `{NAME}` | baseline |" in docs.algorithms_table()


def test_there_are_contracts():
    assert len(CONTRACTS) > 15
