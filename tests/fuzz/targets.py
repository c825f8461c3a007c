"""The readers under test: what good input looks like, and what has to hold of any input.

A reader may refuse with a `DataError` or a `ParameterError`, or it takes the input and says what the slow
reader says. Anything else (another exception, a warning, other numbers) is a finding.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

import ltr_core as ltr
from ltr_core import DataError, ParameterError, RankingData
from ltr_core.data import report
from tests.fuzz.mutating import mutate, mutate_json
from tests.oracles.data import read_letor

_FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-"))


class Finding(AssertionError):
    """A reader did something else than it promises."""


@dataclass(frozen=True)
class Target:
    """A reader: good inputs, how they are mutated, and the check of one input."""

    name: str
    seeds: Callable[[], list[bytes]]
    check: Callable[[bytes], bool]  # True where the input was taken
    words: tuple[bytes, ...] = ()
    is_json: bool = False

    def draw(self, draw: random.Random, seeds: list[bytes]) -> bytes:
        """Return one mutated input."""
        one = draw.choice(seeds)
        if self.is_json and draw.random() < 0.8:
            return mutate_json(one, draw)
        return mutate(one, draw, self.words, seeds)


# LETOR text -------------------------------------------------------------------------------------------------


def _letor_seeds() -> list[bytes]:
    return [
        b"2 qid:1 1:0.5 2:1\n0 qid:1 1:1\n",
        b"1 qid:10 0:1 3:-2.5e-3 #docid = D1\r\n0 qid:11 2:7 # nothing\r\n2 qid:10 1:.5\r\n",
        b'\xef\xbb\xbf# head\n\n3.5 qid:-4 1:3.4e38 2:1e-400\t3:+1\n0 qid:-4 1:5. #docid:"a b"\n',
        b"0 qid:1 5:1 1:2\n" * 40,
    ]


def _check_letor(data: bytes) -> bool:
    for missing in ("error", "zero", "query_min"):
        try:
            told = read_letor(data, missing)
        except ValueError:
            told = None
        try:
            read = ltr.load(io.BytesIO(data), name="x.txt", missing=missing)
        except DataError as error:
            if told is not None and not _may_refuse(data):
                raise Finding(f"refused a good file ({missing}): {error}") from error
            if missing == "error" and not report(io.BytesIO(data), name="x.txt"):
                raise Finding(f"load refuses, report finds nothing: {error}") from error
            read = None
        if read is not None:
            if told is None:
                raise Finding(f"took a bad file ({missing})")
            X, y, qid, ids, order, _ = told
            same = (
                np.array_equal(read.X, X)
                and np.array_equal(read.y, y)
                and np.array_equal(read.qid, qid)
                and np.array_equal(read.order, order)
            )
            if not same or (ids is not None) != (read.doc_ids is not None):
                raise Finding(f"other numbers than the slow reader ({missing})")
    return told is not None


def _may_refuse(data: bytes) -> bool:
    """Whether the first bytes say that it is something else than text, which the slow reader ignores."""
    return (
        b"\x00" in data[:4096]
        or data[:2] in (b"BZ", b"\x1f\x8b")
        or data.count(b"\xff") > 0
        or b"\xfe" in data
    )


# Tables -----------------------------------------------------------------------------------------------------


def _csv_seeds() -> list[bytes]:
    return [
        b"grade,qid,a,b\n1,1,0.5,2\n0,1,1,3\n2,2,-1e3,.5\n",
        b'label,query_id,docid,f1\r\n3,q1,"x,1",1\r\n0,q1,y,2\r\n',
        b"relevance,qid,a\n" + b"1,7,0.25\n" * 30,
    ]


def _check_csv(data: bytes, suffix: str = ".csv", delimiter: str = ",") -> bool:
    try:
        read = ltr.load(io.BytesIO(data), name=f"x{suffix}")
    except DataError as error:
        if not report(io.BytesIO(data), name=f"x{suffix}"):
            raise Finding(f"load refuses, report finds nothing: {error}") from error
        return False
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    head, body = rows[0], rows[1:]
    if len(body) != read.n_docs:
        raise Finding(f"{read.n_docs} documents of {len(body)} rows")
    at = [[name.strip() for name in head].index(name) for name in read.feature_names]
    with np.errstate(over="ignore"):
        values = np.array([[np.float32(float(row[k])) for k in at] for row in body], dtype=np.float32)
    if not np.array_equal(read.X, values[read.order]):
        raise Finding("other numbers than the csv module's")
    if not (np.isfinite(read.X).all() and np.isfinite(read.y).all() and (read.y >= 0).all()):
        raise Finding("a number that is none was taken")
    return True


def _check_tsv(data: bytes) -> bool:
    return _check_csv(data.replace(b",", b"\t"), ".tsv", "\t")


def _parquet_seeds() -> list[bytes]:
    tables = [
        {"grade": [1, 0, 2], "qid": [1, 1, 2], "a": [0.5, 1.0, -3.0], "b": [1, 2, 3]},
        {"label": [1.5, 0.0], "qid": ["x", "x"], "docid": ["p", "q"], "f": pa.array([1, 2], pa.int8())},
        {"grade": [1] * 50, "qid": list(range(50)), "a": pa.array(["1"] * 50).dictionary_encode()},
    ]
    found = []
    for columns in tables:
        for compression in ("none", "zstd"):
            out = io.BytesIO()
            pyarrow.parquet.write_table(pa.table(columns), out, compression=compression)
            found.append(out.getvalue())
    return found


def _check_parquet(data: bytes) -> bool:
    try:
        read = ltr.load(io.BytesIO(data), name="x.parquet")
    except DataError:
        return False
    table = pyarrow.parquet.read_table(io.BytesIO(data))
    if table.num_rows != read.n_docs:
        raise Finding("another number of rows than pyarrow's")
    for k, name in enumerate(read.feature_names):
        if name not in table.column_names:  # damage in one of the two places that name it
            continue
        values = np.array([np.float32(float(v)) for v in table[name].to_pylist()], np.float32)[read.order]
        if not np.array_equal(read.X[:, k], values):
            raise Finding(f"column {name} differs from pyarrow's")
    return True


# Models, sweeps, links, scores ------------------------------------------------------------------------------


def _tiny() -> RankingData:
    draw = np.random.default_rng(0)
    return RankingData(draw.normal(size=(40, 3)), draw.integers(0, 3, 40), np.repeat(np.arange(8), 5))


def _model_seeds() -> list[bytes]:
    data, found = _tiny(), []
    for name, cls in ltr.ALGORITHMS.items():
        if cls.peer:
            continue
        rounds = {} if cls.rounds_param is None else {cls.rounds_param: 2}
        path = _FOLDER / f"{name}.json"
        cls(**rounds).fit(data).save(path)
        found.append(path.read_bytes())
    return found


def _check_model(data: bytes) -> bool:
    path = _FOLDER / "model.json"
    path.write_bytes(data)
    try:
        model = ltr.load_model(path, trust_edited=True)
    except (DataError, ParameterError):
        return False
    _refuses_unless_as_written(ltr.load_model, path)
    features = (
        np.linspace(-1, 1, 8 * model.n_features_in_).reshape(8, -1) if model.n_features_in_ < 5000 else None
    )
    if features is None:
        return True
    qid = np.repeat([0, 1], 4)
    scores = model.predict(features, qid=qid)
    if scores.shape != (8,) or not np.isfinite(scores).all():
        raise Finding("a model that was taken gives no scores")
    if not np.isfinite(model.feature_importances_).all():
        raise Finding("a model that was taken has no importances")
    if model.additive:
        model.explain(features, qid=qid) if model.needs_qid else model.explain(features)
    repr(model), model.history_.to_csv().encode()
    again = _FOLDER / "again.json"
    model.save(again)
    if not np.array_equal(ltr.load_model(again).predict(features, qid=qid), scores):
        raise Finding("saved and read again, a model gives other scores")
    return True


def _refuses_unless_as_written(load: Callable[[Path], object], path: Path) -> None:
    """Whatever is taken on trust only is not as we wrote it, by a reckoning of our own."""
    as_written = all(_is_signed(line) for line in path.read_bytes().splitlines() if line.strip())
    try:
        load(path)
    except DataError as error:
        if as_written or "was edited" not in str(error):
            raise Finding(f"taken on trust, and refused for something else: {error}") from error


def _is_signed(line: bytes) -> bool:
    head, _, rest = line.strip().partition(b'", ')
    if not head.startswith(b'{"checksum": "'):
        return b'"checksum"' not in line
    return head[14:].decode("latin-1") == hashlib.blake2b(rest, digest_size=8).hexdigest()


def _sweep_seeds() -> list[bytes]:
    path = _FOLDER / "seed.jsonl"
    path.unlink(missing_ok=True)
    train, valid, test = ltr.split(_tiny(), (0.5, 0.25, 0.25), seed=0)
    ltr.sweep(
        "MPBoost",
        {"lam": [0.5, 1.0]},
        (train, valid, test),
        fixed={"n_rounds": 2, "ddf": "logdd"},
        store=path,
    )
    return [path.read_bytes()]


def _check_sweep(data: bytes) -> bool:
    path = _FOLDER / "sweep.jsonl"
    path.write_bytes(data)
    try:
        sweep = ltr.load_sweep(path, trust_edited=True)
    except (DataError, ParameterError):
        return False
    _ = sweep.table, sweep.points, sweep.curves, sweep.test, repr(sweep)
    if sweep.chosen is not None:
        _ = sweep.best_params, sweep.best_value, sweep.best_rounds, sweep.against(None)
    return True


def _draw_sweep_line(data: bytes, draw: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = draw.randrange(len(lines))
    if lines[at]:
        lines[at] = mutate_json(lines[at], draw)
    return b"\n".join(lines)


class _SweepTarget(Target):
    def draw(self, draw: random.Random, seeds: list[bytes]) -> bytes:
        one = draw.choice(seeds)
        return _draw_sweep_line(one, draw) if draw.random() < 0.7 else mutate(one, draw, self.words, seeds)


def _link_seeds() -> list[bytes]:
    return [
        b"data.cubic..cubic-n_queries.400..r0.MPBoost.ddf.ldd.lam.0_5..base.1..ndcg-k.5",
        b"r0.MPBoost..r3.FRank.n_rounds.20..base.3..measure.map..letor.1..shape_table._5B_5B0_2C1_5D_2C_5B-1_2C0_5D_5D",
        b"runs.none..log_rounds.1..layout.multiples..repeat.folds",
    ]


def _check_link(data: bytes) -> bool:
    from pages.ui.app import controls  # noqa: F401 (fills the controls)
    from pages.ui.session import link, state

    params = state.CONTROLS
    text = data.decode("utf-8", errors="replace")
    values, runs, wrong = link.decode(text, params)
    for name, value in values.items():
        params[name].check(value)
    if runs is not None:
        again, same, more = link.decode(link.encode(values, params, runs), params)
        if (again, same, more) != (values, runs, []):
            raise Finding("what a link says changes when it is written again")
    return not wrong


def _score_seeds() -> list[bytes]:
    return [
        b"\n".join(str(v / 7).encode() for v in range(40)) + b"\n",
        b"score\n" + b"1e-3\n" * 40,
        b"".join(b"%d Q0 row%d %d %g x\n" % (i // 5, i + 1, i % 5 + 1, 5 - i % 5) for i in range(40)),
    ]


def _check_scores(data: bytes) -> bool:
    from ltr_core.evaluation.evaluating import scores_of

    path = _FOLDER / "scores.txt"
    path.write_bytes(data)
    try:
        scores = scores_of(path, _tiny())
    except (DataError, ParameterError):
        return False
    if scores.shape != (40,) or not np.isfinite(scores).all():
        raise Finding("scores that are none were taken")
    numbers = []
    for line in data.decode("utf-8", errors="replace").splitlines():
        words = line.replace(",", " ").split()
        if len(words) == 1:
            try:
                numbers.append(float(words[0]))
            except ValueError:
                continue
    if len(numbers) == 40 and not math.isnan(sum(numbers)) and not np.array_equal(scores, numbers):
        raise Finding("other scores than those in the file")
    return True


_LETOR_WORDS = (
    b"qid:",
    b"1:",
    b"2:",
    b"0:",
    b"#docid = x",
    b"qid:1",
    b" 1000000:",
    b"1000001:",
    b"NULL",
    b"1:nan",
)
_TABLE_WORDS = (b"grade", b"qid", b"docid", b",,", b'"', b'"a,b"', b"label", b"f1")

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("letor", _letor_seeds, _check_letor, _LETOR_WORDS),
        Target("csv", _csv_seeds, _check_csv, _TABLE_WORDS),
        Target("tsv", _csv_seeds, _check_tsv, _TABLE_WORDS),
        Target("parquet", _parquet_seeds, _check_parquet, (b"PAR1", b"grade", b"qid")),
        Target(
            "model", _model_seeds, _check_model, (b"null", b"[]", b"{}", b"Infinity", b"1e999"), is_json=True
        ),
        _SweepTarget("sweep", _sweep_seeds, _check_sweep, (b"null", b"[]", b"{}", b"Infinity", b"1e999")),
        Target(
            "link", _link_seeds, _check_link, (b"..", b".", b"r0.", b"base.", b"_2C", b"_", b"none", b"runs")
        ),
        Target("scores", _score_seeds, _check_scores, (b"Q0", b"1e999", b"nan", b"score")),
    )
}


def corpus(name: str) -> list[bytes]:
    """Return the inputs kept for a target: those that a reader once got wrong."""
    folder = Path(__file__).parent / "corpus" / name
    return [path.read_bytes() for path in sorted(folder.glob("*"))] if folder.is_dir() else []


def one(target: Target, data: bytes) -> bool:
    """Check one input; any exception but a finding is a finding, too."""
    try:
        return target.check(data)
    except Finding:
        raise
    except Exception as error:
        raise Finding(f"{type(error).__name__}: {error}") from error


def as_text(data: bytes) -> str:
    """Return an input as a person reads it."""
    return json.dumps(data[:300].decode("latin-1"))
