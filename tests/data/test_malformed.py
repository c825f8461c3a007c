"""Malformed files: each gives one sentence with file, line and column, and what to do."""

import gzip

import pytest

import ltr_core as ltr
from ltr_core.data import report
from ltr_core.data.reading import letor
from tests import malformed

CASES = list(malformed.all_files())


@pytest.mark.parametrize(
    ("file", "content", "line", "column", "words"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_each_is_said_with_its_place(tmp_path, file, content, line, column, words):
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(ltr.DataError) as caught:
        ltr.load(path)
    error = caught.value
    assert words in str(error)
    assert error.file == str(path) and str(error).startswith(str(path))
    assert error.todo and str(error).endswith(".") and "\n" not in str(error)
    assert error.line == line if line != -1 else error.line >= 1
    assert column is None or error.column == column
    # The same for an upload, under the name it has there.
    with pytest.raises(ltr.DataError) as caught:
        ltr.load(content, name=file)
    assert (caught.value.line, caught.value.column, caught.value.file) == (error.line, error.column, file)
    # And in the report, whose first problem it is.
    found = report(path)
    assert (found[0].line, found[0].column, found[0].sentence) == (error.line, error.column, str(error))


def test_truncation_is_told_near_the_line_it_happens_on():
    raw = b"".join(b"1 qid:%d 1:%d\n" % (i, i * i % 1009) for i in range(200_000))
    packed = gzip.compress(raw)
    with pytest.raises(ltr.DataError, match="ends too early") as caught:
        ltr.load(packed[: len(packed) * 3 // 4], name="x.txt.gz")
    assert 100_000 < caught.value.line < 200_000


def test_what_is_wrong_before_a_truncation_is_told_first():
    raw = b"1 qid:1 1:x\n" + b"1 qid:1 1:1\n" * 500_000
    with pytest.raises(ltr.DataError, match="“x”"):
        ltr.load(gzip.compress(raw)[:-4], name="x.txt.gz")


def test_folders_and_files_that_are_not_there(tmp_path):
    with pytest.raises(ltr.DataError, match="folder.*load_folds"):
        ltr.load(tmp_path)
    with pytest.raises(ltr.DataError, match="no such file"):
        ltr.load(tmp_path / "none.txt")
    with pytest.raises(ltr.DataError, match="cannot be opened"):
        ltr.load("a\0b")


@pytest.mark.parametrize("suffix", [".dat", "", ".xyz", ".csv"])
@pytest.mark.parametrize("content", ["PNG", "zip", "pickle", "UTF-16", "web page", "binary rubbish"])
def test_rubbish_under_any_name(suffix, content):
    raw, _, _, words = malformed.LETOR[content]
    with pytest.raises(ltr.DataError, match=words):
        ltr.load(raw, name=f"x{suffix}")


def test_mixed_lines_with_and_without_query_ids(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"1 1:1\n1 qid:1 1:1\n")
    (tmp_path / "x.txt.query").write_text("2\n")
    with pytest.raises(ltr.DataError, match="the first document has none") as caught:
        ltr.load(path)
    assert (caught.value.line, caught.value.column) == (2, 3)
    path.write_bytes(b"1 qid:1 1:1\n1 1:1\n")
    with pytest.raises(ltr.DataError, match="query id is missing") as caught:
        ltr.load(path)
    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize(
    ("counts", "line", "words"),
    [
        ("1\n1\n", 2, "add up to 2 documents, but .*x.txt has 3"),
        ("4\n", 1, "add up to 4 documents, but .*x.txt has 3"),
        ("1\n\n-2\n", 3, "“-2” is not a number of documents"),
        ("1\n 0\n", 2, "“0” is not a number of documents"),
        ("1.5\n", 1, "“1.5” is not"),
        ("one\n", 1, "“one” is not"),
        ("", 1, "file is empty"),
    ],
)
def test_companions_that_do_not_fit(tmp_path, counts, line, words):
    (tmp_path / "x.txt").write_bytes(b"1 1:1\n1 1:1\n1 1:1\n")
    (tmp_path / "x.txt.query").write_text(counts)
    with pytest.raises(ltr.DataError, match=words) as caught:
        ltr.load(tmp_path / "x.txt")
    assert caught.value.line == line and caught.value.file == str(tmp_path / "x.txt.query")


def test_a_matrix_too_large_is_refused_before_it_is_made():
    sparse = b"1 qid:1 1000000:1\n" * 2000  # 36 kB of text, 8 GB as a matrix
    with pytest.raises(ltr.DataError, match="more than [0-9,]+ cells, the most") as caught:
        ltr.load(sparse, name="x.txt")
    assert 1 <= caught.value.line <= 2000 and "features up to index 1,000,000" in str(caught.value)
    assert ltr.load(sparse[:180], name="x.txt").n_features == 1_000_000
    with pytest.raises(ltr.DataError, match="more than 5 cells"):
        ltr.load(b"1 qid:1 1:1 2:1\n" * 3, name="x.txt", max_cells=5)
    with pytest.raises(ltr.DataError, match="3 documents × 1,000 features"):
        ltr.load(b"1 qid:1 1:1\n" * 3, name="x.txt", max_cells=2_999, n_features=1_000)
    with pytest.raises(ltr.DataError, match="more than 5 cells"):
        ltr.load(b"grade,qid,a,b\n" + b"1,1,1,1\n" * 3, name="x.csv", max_cells=5)


def test_a_line_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(letor, "MAX_LINE", 3 << 20)
    with pytest.raises(ltr.DataError, match="longer than 3 MB") as caught:
        ltr.load(malformed.GOOD + b"1 qid:1 " + b"1:1 " * 2_000_000, name="x.txt")
    assert caught.value.line == 3


def test_report_lists_every_bad_line():
    lines = [b"1 qid:1 1:%s" % (b"x" if i % 3 == 0 else b"1") for i in range(1, 301)]
    found = report(b"\n".join(lines), name="x.txt", limit=1000)
    assert [problem.line for problem in found] == list(range(3, 301, 3))
    assert {problem.column for problem in found} == {11}
    assert len(report(b"\n".join(lines), name="x.txt", limit=7)) == 7
    assert report(malformed.GOOD, name="x.txt") == []


def test_report_over_several_blocks(monkeypatch):
    monkeypatch.setattr(letor, "BLOCK", 100)
    monkeypatch.setattr("ltr_core.data.reading.sources._HEAD", 20)
    lines = [b"1 qid:1 1:%s" % (b"x" if i % 10 == 0 else b"1") for i in range(1, 301)]
    assert [p.line for p in report(b"\n".join(lines), name="x.txt")] == list(range(10, 301, 10))


def test_report_of_tables():
    text = b"grade,qid,a,b\n1,1,x,1\n1,1,1,1\n-1,1,1,1\n1,1\n1,1,1,\n"
    found = report(text, name="x.csv")
    assert [(p.line, p.column) for p in found] == [(2, "a"), (4, "grade"), (5, None), (6, "b")]
    assert len(report(text, name="x.csv", limit=2)) == 2
    columns = malformed._parquet(grade=[1], qid=[1], a=["x"], b=[1.0], c=[None])
    assert [p.column for p in report(columns, name="x.parquet")] == ["a", "c"]


def test_report_goes_on_to_what_only_the_whole_file_shows(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"1 1:1\n")
    (tmp_path / "x.txt.query").write_text("2\n")
    assert "add up to 2" in report(tmp_path / "x.txt")[0].sentence
    assert "no such file" in report(tmp_path / "none.txt")[0].sentence
