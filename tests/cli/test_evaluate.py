"""``python -m ltr_core evaluate`` and ``compare``: the same numbers as in Python, from models and scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from tests.command import CUBIC, Command

TRAIN, VALID, TEST = ltr.load_folds(CUBIC, only=1)[0]
ONE = ("--data", CUBIC, "--fold", 1)


@pytest.fixture
def command(capsys):
    return Command(capsys)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with two models, the test data as a file with its queries in pieces, and scores for it."""
    folder = tmp_path_factory.mktemp("made")
    ltr.MPBoost(n_rounds=8).fit(TRAIN, eval_set={"valid": VALID}).save(folder / "a.json")
    ltr.RankBoost(n_rounds=8).fit(TRAIN).save(folder / "b.json")
    rows = np.random.default_rng(0).permutation(TEST.n_docs)
    lines = [
        f"{TEST.y[row]:g} qid:{TEST.qid[row]} " + " ".join(f"{k}:{v}" for k, v in enumerate(TEST.X[row], 1))
        for row in rows
    ]
    (folder / "test.txt").write_text("\n".join(lines) + "\n")
    np.savetxt(folder / "scores.txt", TEST.X[rows, 0])
    return folder


def test_a_table_of_measures(command, made):
    found = command.json("evaluate", made / "a.json", *ONE, "--measure", "NDCG@3,map", "--measure", "p@5")
    wanted = ltr.evaluate(ltr.load_model(made / "a.json"), TEST, ["ndcg@3", "map", "p@5"]).attrs["mean"]
    assert found["values"] == wanted and found["queries"] == TEST.n_queries
    assert found["measures"]["map"] == ltr.measure("map").describe()
    text = command("evaluate", made / "a.json", *ONE)
    assert f"{ltr.ndcg(TEST.y, ltr.load_model(made / 'a.json').predict(TEST), TEST.qid, k=10):.6f}" in text


@pytest.mark.parametrize("name", ltr.ALGORITHMS)
def test_every_algorithm_is_trained_kept_and_measured(command, tmp_path, name):
    cls, out = ltr.ALGORITHMS[name], tmp_path / "m.json"
    if not cls.available():
        assert cls.install in command.refused("train", name, *ONE)
        return
    rounds = [f"--{cls.rounds_param}", 3] if cls.rounds_param else []
    trained = command.json("train", name, *ONE, *rounds, "--measure", "ndcg@10,map", "--out", out)
    found = command.json("evaluate", out, *ONE, "--measure", "ndcg@10,map")
    assert found["values"] == {m: trained["values"]["test"][m] for m in ("ndcg@10", "map")}


def test_parts_and_iterations(command, made):
    model = ltr.load_model(made / "a.json")
    for part, data in (("train", TRAIN), ("valid", VALID)):
        found = command.json("evaluate", made / "a.json", *ONE, "--part", part, "--iteration", 3)
        scores = model.predict(data, iteration=3)
        assert found["values"]["map"] == ltr.average_precision(data.y, scores, data.qid)
    found = command.json("evaluate", made / "a.json", *ONE, "--part", "valid", "--iteration", "best")
    values = model.history_.query("split == 'valid' and measure == 'ndcg@10'")["value"]
    assert found["values"]["ndcg@10"] == values.max()


def test_definitions(command, made):
    words = ("--convention", "letor", "--relevant", 2, "--measure", "map,ndcg@5")
    found = command.json("evaluate", made / "a.json", *ONE, *words)
    scores = ltr.load_model(made / "a.json").predict(TEST)
    wanted = ltr.evaluate(scores, TEST, ["map", "ndcg@5"], convention="letor", relevant=2.0).attrs["mean"]
    assert found["values"] == wanted != ltr.evaluate(scores, TEST, ["map", "ndcg@5"]).attrs["mean"]


def test_a_file_of_scores_is_in_the_order_of_the_data_file(command, made):
    found = command.json("evaluate", made / "scores.txt", "--data", made / "test.txt", "--measure", "ndcg@10")
    assert found["values"]["ndcg@10"] == pytest.approx(ltr.ndcg(TEST.y, TEST.X[:, 0], TEST.qid, k=10))


def test_scores_that_are_written_are_read_back(command, made, tmp_path):
    out = tmp_path / "s.txt"
    model = command.json("evaluate", made / "a.json", "--data", made / "test.txt", "--scores", out)
    scores = command.json("evaluate", out, "--data", made / "test.txt")
    assert model["values"] == scores["values"]


def test_values_by_query(command, made, tmp_path):
    out = tmp_path / "q.csv"
    command("evaluate", made / "a.json", *ONE, "--measure", "ndcg@2,err", "--per-query", out)
    table = pd.read_csv(out, index_col="query")
    wanted = ltr.evaluate(ltr.load_model(made / "a.json"), TEST, ["ndcg@2", "err"])
    pd.testing.assert_frame_equal(table, wanted, check_exact=True)


def test_a_trec_run(command, made, tmp_path):
    out = tmp_path / "run.txt"
    command("evaluate", made / "a.json", "--data", made / "test.txt", "--run", out)
    data = ltr.load(made / "test.txt")
    scores = dict(
        zip(
            (f"row{row + 1}" for row in range(data.n_docs)),
            ltr.load_model(made / "a.json").predict(data),
            strict=True,
        )
    )
    run = [line.split(" ") for line in out.read_text().splitlines()]
    assert len(run) == data.n_docs and {len(line) for line in run} == {6}
    assert {line[5] for line in run} == {"MPBoost"} and {line[1] for line in run} == {"Q0"}
    written = {line[2]: float(line[4]) for line in run}
    np.testing.assert_allclose([written[doc] for doc in scores], list(scores.values()), rtol=1e-5)
    for query in data.query_ids:
        own = [line for line in run if line[0] == str(query)]
        assert [int(line[3]) for line in own] == list(range(1, len(own) + 1))
        for above, below in zip(own, own[1:], strict=False):
            assert np.float32(above[4]) > np.float32(below[4]), "trec_eval reads them so"
            if scores[above[2]] == scores[below[2]]:
                assert int(above[2][3:]) < int(below[2][3:]), "equal scores stay in file order"


def test_a_trec_run_with_names(command, tmp_path):
    data, scores, out = tmp_path / "x.csv", tmp_path / "my scores.txt", tmp_path / "run.txt"
    data.write_text("grade,qid,docid,a\n1,7 b,doc a,1\n0,7 b,b,2\n")
    scores.write_text("0.5\n1e-3\n")
    command("evaluate", scores, "--data", data, "--run", out)
    assert out.read_text() == "7_b Q0 doc_a 1 0.5 my_scores\n7_b Q0 b 2 0.001 my_scores\n"


def test_sparse_data_that_do_not_mention_the_last_features(command, made, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("1 qid:1 2:0.5\n0 qid:1 1:0.5\n")
    found = command.json("evaluate", made / "a.json", "--data", path, "--measure", "ndcg@1")
    X = np.zeros((2, TRAIN.n_features), dtype=np.float32)
    X[0, 1] = X[1, 0] = 0.5
    scores = ltr.load_model(made / "a.json").predict(X)
    assert found["values"]["ndcg@1"] == ltr.ndcg([1, 0], scores, [1, 1], k=1)


def test_columns_of_a_table_are_found_by_name(command, made, tmp_path):
    names = ["b", "a"]
    rows = ltr.RankingData(TRAIN.X[:, :2], TRAIN.y, TRAIN.qid, feature_names=names)
    turned = ltr.RankingData(TEST.X[:, 1::-1], TEST.y, TEST.qid, feature_names=names[::-1])
    model = ltr.RankBoost(n_rounds=5).fit(rows)
    model.save(tmp_path / "m.json")
    ltr.save(turned, tmp_path / "x.csv")
    found = command.json("evaluate", tmp_path / "m.json", "--data", tmp_path / "x.csv", "--measure", "map")
    scores = model.predict(TEST.X[:, :2])
    assert found["values"]["map"] == ltr.average_precision(TEST.y, scores, TEST.qid)
    assert scores.tolist() != model.predict(turned.X).tolist()


def test_a_measure_that_is_nowhere_defined_is_null(command, tmp_path):
    data, scores = tmp_path / "x.txt", tmp_path / "s.txt"
    data.write_text("1 qid:1 1:1\n1 qid:1 1:2\n")
    scores.write_text("1\n2\n")
    assert command.json("evaluate", scores, "--data", data, "--measure", "tau")["values"] == {"tau": None}


# Compare ----------------------------------------------------------------------------------------------------


def test_compare(command, made, tmp_path):
    csv = tmp_path / "c.csv"
    words = ("new=" + str(made / "a.json"), made / "b.json", made / "scores.txt", "--data", made / "test.txt")
    found = command.json("compare", *words, "--measure", "map", "--baseline", "b", "--csv", csv)
    systems = {
        "new": ltr.load_model(made / "a.json"),
        "b": ltr.load_model(made / "b.json"),
        "scores": made / "scores.txt",
    }
    wanted = ltr.compare(systems, ltr.load(made / "test.txt"), "map", baseline="b")
    assert found["systems"] == wanted.reset_index().to_dict("records")
    written = pd.read_csv(csv, index_col="system")
    pd.testing.assert_frame_equal(written, pd.DataFrame(wanted), check_exact=True)
    text = command("compare", *words, "--measure", "map", "--baseline", "b")
    for row in wanted.itertuples():
        assert f"{row.mean:.6f}" in text and f"{row.difference:.6f}" in text and row.sentence + "." in text


def test_systems_of_one_name_are_called_by_their_paths(command, made, tmp_path):
    (tmp_path / "a.json").write_bytes((made / "b.json").read_bytes())
    found = command.json("compare", made / "a.json", tmp_path / "a.json", *ONE)
    assert found["baseline"] == str(made / "a.json")
    assert [row["system"] for row in found["systems"]] == [str(tmp_path / "a.json")]


@pytest.mark.parametrize(
    "words, said",
    [
        (["evaluate", "none.json", *ONE], "none.json: the file cannot be read (No such file"),
        (["evaluate", ".", *ONE], "cannot be read"),
        (["evaluate", "A", "--data", "tiny"], "3 features, the model was trained on 10"),
        (
            ["evaluate", "A", "--data", "cubic", "--set", "n_features=5"],
            "5 features, the model was trained on 10",
        ),
        (["evaluate", "A", *ONE, "--iteration", "9"], "iteration"),
        (["evaluate", "A", *ONE, "--iteration", "first"], "--iteration first"),
        (["evaluate", "A", *ONE, "--measure", "map,map"], "asked for twice"),
        (["evaluate", "A", *ONE, "--measure", "map", "--gain", "grade"], "'gain'"),
        (["evaluate", "A", "--data", "tiny", "--part", "test"], "not cut into parts"),
        (["evaluate", "A", "--data", "cubic", "--split", "0.5,0.5"], "no test part"),
        (["evaluate", "A", *ONE, "--run", "no/such/run.txt"], "no such folder"),
        (["evaluate", "S", *ONE, "--part", "train"], "scores.txt: 300 scores for 900 documents"),
        (["evaluate", "BAD", *ONE], "line 2"),
        (["evaluate", "JSON", *ONE], "model"),
        (["compare", "A", *ONE], "two files at least"),
        (["compare", "A", "B", *ONE, "--baseline", "c"], "baseline = 'c' is none of the systems"),
        (["compare", "A", "B", *ONE, "--measure", "map,err"], "one measure at a time"),
        (["compare", "x=A", "x=B", *ONE], "called 'x'"),
    ],
    ids=lambda value: " ".join(map(str, value)).replace(CUBIC, "…")[:60] if isinstance(value, list) else "",
)
def test_a_sentence_for_what_cannot_be_used(command, made, tmp_path, words, said):
    (tmp_path / "bad.txt").write_text("1\nx\n")
    (tmp_path / "bad.json").write_text('{"format": "another"}')
    files = {"A": made / "a.json", "B": made / "b.json", "S": made / "scores.txt"}
    files |= {"BAD": tmp_path / "bad.txt", "JSON": tmp_path / "bad.json"}
    files |= {f"x={name}": f"x={path}" for name, path in list(files.items())}
    assert said in command.refused(*(files.get(word, word) for word in words))
