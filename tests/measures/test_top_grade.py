"""ERR takes the highest grade of the scale where the data tell it, in every part and on every way."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.data.set.ordering import by_content
from ltr_core.sweeps.running.workers import pack, unpack
from pages.ui.workers.passing import hand_over, receive


def letor(n_features, grades):
    """Return LETOR text, a document of each grade, with features numbered from 1."""
    line = " ".join(f"{k + 1}:{k % 7}" for k in range(n_features))
    return "".join(f"{grade} qid:1 {line}\n" for grade in grades).encode()


@pytest.mark.parametrize(
    "n_features, grades, top",
    [(46, (0, 1), 2.0), (136, (0, 1, 2), 4.0), (136, (0, 5), None), (46, (0, 0.5), None), (7, (0, 1), None)],
)
def test_text_in_a_known_collections_shape_has_its_scale(n_features, grades, top):
    data = ltr.load(letor(n_features, grades), name="part.txt")
    assert data.top_grade == top
    scores, largest = np.arange(len(grades))[::-1], max(grades)
    found = ltr.evaluate(scores, data, "err").attrs["mean"]["err"]
    assert found == pytest.approx(ltr.err(data.y, scores, data.qid, max_grade=top or largest))
    given = ltr.evaluate(scores, data, "err", max_grade=6).attrs["mean"]["err"]
    assert given == pytest.approx(ltr.err(data.y, scores, data.qid, max_grade=6)) != found


def test_arrays_and_tables_have_none():
    data = ltr.load(letor(46, (0, 1)), name="part.txt")
    assert ltr.RankingData(data.X, data.y, data.qid).top_grade is None
    assert ltr.RankingData.from_frame(data.to_frame()).top_grade is None


@pytest.mark.parametrize("name", ltr.datasets.DATASETS)
def test_generated_sets_know_their_scale(name):
    entry = ltr.datasets.DATASETS[name]
    data = entry.make(1)
    assert data.top_grade is None or data.y.max() == data.top_grade
    assert (data.top_grade is None) == (name == "mq2008-list-like"), "a full order is no scale"


def test_the_number_of_grades_says_it():
    assert ltr.datasets.make("cubic", n_queries=20, n_grades=3).top_grade == 2.0


def test_it_goes_with_the_data(tmp_path, monkeypatch):
    data = ltr.datasets.make("cubic", n_queries=12, n_docs=6, n_features=3)
    low = data.select(np.flatnonzero(np.maximum.reduceat(data.y, data.offsets[:-1]) < 4.0))
    assert low.n_queries and low.y.max() < 4.0
    shuffled = ltr.RankingData(low.X[::-1], low.y[::-1], low.qid[::-1])
    shuffled.top_grade = 4.0
    monkeypatch.setattr("pages.ui.workers.passing.scratch", lambda: tmp_path)
    ways = {
        "parts": ltr.split(low, (0.5, 0.5), seed=0)[0],
        "other features": low.with_features(low.X[:, :2]),
        "other names": low.with_names(["a", "b", "c"]),
        "rows in order": by_content(shuffled),
        "as a part": low.as_part(),
        "pickled": pickle.loads(pickle.dumps(low)),
        "to a worker of a sweep": unpack(pack(low)),
        "to a worker of the dashboard": receive(hand_over((low,), 1))[0],
    }
    assert {way: other.top_grade for way, other in ways.items()} == dict.fromkeys(ways, 4.0)


def test_histories_and_comparisons_take_it():
    train, valid = ltr.split(ltr.datasets.make("cubic", n_queries=20, n_docs=6), (0.5, 0.5), seed=0)
    valid = valid.select(np.flatnonzero(np.maximum.reduceat(valid.y, valid.offsets[:-1]) < 4.0))
    assert valid.n_queries and valid.y.max() < 4.0
    model = ltr.GBT(n_trees=2).fit(train, eval_set={"valid": valid}, measures=("err",))
    history = model.history_.query("split == 'valid' and measure == 'err' and iteration == 2")
    scores = model.predict(valid)
    assert history["value"].item() == pytest.approx(ltr.err(valid.y, scores, valid.qid, max_grade=4))
    told = ltr.compare({"A": scores, "B": -scores}, valid, "err")
    assert told["baseline_mean"].item() == pytest.approx(history["value"].item())
    assert "top grade: 4" in told["sentence"].item()
