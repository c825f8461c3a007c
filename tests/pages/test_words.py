"""Words: whatever the registries hold has a name that a person reads, and nothing is left out in silence."""

from __future__ import annotations

import pytest

from ltr_core import ALGORITHMS, MEASURES
from ltr_core.datasets import DATASETS
from ltr_core.datasets.parts.base import SEED
from pages.ui.style import words

OWNERS = {
    **{name: cls.all_params() for name, cls in ALGORITHMS.items()},
    **{name: cls.params for name, cls in MEASURES.items()},
    **{name: (*data_set.params, SEED) for name, data_set in DATASETS.items()},
}


def another(param):
    """Return a value that is not the default."""
    if param.kind == "choice":
        return next(choice for choice in param.choices if choice != param.default)
    if param.kind == "bool":
        return not param.default
    low, high = param.low or 0, param.high if param.high is not None else 100
    return next(value for value in (low, high, (low + high) / 2) if value != param.default)


def said(measure):
    """Return all that stands on screen about a measure."""
    return measure.label, words.definition(measure)


@pytest.mark.parametrize("name", list(MEASURES))
def test_every_option_of_a_measure_is_said(name):
    cls = MEASURES[name]
    for param in cls.params:
        default, changed = cls(), cls(**{param.name: param.check(another(param))})
        assert said(changed) != said(default), f"{name}: nothing on screen tells {param.name}"
        assert param.name == "k" or param.name in words._OPTION_WORDS, f"{param.name} has no words"


@pytest.mark.parametrize("name", list(OWNERS))
def test_every_parameter_has_a_label(name):
    labels = [words.param_label(param) for param in OWNERS[name]]
    assert len(set(labels)) == len(labels), f"two fields of {name} have one label: {labels}"
    for param, label in zip(OWNERS[name], labels, strict=True):
        written = label in words._LABELS.values()
        assert written or all(len(word) > 1 for word in label.split()), f"{name}: {param.name} is “{label}”"
        assert param.help, f"{name}: {param.name} has no help"


@pytest.mark.parametrize("name", list(OWNERS))
def test_every_choice_has_a_label(name):
    for param in OWNERS[name]:
        if param.kind == "choice":
            labels = [words.choice_label(param, choice) for choice in param.choices]
            assert all(labels) and len(set(labels)) == len(labels), f"{name}: {param.name} {labels}"
