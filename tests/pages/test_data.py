"""Data: every figure is the core's; files that are brought in, good ones and others."""

from __future__ import annotations

import gzip
import io

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.data import describe, describe_features
from pages.ui.runs import uploads
from pages.ui.runs.services import services
from pages.ui.session import state
from pages.ui.tables import dataset as tables
from pages.ui.tables.dataset import Looked
from tests import malformed
from tests.dashboard import SMALL, open_app, settle, text_of


def bring(app, name, content):
    app.file_uploader(key="upload").upload(name, content).run()
    return settle(app)


def letor(n_queries=10, n_docs=6):
    rng = np.random.default_rng(1)
    lines = [
        f"{rng.integers(0, 3)} qid:{q} 1:{rng.random():.4f} 2:{rng.random():.4f} 3:1"
        for q in range(n_queries)
        for _ in range(n_docs)
    ]
    return "\r\n".join(lines).encode()


def test_figures_are_the_cores():
    app = open_app("data.cubic..cubic-n_queries.60..cubic-n_features.5..runs.none", page="data")
    assert not app.exception
    data = ltr.datasets.make("cubic", n_queries=60, n_features=5)
    parts = dict(zip(("train", "valid", "test"), ltr.split(data, (0.6, 0.2, 0.2)), strict=True))
    now = app.session_state["_screen"]
    dataset = Looked(now.entry, now.data, now.splits, True)
    for name, part in parts.items():
        told = describe(part)
        assert tables.told(dataset, name, describe) == told | {"name": now.splits[name].name}
        pd.testing.assert_frame_equal(tables.told(dataset, name, describe_features), describe_features(part))
        assert f"<td>{told['pairs']:,}</td>" in text_of(app)
    (table,) = [t.value for t in app.dataframe if "correlation" in t.value]
    assert list(table["correlation"]) == list(describe_features(parts["train"])["correlation"])


def test_looking_is_not_using():
    app = open_app(SMALL, page="data")
    assert app.button("use-data").disabled
    app.radio("pick-data_look").set_value("cubic").run()
    assert not app.exception and app.session_state["_screen"].entry.name == "tiny"
    app.number_input("make:cubic-n_queries").set_value(40).run()
    app.number_input("make:cubic-n_features").set_value(4).run()
    assert f"<td>{24 * 50:,}</td>" in text_of(app)
    app.button("use-data").click().run()
    settle(app)
    now = app.session_state["_screen"]
    assert now.entry.name == "cubic" and dict(now.data.size) == {"n_queries": 40, "n_features": 4}
    assert [line.status for line in now.runs] == ["done", "done"]
    assert app.session_state["cubic-n_queries"] == 40 == app.number_input("cubic-n_queries").value


def test_the_form_and_the_sidebar_follow_one_another():
    app = open_app("data.tiny..runs.none", page="data")
    app.number_input("make:tiny-noise").set_value(0.2).run()
    assert (
        app.number_input("tiny-noise").value == 0.2 == dict(app.session_state["_screen"].data.size)["noise"]
    )
    app.number_input("tiny-noise").set_value(0.1).run()
    assert app.number_input("make:tiny-noise").value == 0.1


def test_a_large_set_is_made_when_asked_for():
    app = open_app("data.tiny..runs.none..data_look.web2-like", page="data")
    assert not app.exception and {b.key for b in app.button} >= {"make-large"}


def test_a_feature_is_looked_at():
    app = open_app("data.tiny..runs.none", page="data")
    table = describe_features(ltr.split(ltr.datasets.make("tiny"), (0.6, 0.2, 0.2))[0])
    closest = table["feature"][table["correlation"].abs().idxmax()]
    assert app.selectbox("pick-data_feature").value == closest
    other = next(n for n in table["feature"] if n != closest)
    app.selectbox("pick-data_feature").select(other).run()
    assert not app.exception and app.session_state["data_feature"] == other


GOOD = {
    "mine.txt": letor(),
    "mine.txt.gz": gzip.compress(letor()),
    "mine.csv": b"grade,qid,a,b\n" + b"".join(b"%d,%d,%d,2\n" % (i % 3, i // 5, i) for i in range(50)),
    "mine.tsv": b"qid\tlabel\ta\n" + b"".join(b"q%d\t%d\t%d\n" % (i // 5, i % 2, i) for i in range(50)),
    "one each.txt": "\n".join(f"1 qid:{q} 1:{q}" for q in range(20)).encode(),
    "all zero.txt": "\n".join(f"0 qid:{q // 4} 1:{q}" for q in range(40)).encode(),
}


@pytest.mark.parametrize("name", list(GOOD))
def test_a_good_file_is_looked_at_and_used(name):
    app = open_app(SMALL, page="data")
    bring(app, name, GOOD[name])
    assert not app.exception and not app.error
    data = ltr.load(io.BytesIO(GOOD[name]), name=name)
    key = app.session_state["data_look"]
    assert key.startswith("upload/") and app.session_state["_screen"].entry.name == "tiny"
    train = ltr.split(data, (0.6, 0.2, 0.2))[0]
    assert f"<td>{train.n_docs:,}</td><td>" in text_of(app)
    app.button("use-data").click().run()
    settle(app)
    now = app.session_state["_screen"]
    assert not app.exception and now.entry.name == key and now.splits.train.fingerprint == train.fingerprint
    assert all(line.status in ("done", "failed") for line in now.runs)
    assert all(line.status == "done" or line.job.error.strip() for line in now.runs)
    assert state.key  # the session's folder is not the server's
    (path,) = app.session_state["_uploads"].values()
    assert path.exists() and ltr.__file__.partition("ltr_core")[0] not in str(path)


BAD = {name: case for name, case in list(malformed.LETOR.items())[:8]}


@pytest.mark.parametrize("name", list(BAD))
def test_a_bad_file_is_told_line_by_line(name):
    content, line, column, words = BAD[name]
    app = open_app(SMALL, page="data")
    before = [x.own for x in app.session_state["_screen"].runs]
    bring(app, "bad.txt", content)
    text = text_of(app)
    assert not app.exception and "bad.txt cannot be read" in text
    assert f"<td>{line}</td><td class='left'>{column}</td>" in text
    assert words.partition("“")[0].strip() in text
    assert "upload" not in "".join(map(str, app.session_state["_uploads"]))
    assert [x.own for x in app.session_state["_screen"].runs] == before
    assert str(uploads.tempfile.gettempdir()) not in text


@pytest.mark.parametrize(
    "name, content, words",
    [
        ("empty.txt", b"", "empty"),
        ("a.zip", malformed._zip(), "zip archive"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(50), "PNG picture"),
        ("sparse.txt", b"".join(b"1 qid:%d 99999:1\n" % (i // 9) for i in range(900)), "make a matrix"),
        ("bomb.csv.gz", gzip.compress(b"grade,qid,a\n" + b"1,1,1\n" * 99_999), "npacks to more than"),
        ("nan.csv", b"grade,qid,a\n1,1,\n0,1,2\n", "missing"),
    ],
)
def test_a_sentence_for_everything(name, content, words, monkeypatch):
    monkeypatch.setattr(uploads, "MAX_UNPACKED", 300_000)
    app = open_app("data.tiny..runs.none", page="data")
    bring(app, name, content)
    assert not app.exception and words in text_of(app) and "Traceback" not in text_of(app)


def test_missing_values_can_be_filled():
    rows = b"".join(b"%d,%d,%s\n" % (i % 3, i // 5, b"" if i == 7 else b"%d" % i) for i in range(50))
    app = open_app("data.tiny..runs.none", page="data")
    bring(app, "gaps.csv", b"grade,qid,a\n" + rows)
    assert "cannot be read" in text_of(app)
    app.selectbox("sent:missing").select("zero").run()
    assert not app.exception and app.session_state["data_look"].startswith("upload/")
    assert "cannot be read" not in text_of(app)


def test_a_link_to_an_upload_opened_elsewhere():
    app = open_app("data.upload_2F0123456789abcdef..r0.MPBoost.n_rounds.3")
    assert not app.exception and "somebody uploaded" in text_of(app)
    assert app.session_state["_screen"].splits is not None


def test_shuffled_rows_are_the_same_upload_but_for_their_order():
    lines = letor().split(b"\r\n")
    order = np.random.default_rng(0).permutation(len(lines))
    found = []
    for content in (b"\n".join(lines), b"\n".join(lines[i] for i in order)):
        app = open_app("data.tiny..runs.none", page="data")
        bring(app, "rows.txt", content)
        found.append(app.session_state["data_look"])
        assert not app.error
    assert found[0] != found[1]


def test_a_session_keeps_a_few_files():
    app = open_app("data.tiny..runs.none", page="data")
    for i in range(uploads.MOST + 2):
        bring(app, f"{i}.txt", letor(10 + i))
    assert len(app.session_state["_uploads"]) == uploads.MOST
    assert all(path.exists() for path in app.session_state["_uploads"].values())


@pytest.mark.parametrize(
    "name, safe",
    [("../../etc/passwd", "passwd"), ("a\\b c.txt", "b c.txt"), ("<x>.csv", "_x_.csv"), ("…", "_")],
)
def test_names_are_safe(name, safe):
    assert uploads.safe_name(name) == safe


def test_what_an_upload_took_is_given_back_with_its_session():
    app = open_app(f"{SMALL}..runs.none", page="data")
    bring(app, "mine.txt", letor())
    (key,) = app.session_state["_uploads"]
    app.button("use-data").click().run()
    spec = app.session_state["_screen"].data
    shared, folder = services(), app.session_state["_upload_folder"]
    assert spec.name == f"upload/{key}" and shared.peek(spec) and folder.path.is_dir()
    shared.memo.put(("data", spec, "train"), 1)
    shared.memo.put(("opened", str(folder.path / "opened" / "a.jsonl"), 1), 1)
    folder.delete()
    assert not shared.peek(spec) and not folder.path.exists()
    assert shared.memo.get(("data", spec, "train")) is None
    assert shared.memo.get(("opened", str(folder.path / "opened" / "a.jsonl"), 1)) is None
