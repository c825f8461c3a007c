"""LETOR text as it really occurs, against a dumb reader and on real files."""

import bz2
import gzip
import io
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.data.reading import letor, letor_block, sources
from tests import naive
from tests.sources import ROOT

NUMBERS = [
    "0",
    "1",
    "-0.25",
    "1e3",
    "1E-3",
    "+1",
    ".5",
    "5.",
    "1e-320",
    "3.4e38",
    "-0.0",
    "0.477541",
    "0.000000",
]
NUMBERS += ["0.30000000000000000000001", "123456789012345678901", "1e-400", "16777217"]
WRONG = [
    "1e400",
    "0x10",
    "1_000",
    "nan",
    "inf",
    "NULL",
    "x",
    "",
    "--1",
    "1.2.3",
    "3.5e38",
    "é",
    "1:2",
    "\x00",
]
COMMENTS = [
    "#docid = D1",
    "# docid:x y",
    '#DocID="a b" c',
    "# nothing",
    "#docid = ",
    '#docid="open',
    "#docid = é€",
    "#",
]


@st.composite
def lines(draw, wrong):
    """A line, blank now and then; with `wrong`, sometimes one that cannot be used."""

    def choose(common, rare):
        return draw(st.sampled_from(common if not wrong or draw(st.integers(0, 30)) else rare))

    if draw(st.integers(0, 14)) == 0:
        return draw(st.sampled_from(["", " ", "\t", "# words", " # docid = x"]))
    first = draw(st.integers(0, 1))
    indices = draw(st.lists(st.integers(first, 7), unique=True, max_size=5))
    if draw(st.integers(0, 4)):
        indices.sort()
    words = [f"{index}:{choose(NUMBERS, WRONG)}" for index in indices]
    if wrong and indices and draw(st.integers(0, 30)) == 0:
        words.append(choose([f"{indices[0]}:1"], ["-1:2", "3", ":1", "1000000000:1", "1::2", "+3:1"]))
    qid = choose(
        ["qid:1", "qid:2", "qid:10", "qid:-5", "qid:+7", "qid:007"], ["", "qid:", "qid:x", "QID:1", "qid:1.0"]
    )
    words.insert(0 if draw(st.integers(0, 5)) else len(words), qid)
    grade = choose(["0", "1", "2.0", "+1", "1.5", "-0"], ["-1", "nan", "x", "", "1e999"])
    text = draw(st.sampled_from([" ", " ", "\t", "  "])).join([grade, *words])
    if draw(st.booleans()):
        text += draw(st.sampled_from(["", " "])) + draw(st.sampled_from(COMMENTS))
    return text


@st.composite
def files(draw):
    """The bytes of a file, one in two with something wrong in it."""
    wrong = draw(st.booleans())
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = end.join(draw(st.lists(lines(wrong), max_size=12))) + draw(st.sampled_from(["", end]))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode().replace(b"\xc3", b"\xff")


def read_both(raw, missing):
    """What the oracle and we make of the bytes; errors as None."""
    try:
        expected = naive.read_letor(raw, missing)
    except ValueError:
        expected = None
    try:
        found = ltr.load(raw, name="x.txt", missing=missing)
    except ltr.DataError as error:
        assert error.line is not None and error.file == "x.txt"
        found = None
    return expected, found


def assert_same(data, expected):
    X, y, qid, ids, order, first = expected
    assert data.X.tobytes() == X.tobytes()
    assert data.y.tolist() == y.tolist()
    assert data.qid.tolist() == qid.tolist()
    assert data.order.tolist() == order.tolist()
    assert data.feature_names == tuple(f"f{k + first}" for k in range(X.shape[1]))
    assert (None if data.doc_ids is None else data.doc_ids.tolist()) == ids


@settings(max_examples=250, deadline=None)
@given(raw=files(), missing=st.sampled_from(["error", "zero", "query_min"]))
def test_files_are_read_as_the_oracle_reads_them(raw, missing):
    expected, data = read_both(raw, missing)
    assert (data is None) == (expected is None)
    if data is not None:
        assert_same(data, expected)


# A first block whose first line is blank, of carriage returns only, and a second one of fewer features.
RETURNS = b"\r0 0:0 qid:1#docid = D1\r0 0:0 1:0 2:0 3:0 4:5 qid:1#docid = D1\r0 0:0 1:0.3 qid:1"


@settings(max_examples=150, deadline=None)
@example(raw=RETURNS, head=8, block=100, cells=1, parallel=False)
@given(
    raw=files(),
    head=st.sampled_from([8, 50]),
    block=st.sampled_from([30, 100]),
    cells=st.sampled_from([1, 20]),
    parallel=st.booleans(),
)
def test_where_blocks_are_cut_changes_nothing(raw, head, block, cells, parallel):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "_HEAD", head)
        patch.setattr(letor, "BLOCK", block)
        patch.setattr(letor_block, "_CELLS", cells)
        patch.setattr(letor, "PARALLEL_FROM", 0 if parallel else 1 << 60)
        expected, data = read_both(raw, "zero")
    assert (data is None) == (expected is None)
    if data is not None:
        assert_same(data, expected)


def test_mq2008_is_read_as_the_oracle_reads_it(letor_dir):
    path = letor_dir / "MQ2008" / "Fold1" / "test.txt"
    data = ltr.load(path)
    assert_same(data, naive.read_letor(path.read_bytes()))
    assert data.name == "test"
    train = ltr.load(letor_dir / "MQ2008" / "Fold1" / "train.txt")
    assert (train.n_docs, train.n_queries, train.n_features) == (9630, 471, 46)
    assert train.doc_ids[0] == "GX008-86-4444840"


def test_two_threads_read_the_same_as_one(tmp_path, monkeypatch):
    monkeypatch.setattr(letor, "BLOCK", 1 << 18)
    path = tmp_path / "big.txt"
    line = "{} qid:{} 1:{:.6f} 2:{:.9g} 4:1 #docid = d{}\n"
    path.write_text("".join(line.format(i % 3, i % 977, i / 7, i * 1.1, i) for i in range(60_000)))
    assert path.stat().st_size > 5 * letor.BLOCK
    two = ltr.load(path)
    from ltr_core.threads import serial_only

    with serial_only():
        one = ltr.load(path)
    assert one.fingerprint == two.fingerprint
    assert (one.order == two.order).all() and (one.doc_ids == two.doc_ids).all()
    # The same rows as arrays, grouped by the constructor.
    i = np.arange(60_000)
    again = ltr.RankingData(np.stack([i, i], axis=1), i % 3, i % 977)
    assert (two.order == again.order).all() and (two.offsets == again.offsets).all()
    assert two.doc_ids[1] == "d977" and two.X[1, 0] == np.float32(float(f"{977 / 7:.6f}"))


def test_loads_at_the_same_time_do_not_disturb_each_other(monkeypatch):
    monkeypatch.setattr(letor, "BLOCK", 1 << 16)
    raw = b"".join(
        b"%d qid:%d 1:%d 3:%d.25 #docid = d%d\n" % (i % 3, i % 101, i, i, i) for i in range(30_000)
    )
    expected = ltr.load(raw, name="x.txt").fingerprint
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: ltr.load(raw, name="x.txt").fingerprint, range(8)))
    assert set(found) == {expected}


TEXT = b"2 qid:1 1:0.5 2:1 #docid = a\n0 qid:1 2:3 #docid = b\n1 qid:2 1:4\n"
PACKED = {
    "": lambda raw: raw,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": lambda raw: pa.compress(raw, "zstd", asbytes=True),
}


@pytest.mark.parametrize("suffix", [".txt", ".dat", ".svm", ".letor", ".TXT", "", ".train"])
@pytest.mark.parametrize("packed", PACKED)
def test_suffixes_and_compressions(tmp_path, suffix, packed):
    path = tmp_path / f"set{suffix}{packed}"
    path.write_bytes(PACKED[packed](TEXT))
    data = ltr.load(path)
    assert data.y.tolist() == [2, 0, 1] and data.X.tolist() == [[0.5, 1], [0, 3], [4, 0]]
    assert data.doc_ids.tolist() == ["a", "b", ""]
    assert data.name == ("set.train" if suffix == ".train" else "set")


def test_large_compressed_files_are_read_in_pieces(tmp_path):
    raw = TEXT * 30_000
    plain = ltr.load(raw, name="x.txt")
    for packed, pack in PACKED.items():
        path = tmp_path / f"x.txt{packed}"
        path.write_bytes(pack(raw))
        assert ltr.load(str(path)).fingerprint == plain.fingerprint


def test_gzip_files_of_several_members():
    raw = gzip.compress(TEXT) + gzip.compress(TEXT)
    assert ltr.load(raw, name="x.txt.gz").n_docs == 6


def test_bytes_and_open_files_are_accepted(tmp_path):
    (tmp_path / "x.txt").write_bytes(TEXT)
    upload = io.BytesIO(TEXT)
    upload.name = "mine.txt"
    upload.read()  # a buffer that was read before is read from its start
    with open(tmp_path / "x.txt", "rb") as opened:
        for source in (TEXT, bytearray(TEXT), memoryview(TEXT), io.BytesIO(TEXT), upload, opened):
            assert ltr.load(source).n_docs == 3
    assert ltr.load(upload).name == "mine" and not upload.closed
    assert ltr.load(TEXT, name="x.txt").name == "x.txt"
    with pytest.raises(ltr.ParameterError, match="binary mode"):
        ltr.load(io.StringIO("1 qid:1 1:1"))
    with pytest.raises(ltr.ParameterError, match="int"):
        ltr.load(3)


def test_pipes_can_be_read(tmp_path):
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT,))
    writer.start()
    assert ltr.load(pipe).n_docs == 3
    writer.join()


def test_indices_start_at_zero_only_if_a_zero_occurs():
    assert ltr.load(b"1 qid:1 3:1\n").feature_names == ("f1", "f2", "f3")
    data = ltr.load(b"1 qid:1 2:1\n1 qid:1 0:7\n")
    assert data.feature_names == ("f0", "f1", "f2") and data.X.tolist() == [[0, 0, 1], [7, 0, 0]]
    assert ltr.load(b"1 qid:1 2:1\n", first_index=0).X.tolist() == [[0, 0, 1]]
    with pytest.raises(ltr.DataError, match="from 0 to 2"):
        ltr.load(b"1 qid:1 0:1 2:1\n", first_index=1)
    with pytest.raises(ltr.ParameterError, match="first_index"):
        ltr.load(b"1 qid:1 1:1\n", first_index=2)


def test_announced_features():
    assert ltr.load(b"1 qid:1 2:1\n", n_features=4).X.tolist() == [[0, 1, 0, 0]]
    with pytest.raises(ltr.DataError, match="beyond the 2 features") as caught:
        ltr.load(b"1 qid:1 1:1\n1 qid:1 1:1 3:1\n", n_features=2)
    assert (caught.value.line, caught.value.column) == (2, 13)
    with pytest.raises(ltr.DataError, match="from 0 to 2"):
        ltr.load(b"1 qid:1 0:1 2:1\n", n_features=2)
    with pytest.raises(ltr.ParameterError, match="n_features"):
        ltr.load(b"1 qid:1 1:1\n", n_features=0)


def test_missing_values():
    text = b"1 qid:1 1:NULL 2:5\n1 qid:1 1:3 2:nan\n1 qid:1 1:-2\n1 qid:2 1:null 2:NaN\n1 qid:2 1:4\n"
    with pytest.raises(ltr.DataError, match="missing") as caught:
        ltr.load(text)
    assert (caught.value.line, caught.value.column) == (1, 11) and 'missing="zero"' in str(caught.value)
    assert ltr.load(text, missing="zero").X.tolist() == [[0, 5], [3, 0], [-2, 0], [0, 0], [4, 0]]
    least = [[-2, 5], [3, 0], [-2, 0], [4, 0], [4, 0]]
    assert ltr.load(text, missing="query_min").X.tolist() == least
    for missing in ("zero", "query_min"):
        with pytest.raises(ltr.DataError, match="inf"):
            ltr.load(b"1 qid:1 1:inf\n", missing=missing)
    with pytest.raises(ltr.ParameterError, match="missing = 'none'"):
        ltr.load(text, missing="none")


def test_a_query_without_any_value_gets_zero():
    text = b"1 qid:1 1:NULL 2:-1\n1 qid:1 1:NULL 2:-2\n"
    assert ltr.load(text, missing="query_min").X.tolist() == [[0, -1], [0, -2]]


@pytest.mark.parametrize("suffix", [".query", ".group"])
def test_queries_of_a_companion_file(tmp_path, suffix):
    (tmp_path / "rank.train").write_bytes(b"1 1:1\n0 2:2\n\n2\n")
    (tmp_path / f"rank.train{suffix}").write_text("1\n2\n")
    data = ltr.load(tmp_path / "rank.train")
    assert data.qid.tolist() == [1, 2, 2] and data.X.tolist() == [[1, 0], [0, 2], [0, 0]]


def test_queries_of_a_companion_given_as_bytes():
    assert ltr.load(b"1 1:1\n0 1:2\n", name="x.txt", query_file=b"2\n").offsets.tolist() == [0, 2]
    with pytest.raises(ltr.DataError, match="query id is missing"):
        ltr.load(b"1 1:1\n0 1:2\n", name="x.txt")


def test_companions_of_compressed_files(tmp_path):
    (tmp_path / "x.txt.gz").write_bytes(gzip.compress(b"1 1:1\n0 1:2\n"))
    (tmp_path / "x.txt.query").write_text("2")
    assert ltr.load(tmp_path / "x.txt.gz").n_queries == 1


def test_lightgbm_example(letor_dir):
    data = ltr.load(letor_dir / "lightgbm" / "rank.train")
    counts = np.loadtxt(letor_dir / "lightgbm" / "rank.train.query", dtype=int)
    assert np.diff(data.offsets).tolist() == counts.tolist()
    assert (data.n_docs, data.n_features) == (3005, 300)


def test_ids_longer_than_most_are_kept():
    long = "x" * 1000
    data = ltr.load(f"1 qid:1 1:1 #docid = {long}\n0 qid:1 1:1 #docid = ü\n".encode(), name="x.txt")
    assert data.doc_ids.tolist() == [long, "ü"]
    assert data.select([0]).doc_ids.tolist() == [long, "ü"]


def test_long_lines_and_many_features():
    wide = " ".join(f"{k}:{k % 7}" for k in range(1, 200_001))
    data = ltr.load(f"1 qid:1 {wide}\n0 qid:1 200000:5\n".encode(), name="x.txt")
    assert data.n_features == 200_000 and data.X[0, 12] == 13 % 7 and data.X[1, -1] == 5
    comment = b"1 qid:1 1:1 # " + b"y" * 5_000_000 + b"\n0 qid:1 1:2\n"
    assert ltr.load(comment, name="x.txt").X.tolist() == [[1], [2]]


_PEAK = """
import sys
from pathlib import Path
import ltr_core as ltr

def status(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) * 1024

ltr.load(b"1 qid:1 1:1\\n")
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
data = ltr.load(sys.argv[1])
print((status("VmHWM") - before) / data.X.nbytes)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="nobody tells the largest memory")
def test_reading_takes_little_more_memory_than_the_matrix(tmp_path):
    path = tmp_path / "train.txt"
    line = " ".join(f"{k}:{k % 7}" for k in range(1, 137))
    path.write_text("".join(f"{i % 5} qid:{i // 100} {line}\n" for i in range(80_000)))
    environment = {**os.environ, "RANKSCOPE_KEEP": "0"}
    command = [sys.executable, "-c", _PEAK, str(path)]
    told = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert float(told.stdout) < 1.6
