"""Malformed files: name, content, line, column, words of the sentence. For the tests of `load` and `check`."""
# ruff: noqa: E501 (a line for each)

import bz2
import gzip
import io
import pickle
import zipfile

import pyarrow as pa
import pyarrow.parquet

GOOD = b"2 qid:1 1:0.5 2:1\n0 qid:1 1:1\n"
RANDOM = bytes((i * 7919 + i * i * 31) % 256 for i in range(3000))


def _zip():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("x.txt", GOOD)
    return out.getvalue()


def _parquet(**columns):
    out = io.BytesIO()
    pyarrow.parquet.write_table(pa.table(columns), out)
    return out.getvalue()


def _line(bad):
    """A good line, a comment, then the line in question, with Windows line ends."""
    return b"1 qid:1 1:0.5\r\n# words\r\n" + bad + b"\r\n1 qid:1 1:2\r\n"


LETOR = {
    # The words of the issue
    "word as value": (_line(b"1 qid:1 1:abc"), 3, 11, "feature 1, “abc”, is not a number"),
    "word as grade": (_line(b"good qid:1 1:1"), 3, 1, "grade “good” is not a number"),
    "word as index": (_line(b"1 qid:1 bm25:1"), 3, 9, "index “bm25” is not a whole number"),
    "missing qid": (_line(b"1 1:0.5"), 3, 3, "query id is missing"),
    "missing qid, nothing else": (_line(b"1"), 3, 2, "query id is missing"),
    "negative grade": (_line(b"-1 qid:1 1:1"), 3, 1, "grade “-1” is negative"),
    "infinite grade": (_line(b"inf qid:1 1:1"), 3, 1, "grade is “inf”"),
    "NaN grade": (_line(b"nan qid:1 1:1"), 3, 1, "grade is “nan”"),
    "too large a grade": (_line(b"1e400 qid:1 1:1"), 3, 1, "grade “1e400” is too large"),
    "NaN feature": (_line(b"1 qid:1 1:1 2:NaN"), 3, 15, "feature 2 is missing"),
    "infinite feature": (_line(b"1 qid:1 1:-inf"), 3, 11, "feature 1 is “-inf”"),
    "NULL feature": (_line(b"1 qid:1 1:NULL"), 3, 11, "feature 1 is missing"),
    "duplicate index": (_line(b"1 qid:1 1:1 2:1 1:3"), 3, 17, "index 1 occurs twice"),
    "duplicate index, out of order": (_line(b"1 qid:1 3:1 4:1 2:1 4:3"), 3, 21, "index 4 occurs twice"),
    "index of 10^9": (_line(b"1 qid:1 1000000000:1"), 3, 9, "larger than 1,000,000"),
    "index of 10^29": (_line(b"1 qid:1 1" + b"0" * 29 + b":1"), 3, 9, "larger than 1,000,000"),
    "empty file": (b"", 1, None, "file is empty"),
    "binary rubbish": (RANDOM, 1, None, "not text"),
    # Numbers
    "1e400": (_line(b"1 qid:1 1:1e400"), 3, 11, "too large"),
    "beyond float32": (_line(b"1 qid:1 1:3.5e38"), 3, 11, "too large"),
    "hexadecimal": (_line(b"1 qid:1 1:0x10"), 3, 11, "not a number"),
    "underscore": (_line(b"1 qid:1 1:1_000"), 3, 11, "not a number"),
    "decimal comma": (_line(b"1 qid:1 1:0,5"), 3, 11, "not a number"),
    "two points": (_line(b"1 qid:1 1:1.2.3"), 3, 11, "not a number"),
    "bare exponent": (_line(b"1 qid:1 1:1e"), 3, 11, "not a number"),
    "other digits": (_line("1 qid:1 1:٣".encode()), 3, 11, "not a number"),
    "no value": (_line(b"1 qid:1 1: 2:1"), 3, 11, "feature 1 is missing"),
    "space behind the colon": (_line(b"1 qid:1 2: 5"), 3, 11, "feature 2 is missing"),
    # Indices
    "negative index": (_line(b"1 qid:1 -3:1"), 3, 9, "index “-3” is negative"),
    "index with plus": (_line(b"1 qid:1 +3:1"), 3, 9, "not a whole number"),
    "fractional index": (_line(b"1 qid:1 1.5:1"), 3, 9, "not a whole number"),
    "no index": (_line(b"1 qid:1 :1"), 3, 9, "no feature index"),
    "no colon": (_line(b"1 qid:1 7"), 3, 9, "“7” stands where"),
    "two colons": (_line(b"1 qid:1 1:2:3"), 3, 11, "not a number"),
    # Query ids
    "empty qid": (_line(b"1 qid: 1:1"), 3, 7, "query id is empty"),
    "word as qid": (_line(b"1 qid:x 1:1"), 3, 7, "query id “x” is not a whole number"),
    "fractional qid": (_line(b"1 qid:1.5 1:1"), 3, 7, "not a whole number"),
    "huge qid": (_line(b"1 qid:99999999999999999999 1:1"), 3, 7, "64 bits"),
    "qid in capitals": (_line(b"1 QID:1 1:1"), 3, 3, "not written as such"),
    "qid without colon": (_line(b"1 qid 1:1"), 3, 3, "not written as such"),
    "two qids": (_line(b"1 qid:1 1:1 qid:2"), 3, 13, "second query id"),
    "qid first": (_line(b"qid:1 1 1:1"), 3, 1, "where the grade belongs"),
    "no grade": (_line(b"1:1 2:2"), 3, 1, "where the grade belongs"),
    # Files
    "only comments": (b"# one\n\n# two\n", 3, None, "no document"),
    "only blanks": (b"\n \t\n", 2, None, "no document"),
    "no feature at all": (b"1 qid:1\n0 qid:1 # 1:2\n", 2, None, "no line has a feature"),
    "zero byte": (GOOD + b"1 qid:1 1:\x002\n", 3, 11, "zero byte"),
    "a character of two bytes before": ("1 qid:1 é:1 2:x\n".encode(), 1, 9, "“é”"),
    "characters are counted, not bytes": ("1 qid:1 1:1 # é\n1 qid:1 1:é 2:x\n".encode(), 2, 11, "“é”"),
    "byte order mark": (b"\xef\xbb\xbfx qid:1 1:1\n", 1, 1, "grade “x”"),
    "carriage returns only": (b"1 qid:1 1:1\r1 qid:1 1:x\r", 2, 11, "“x”"),
    "table as text": (b"grade,qid,f1\n1,1,0.5\n", 1, 1, "which is not a grade"),
    "PNG": (b"\x89PNG\r\n\x1a\n" + RANDOM, 1, 1, "PNG picture"),
    "zip": (_zip(), 1, 1, "zip archive"),
    "pickle": (pickle.dumps({"x": 1}), 1, 1, "pickle"),
    "UTF-16": (GOOD.decode().encode("utf-16"), 1, 1, "UTF-16"),
    "web page": (b"<!DOCTYPE html>\n<html>\n", 1, 1, "web page"),
    "JSON": (b'{"grade": 1}\n', 1, 1, "JSON"),
    "very long line": (GOOD + b"1 qid:1 " + b"x" * 3_000_000 + b"\n", 3, 9, "x…”"),
}  # fmt: skip

TABLES = {
    "no grade column": (b"g,qid,a\n1,1,1\n", 1, None, "no column with the grade; the columns are “g”"),
    "no qid column": (b"grade,q,a\n1,1,1\n", 1, None, "no column with the query id"),
    "two grade columns": (b"grade,qid,label\n1,1,1\n", 1, "label", "“grade” and “label” could both be the grade"),
    "duplicate column": (b"grade,qid,a,a\n1,1,1,1\n", 1, "a", "two columns have this name"),
    "column without name": (b",grade,qid,a\n0,1,1,1\n", 1, None, "column 1 has no name"),
    "semicolons": (b"grade;qid;a\n1;1;0,5\n", 1, 1, "separated by semicolons"),
    "tabs": (b"grade\tqid\ta\n1\t1\t0.5\n", 1, 1, "separated by tabs"),
    "LETOR text as a table": (GOOD, 1, 1, "looks like LETOR text"),
    "no header": (b"1,1,0.5\n0,1,2\n", 1, 1, "first line holds numbers"),
    "no feature column": (b"grade,qid\n1,1\n", 1, None, "no feature column"),
    "no row": (b"grade,qid,a\n", 1, None, "no row"),
    "too few cells": (b"grade,qid,a\n1,1,1\n\n1,1\n", 4, None, "2 cells, the header has 3"),
    "too many cells": (b"grade,qid,a\n1,1,1,1\n", 2, None, "4 cells, the header has 3"),
    "word as value in a table": (b"grade,qid,a\n1,1,1\n1,1,high\n", 3, "a", "“high” is not a number"),
    "text column": (b'grade,qid,title,a\n1,1,"big, red",2\n', 2, "title", "“big, red” is not a number"),
    "text over two lines": (b'grade,qid,docid,a\n1,1,"x\ny",2\n1,1,z,x\n', 4, "a", "“x” is not a number"),
    "missing cell": (b"grade,qid,a\n1,1,\n", 2, "a", "value is missing"),
    "NaN cell": (b"grade,qid,a\n1,1,NaN\n", 2, "a", "value is missing (“NaN”)"),
    "infinite cell": (b"grade,qid,a\n1,1,-inf\n", 2, "a", "“-inf”"),
    "huge cell": (b"grade,qid,a\n1,1,1" + b"0" * 60 + b"\n", 2, "a", "too large"),
    "cell of 1e400": (b"grade,qid,a\n1,1,1e400\n", 2, "a", "too large"),
    "hexadecimal cell": (b"grade,qid,a\n1,1,0x1F\n", 2, "a", "not a number"),
    "decimal comma in quotes": (b'grade,qid,a\n1,1,"0,5"\n', 2, "a", "decimal point"),
    "negative grade in a table": (b"label,qid,a\n1,1,1\n-2,1,1\n", 3, "label", "grade “-2” is negative"),
    "word as grade in a table": (b"label,qid,a\nbad,1,1\n", 2, "label", "“bad” is not a finite number"),
    "missing grade": (b"label,qid,a\n,1,1\n", 2, "label", "grade is missing"),
    "missing qid in a table": (b"label,query,a\n1,1,1\n1,,1\n", 3, "query", "query id is missing"),
    "empty table": (b"", 1, None, "file is empty"),
    "table with zero byte": (b"grade,qid,a\n1,1,\x00\n", 2, 5, "zero byte"),
    "PNG as table": (b"\x89PNG\r\n\x1a\n", 1, 1, "PNG picture"),
}  # fmt: skip

PARQUETS = {
    "not Parquet": (b"grade,qid,a\n1,1,1\n", 1, None, "not a Parquet file"),
    "cut Parquet": (_parquet(grade=[1], qid=[1], a=[1.0])[:-20], None, None, "damaged"),
    "Parquet without grade": (_parquet(g=[1], qid=[1], a=[1.0]), None, None, "no column with the grade"),
    "Parquet with texts": (_parquet(grade=[1], qid=[1], a=["x"]), None, "a", "type string"),
    "Parquet with lists": (_parquet(grade=[1], qid=[1], a=[[1.0]]), None, "a", "not numbers"),
    "Parquet with null": (_parquet(grade=[1, 1], qid=[1, 1], a=[1.0, None]), None, "a", "row 2: the value is missing"),
    "Parquet with NaN": (_parquet(grade=[1], qid=[1], a=[float("nan")]), None, "a", "row 1: the value is missing"),
    "Parquet with infinity": (_parquet(grade=[1], qid=[1], a=[float("inf")]), None, "a", "row 1: the value is inf"),
    "Parquet beyond float32": (_parquet(grade=[1], qid=[1], a=[1e39]), None, "a", "row 1: the value is 1e"),
    "Parquet, negative grade": (_parquet(grade=[1, -1], qid=[1, 1], a=[1.0, 2]), None, "grade", "row 2: the grade -1"),
    "Parquet, missing grade": (_parquet(grade=[1, None], qid=[1, 1], a=[1.0, 2]), None, "grade", "row 2: the grade is"),
    "Parquet, missing qid": (_parquet(grade=[1, 1], qid=[1, None], a=[1.0, 2]), None, "qid", "row 2: the query id"),
    "Parquet, fractional qid": (_parquet(grade=[1], qid=[1.5], a=[1.0]), None, "qid", "row 1: the query id is 1.5"),
    "Parquet without rows": (_parquet(grade=pa.array([], "i8"), qid=pa.array([], "i8"), a=pa.array([], "f8")), 1, None,
                             "no row"),
}  # fmt: skip

_GZIP = gzip.compress(GOOD * 5000)
_BZIP = bz2.compress(GOOD * 5000)
_ZSTD = pa.compress(GOOD * 5000, "zstd", asbytes=True)
PACKED = {
    "truncated gzip": ("x.txt.gz", _GZIP[: len(_GZIP) // 2], "ends too early"),
    "gzip cut in its trailer": ("x.txt.gz", _GZIP[:-4], "ends too early"),
    "gzip cut in its head": ("x.txt.gz", _GZIP[:5], "ends too early"),
    "truncated bzip2": ("x.txt.bz2", _BZIP[: len(_BZIP) // 2], "ends too early"),
    "truncated zstd": ("x.txt.zst", _ZSTD[: len(_ZSTD) // 2], "ends too early"),
    "gzip with a wrong sum": ("x.txt.gz", _GZIP[:-8] + b"abcd" + _GZIP[-4:], "damaged"),
    "damaged gzip": ("x.txt.gz", _GZIP[:30] + b"\xff" * 40 + _GZIP[70:], "damaged"),
    "truncated gzip without suffix": ("x.txt", _GZIP[:-4], "ends too early"),
    "truncated gzip of a table": ("x.csv.gz", gzip.compress(b"grade,qid,a\n1,1,1\n")[:-4], "ends too early"),
    "text as gzip": ("x.txt.gz", GOOD, "promises gzip, but it is not"),
    "text as zstd": ("x.txt.zst", GOOD, "promises zstd, but it is not"),
    "gzip as bzip2": ("x.txt.bz2", _GZIP, "promises bzip2, but it is compressed by gzip"),
    "gzip of nothing": ("x.txt.gz", gzip.compress(b""), "file is empty"),
    "gzip of a picture": ("x.txt.gz", gzip.compress(b"\x89PNG" + RANDOM), "PNG picture"),
}


def all_files():
    """Every case as (name, file name, content, line, column, words); what only has to have a line gets -1."""
    for cases, suffix in ((LETOR, ".txt"), (TABLES, ".csv"), (PARQUETS, ".parquet")):
        for name, (content, line, column, words) in cases.items():
            yield name, f"bad{suffix}", content, line, column, words
    for name, (file, content, words) in PACKED.items():
        yield name, file, content, -1, None, words
