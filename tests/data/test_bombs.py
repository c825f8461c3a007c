"""Small files that are large inside, and damage that hides: a sentence while there is memory and time."""

from __future__ import annotations

import bz2
import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import ltr_core as ltr
from ltr_core.data import has_checksum
from ltr_core.data.reading import sources, table_parquet, table_text

LINE = b"1 qid:1 1:1\n"
PACK = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": lambda content: pa.compress(content, "zstd", asbytes=True),
}
packed = pytest.mark.parametrize("suffix", PACK)


@packed
@pytest.mark.parametrize(
    "name, content",
    [
        ("x.txt", LINE * 200_000),
        ("x.txt", LINE + b"\n" * 3_000_000),
        ("x.txt", LINE + b"#" * 3_000_000),
        ("x.csv", b"grade,qid,a\n" + b"1,1,1\n" * 400_000),
        ("x.csv", b"grade,qid,a\n1,1,1\n" + b"\n" * 3_000_000),
        ("x.parquet", b"PAR1" + bytes(3_000_000)),
    ],
    ids=["LETOR", "blank lines", "a comment", "table", "blank rows", "zeros"],
)
def test_what_unpacks_to_a_hundred_times_its_size_is_refused(suffix, name, content, monkeypatch):
    small = PACK[suffix](content)
    assert 100 * len(small) < len(content)
    monkeypatch.setattr(sources, "_MOST_UNPACKED", 2 << 20)
    with pytest.raises(
        ltr.DataError, match="unpacks to more than 2 MB and 100 times its size. Unpack it yourself"
    ):
        ltr.load(small, name=name + suffix)


@packed
def test_what_packs_well_and_is_no_bomb_is_taken(suffix, monkeypatch):
    monkeypatch.setattr(sources, "_MOST_UNPACKED", 1 << 10)
    lines = b"".join(b"%d qid:%d 1:%d\n" % (i % 3, i // 7, i * i) for i in range(5000))
    assert ltr.load(PACK[suffix](lines), name=f"x.txt{suffix}").n_docs == 5000


# Streams behind one another ---------------------------------------------------------------------------------


@packed
def test_two_streams_are_one_file(suffix):
    assert ltr.load(PACK[suffix](LINE) + PACK[suffix](LINE * 2), name=f"x.txt{suffix}").n_docs == 3


@packed
def test_damage_in_a_second_stream_is_told(suffix):
    one = PACK[suffix](LINE * 1000)
    whole = one + one
    inside = {4, 12} if suffix == ".bz2" else set()  # elsewhere a byte of a head may be anything
    for at in (len(one) + place for place in {0, 1, *inside}):
        hurt = bytearray(whole)
        hurt[at] ^= 0x55
        hurt[at + 1] ^= 0x55
        with pytest.raises(ltr.DataError, match=r"damaged|too early"):
            ltr.load(bytes(hurt), name=f"x.txt{suffix}")
    for end in (*(len(one) + n for n in (1, 2, 3, 10, 15)), len(whole) - 3):
        with pytest.raises(ltr.DataError, match=r"damaged|too early"):
            ltr.load(whole[:end], name=f"x.txt{suffix}")


def test_a_zstd_file_without_a_checksum_says_so(tmp_path, capsys):
    from ltr_core.cli import main

    path = tmp_path / "x.txt.zst"
    path.write_bytes(PACK[".zst"](LINE))
    assert not has_checksum(path)
    assert main(["check", str(path)]) == 0
    assert "none: damage inside need not show" in capsys.readouterr().out
    path.write_bytes(path.read_bytes()[:4] + bytes([path.read_bytes()[4] | 4]))
    assert has_checksum(path)
    plain = tmp_path / "x.txt"
    plain.write_bytes(LINE)
    assert main(["check", str(plain)]) == 0
    assert "damage inside" not in capsys.readouterr().out


# Tables that are not in order -------------------------------------------------------------------------------


def table(n_rows: int, odd: dict[int, bytes]) -> bytes:
    rows = [odd.get(i, b"%d,%d,%d" % (i % 3, i // 10, i)) for i in range(n_rows)]
    return b"grade,qid,a\n" + b"\n".join(rows) + b"\n"


@pytest.fixture
def small_limits(monkeypatch):
    monkeypatch.setattr(table_text, "_SLOW_BYTES", 5_000)
    monkeypatch.setattr(table_text, "_BLOCK_BYTES", 700)


@pytest.mark.parametrize("row", [0, 1, 60, 1500, 1999])
def test_the_line_of_a_large_tables_problem_is_found_without_reading_all(row, small_limits, monkeypatch):
    looked = []
    slowly = table_text._look_slowly
    monkeypatch.setattr(table_text, "_look_slowly", lambda *given: looked.append(1) or slowly(*given))
    with pytest.raises(ltr.DataError, match=f"line {row + 2}, column “a”: “x” is not a number"):
        ltr.load(table(2000, {row: b"1,1,x"}), name="x.csv")
    assert looked == [1]


def test_several_problems_of_a_large_table_are_reported(small_limits):
    from ltr_core.data import report

    found = report(table(2000, {3: b"1,1,x", 1800: b"y,1,1"}), name="x.csv")
    assert [problem.line for problem in found][:2] == [5, 1802]


def test_a_large_table_that_only_a_slow_look_can_read_is_refused(small_limits):
    for grade in (b"1", b'"1"'):  # nAn is a missing value of which the fast reader knows nothing
        few, many = (table(n, dict.fromkeys(range(n), grade + b",1,nAn")) for n in (20, 2000))
        assert not ltr.load(few, name="x.csv", missing="zero").X.any()
        with pytest.raises(ltr.DataError, match="cell by cell. Write plain numbers"):
            ltr.load(many, name="x.csv", missing="zero")


def test_a_table_with_too_many_cells_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(table_text, "_read_slowly", None)
    with pytest.raises(ltr.DataError, match="2,000 documents"):
        ltr.load(table(2000, {}), name="x.csv", max_cells=1000)


# Parquet ----------------------------------------------------------------------------------------------------


def parquet(columns: dict, **how) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), out, **how)
    return out.getvalue()


def columns_of(n: int, **more) -> dict:
    return {"grade": np.arange(n) % 3, "qid": np.arange(n) // 5, "a": np.arange(n) / 7, **more}


@pytest.fixture
def spare(monkeypatch):
    monkeypatch.setattr(table_parquet, "_SPARE_BYTES", 1 << 20)


def test_a_long_text_in_each_of_many_rows_is_refused(spare):
    """A few kB that would be 100 MB: the text is in the file once. Query ids are kept once in memory, too."""
    long = pa.array(["x" * 50_000] * 2000).dictionary_encode()
    content = parquet(columns_of(2000, docid=long))
    assert len(content) < 100_000
    with pytest.raises(ltr.DataError, match="column “docid”: the ids of all rows take .* MB. Write shorter"):
        ltr.load(content, name="x.parquet")
    ids = ltr.load(parquet(columns_of(2000, qid=long)), name="x.parquet").qid
    assert len({id(text) for text in ids}) == 1 and ids[0] == "x" * 50_000


@pytest.mark.parametrize("role", ["docid", "qid", "a"])
def test_a_page_that_unpacks_to_far_more_than_its_rows_is_refused(role, spare):
    text = pa.array(["x" * 1_000_000 + str(i) for i in range(20)])
    content = parquet(columns_of(20, **{role: text}), compression="zstd")
    assert len(content) < 100_000
    with pytest.raises(ltr.DataError, match=f"column “{role}”: the column unpacks to .* MB for 20 rows"):
        ltr.load(content, name="x.parquet")


def test_a_column_that_is_left_out_is_not_read(spare):
    text = pa.array(["x" * 1_000_000 + str(i) for i in range(20)])
    content = parquet(columns_of(20, title=text), compression="zstd")
    assert ltr.load(content, name="x.parquet", ignore=["title"]).n_docs == 20


def test_repeated_ids_are_what_they_were():
    ids = np.array([f"q{i // 5}" for i in range(40)])
    docs = np.array([f"d{i % 4}" for i in range(40)])
    plain = ltr.load(parquet(columns_of(40, qid=ids, docid=docs), use_dictionary=False), name="x.parquet")
    for how in ({}, {"row_group_size": 7}, {"row_group_size": 7, "use_dictionary": False}):
        for kept in (ids, pa.array(ids).dictionary_encode()):
            same = ltr.load(parquet(columns_of(40, qid=kept, docid=docs), **how), name="x.parquet")
            assert list(same.qid) == list(plain.qid) == list(ids)
            assert list(same.doc_ids) == list(docs) and np.array_equal(same.X, plain.X)
    numbers = pa.array([str(i // 5) for i in range(40)]).dictionary_encode()
    assert ltr.load(parquet(columns_of(40, qid=numbers)), name="x.parquet").qid.dtype == np.int64
    missing = pa.array([None, *ids[1:]]).dictionary_encode()
    with pytest.raises(ltr.DataError, match="row 1: the query id is missing"):
        ltr.load(parquet(columns_of(40, qid=missing)), name="x.parquet")


def test_a_name_that_is_not_utf8_is_a_sentence():
    content = parquet(columns_of(5, wwwww=np.ones(5)), store_schema=False)
    with pytest.raises(ltr.DataError, match="the name of a column is not UTF-8. Name it anew"):
        ltr.load(content.replace(b"wwwww", b"ww\xff\xfew"), name="x.parquet")


# Grades -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grade", ["1e-320", "1e-301"])
def test_grades_whose_squares_are_no_numbers_are_a_sentence(grade):
    told = rf"the grade of document 2 is {float(grade):g}. Give grades that are 0 or of at least 1e-300"
    letor = f"0 qid:1 1:1\n{grade} qid:1 1:2\n".encode()
    rows = f"grade,qid,a\n0,1,1\n{grade},1,2\n".encode()
    columns = parquet({"grade": [0.0, float(grade)], "qid": [1, 1], "a": [1.0, 2.0]})
    for content, name in ((letor, "x.txt"), (rows, "x.csv"), (columns, "x.parquet")):
        with pytest.raises(ltr.DataError, match=f"{name}: .*{told}"):
            ltr.load(content, name=name)
    with pytest.raises(ltr.DataError, match=told):
        ltr.RankingData([[1.0], [2.0]], [0.0, float(grade)], [1, 1])
