"""A dumb reader of LETOR text: one line at a time, plain Python, straight from the format's definition."""

import math
import re

import numpy as np

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_MISSING = ("null", "nan")


def read_letor(raw, missing="error"):
    """Return (X, y, qid, doc_ids, order, first_index) of LETOR bytes; ValueError when anything is wrong."""
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    text = raw.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    rows = []
    for line in text.split("\n"):
        body, _, comment = line.partition("#")
        if "\x00" in body:
            raise ValueError("a zero byte")
        words = body.replace("\t", " ").split(" ")
        words = [word for word in words if word != ""]
        if words:
            rows.append(_read_line(words, missing) + (_doc_id(comment),))
    if not rows:
        raise ValueError("no document")

    indices = [index for _, _, values, _ in rows for index in values]
    if not indices:
        raise ValueError("no feature")
    first = 0 if 0 in indices else 1
    width = max(indices) + 1 - first

    queries = []  # in order of first appearance
    for _, qid, _, _ in rows:
        if qid not in queries:
            queries.append(qid)
    order = [i for q in queries for i, row in enumerate(rows) if row[1] == q]

    X = np.zeros((len(rows), width), dtype=np.float32)
    for place, i in enumerate(order):
        for index, value in rows[i][2].items():
            X[place, index - first] = value
    y = np.array([rows[i][0] for i in order], dtype=np.float64)
    qid = np.array([rows[i][1] for i in order])
    if missing == "query_min":
        for q in queries:
            block = X[qid == q]
            for k in range(width):
                known = [v for v in block[:, k] if not math.isnan(v)]
                block[np.isnan(block[:, k]), k] = min(known) if known else 0.0
            X[qid == q] = block
    ids = [rows[i][3] for i in order]
    return X, y, qid, (ids if any(ids) else None), np.array(order), first


def _read_line(words, missing):
    """Return (grade, qid, {index: value}) of the words of one line."""
    grade = _number(words[0])
    if grade < 0:
        raise ValueError("a negative grade")
    if 0 < grade < 1e-300:
        raise ValueError("a grade whose differences have lost their digits")
    qid, values = None, {}
    for word in words[1:]:
        key, colon, text = word.partition(":")
        if not colon:
            raise ValueError("no colon")
        if key == "qid":
            if qid is not None or not re.fullmatch(r"[+-]?[0-9]+", text):
                raise ValueError("a bad query id")
            qid = int(text)
            if not -(2**63) <= qid < 2**63:
                raise ValueError("a query id beyond 64 bits")
            continue
        if not re.fullmatch("[0-9]+", key) or int(key) in values or int(key) > 1_000_000:
            raise ValueError("a bad index")
        if missing != "error" and text.lower() in _MISSING:
            values[int(key)] = np.float32(0.0 if missing == "zero" else math.nan)
        else:
            with np.errstate(over="ignore"):
                value = np.float32(_number(text))
            if not math.isfinite(value):
                raise ValueError("beyond float32")
            values[int(key)] = value
    if qid is None:
        raise ValueError("no query id")
    return grade, qid, values


def _number(text):
    """Return the number that a text stands for."""
    if not _NUMBER.fullmatch(text):
        raise ValueError("not a number")
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("not finite")
    return value


def _doc_id(comment):
    """Return what follows `docid =` in a comment, or an empty text."""
    found = re.match(r'[ \t]*docid[ \t]*[=:][ \t]*(?:"([^"]*)"|([^ \t]+))', comment, flags=re.I | re.A)
    return "" if found is None else found[1] if found[1] is not None else found[2]


def rows_by_content(X, y, qid):
    """Return the rows, each query's in the order of features, then of the grade; queries stay."""
    places = list(dict.fromkeys(list(qid)))
    return sorted(range(len(y)), key=lambda i: (places.index(qid[i]), [float(v) for v in X[i]], float(y[i])))
