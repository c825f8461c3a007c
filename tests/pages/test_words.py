"""Words: whatever the registries hold has a name that a person reads, and nothing is left out in silence."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest

import ltr_core as ltr
from ltr_core import ALGORITHMS, MEASURES
from ltr_core.data import report
from ltr_core.datasets import DATASETS
from ltr_core.datasets.parts.base import SEED
from pages.ui.runs.specs import recipe_of
from pages.ui.style import words
from pages.ui.style.sentences import on_screen
from tests.live import ROOT

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


def test_a_name_is_what_differs_and_no_more():
    def names(*recipes):
        return words.run_names([recipe_of(algorithm, values) for algorithm, values in recipes])

    assert names(("FRank", {"n_rounds": 40})) == ["FRank 40 rounds"]  # alone: what is not usual
    assert names(("FRank", {"n_rounds": 40}), ("RankSVM", {})) == ["FRank", "RankSVM"]
    assert names(("MPBoost", {"ddf": "ldd"}), ("MPBoost", {"ddf": "binary"})) == ["LDD", "BINARY"]
    mixed = names(("MPBoost", {"lam": 1.0}), ("MPBoost", {"lam": 2.0}), ("RankSVM", {"C": 2.0}))
    assert mixed == ["MPBoost λ 1", "MPBoost λ 2", "RankSVM"]


def test_one_scale_of_p_gives_the_words_everywhere():
    scale = {"hardly chance": (0.0001, 0.009), "probably not chance": (0.01, 0.049)}
    scale |= {"could still be chance": (0.05, 0.099), "may well be chance": (0.1, 1.0)}
    said = {p: text for text, values in scale.items() for p in values}
    assert {p: words.chance(p) for p in said} == said
    for p, text in said.items():
        sentence = words.verdict(p, 120)
        assert text.removeprefix("hardly ").removeprefix("probably ") in sentence
        assert ("is " + text in sentence) == text.startswith(("hardly", "probably"))
    written = [path for path in (ROOT / "pages").rglob("*.py") if "not chance" in path.read_text("utf-8")]
    assert [path.name for path in written] == ["words.py"]


def test_what_the_library_says_in_python_is_said_of_controls():
    """The readers' sentences, for the page: every way in which a gap is told."""
    for name, content in (
        ("a.csv", b"grade,qid,a\n1,1,\n0,1,2\n"),
        ("a.txt", b"1 qid:1 1:nan\n0 qid:1 1:2\n"),
    ):
        (problem, *_) = report(io.BytesIO(content), name=name)
        assert "missing=" in problem.sentence
        said = on_screen(problem.sentence)
        assert "missing=" not in said and "“missing values”" in said, said


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda: recipe_of("MPBoost", {"n_rounds": 200_000}),
            "MPBoost: rounds = 200,000 cannot be used. Take a whole number from 1 to 100,000.",
        ),
        (lambda: recipe_of("MPBoost", {"lam": -0.5}), "MPBoost: λ = −0.5 cannot be used. Take a number from"),
        (
            lambda: ltr.err([3, 1], [0.2, 0.1], [1, 1], max_grade=2),
            "ERR: highest grade = 2, and the data have grade 3. Take at least that.",
        ),
        (
            lambda: ltr.datasets.make("tiny-web", n_docs=80, n_pages=60),
            "tiny-web: documents = 80 with pages = 60. Take at most as many documents as pages.",
        ),
        (
            lambda: ltr.split(ltr.RankingData([[1.0], [2.0]], [0, 1], [7, 7]), (0.6, 0.2, 0.2)),
            "1 query cannot be split into 3 parts. Training, validation and test need one each: add queries.",
        ),
        (lambda: ltr.distance("table", 1.0), "needs a table: write it under “distance table”, one row"),
        (
            lambda: ltr.distance("ldd", 1.0, alpha=-1),
            "α = −1 cannot be used. Take a number above 0, or nothing to have it calibrated.",
        ),
    ],
)
def test_what_the_library_says_of_a_parameter_is_said_of_its_field(ask, said):
    with pytest.raises((ltr.DataError, ltr.ParameterError)) as caught:
        ask()
    assert said in on_screen(caught.value)


@pytest.mark.parametrize("name", list(OWNERS))
def test_a_value_that_is_refused_is_said_of_its_field(name):
    """By its label, for any parameter; the name of a file or a column stays what it is."""
    for param in OWNERS[name]:
        with suppress(ltr.ParameterError):
            param.check([])
            continue
        told = on_screen(ltr.ParameterError(f"{name}: {param.name} = {param.default!r} cannot be used."))
        assert told.startswith(f"{name}: {words.param_label(param)} = "), told
    quoted = "n_docs.csv, line 2, column “n_docs”: the grade is missing."
    assert on_screen(quoted) == quoted


def test_a_page_says_what_the_library_says_through_one_function():
    files = [
        path for path in (ROOT / "pages" / "ui").rglob("*.py") if path.parent.name != "workers"
    ]  # they hand sentences on
    raw = [f"{path.parent.name}/{path.name}" for path in files if "str(error)" in path.read_text("utf-8")]
    assert raw == ["runs/uploads.py"]  # whose sentences `problems` turns with the readers' own


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
