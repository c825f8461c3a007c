"""Files that a fuzzer found: damage that shows late, blanks that are none, numbers that count nothing."""

from __future__ import annotations

import io
import json

import pyarrow as pa
import pyarrow.parquet
import pytest

import ltr_core as ltr


@pytest.mark.parametrize("suffix, between", [(".csv", ","), (".tsv", "\t")])
def test_only_blanks_and_tabs_stand_around_a_number(suffix, between):
    def table(value: str) -> io.BytesIO:
        rows = [["grade", "qid", "docid", "a"], ["1", "1", '"x y"', value], ["0", "1", "z", "2"]]
        return io.BytesIO("\n".join(between.join(row) for row in rows).encode())

    assert ltr.load(table(" 1 "), name=f"x{suffix}").X[0, 0] == 1
    with pytest.raises(ltr.DataError, match="is not a number"):
        ltr.load(table("1\x1d"), name=f"x{suffix}")


def test_damage_that_shows_in_a_column_is_told(monkeypatch):
    out = io.BytesIO()
    names = pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int8()), pa.array([1.0, 2.0]), safe=False)
    pyarrow.parquet.write_table(pa.table({"grade": [1, 0], "qid": [1, 1], "a": [0.5, 1.0]}), out)
    table = pa.table({"grade": [1, 0], "qid": [1, 1], "a": names})
    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "read", lambda _, columns, **__: table.select(columns))
    with pytest.raises(ltr.DataError, match="the Parquet file is damaged"):
        ltr.load(io.BytesIO(out.getvalue()), name="x.parquet")


@pytest.mark.parametrize("place, value", [("value", float("inf")), ("iteration", 10**40), ("iteration", -1)])
def test_a_models_history_is_of_finite_numbers(tmp_path, place, value):
    path = tmp_path / "m.json"
    data = ltr.RankingData([[0.0], [1.0], [2.0]], [0, 1, 2], [1, 1, 1])
    ltr.MPBoost(n_rounds=1).fit(data).save(path)
    told = json.loads(path.read_text())
    told["history"][place][0] = value
    path.write_text(json.dumps(told))
    with pytest.raises(ltr.DataError, match="its history is not a table"):
        ltr.load_model(path)


@pytest.mark.parametrize("name, value", [("point", 10**40), ("point", -1), ("fold", 0.5), ("seed", True)])
def test_a_sweeps_numbers_count(tmp_path, name, value):
    path = tmp_path / "s.jsonl"
    data = ltr.RankingData(
        [[float(i)] for i in range(30)], [i % 3 for i in range(30)], [i // 5 for i in range(30)]
    )
    parts = ltr.split(data, (0.5, 0.25, 0.25), seed=0)
    ltr.sweep("MPBoost", {"lam": [0.5, 1.0]}, parts, fixed={"n_rounds": 1, "ddf": "logdd"}, store=path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    at = next(i for i, line in enumerate(lines) if name in line and i)
    lines[at][name] = value
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(ltr.DataError, match="is no count") as caught:
        ltr.load_sweep(path)
    assert caught.value.line == at + 1
