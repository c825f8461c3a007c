"""Inputs that are nearly right: bytes, words, lines of good ones, exchanged, repeated, cut, made extreme."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

BYTES = [bytes([b]) for b in b"\x00\xff\r\n\t \"',:#-."] + [b"\r\n", b"\xef\xbb\xbf"]
NUMBERS = [
    "0",
    "-0",
    "1",
    "-1",
    "1e308",
    "1e-320",
    "1e999",
    "-1e999",
    "3.5e38",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "NULL",
    "null",
    "9223372036854775807",
    "true",
    "9223372036854775808",
    "-9223372036854775809",
    "0x10",
    "1_0",
    "1e",
    ".",
    "+",
    "٣",
    "1,5",
    "4294967296",
    "0.1e-5",
    "00012",
    "16777217",
] + ["", "1" + "0" * 40]
ODD_TEXTS = [*["\x00", "�", "é", "<b>", "__class__", "null", "1e999", "../../etc", "\u202e"], "", "x" * 5000]


def mutate(data: bytes, draw: random.Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    """Return bytes changed in one to five places; `words` belong to the format, `others` are good inputs."""
    for _ in range(draw.choice((1, 1, 1, 2, 3, 5))):
        data = draw.choice(_WAYS)(data, draw, words, others)
    return data[:200_000]


def _place(data: bytes, draw: random.Random) -> int:
    return draw.randrange(len(data) + 1)


def _flip(data: bytes, draw: random.Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    if not data:
        return b"\x01"
    at = draw.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :]


def _insert(data: bytes, draw: random.Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    at, word = _place(data, draw), draw.choice([*words, *BYTES, draw.choice(NUMBERS).encode()])
    return data[:at] + word + data[at:]


def _replace_word(data: bytes, draw: random.Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    """Exchange what stands between two separators."""
    start = _place(data, draw)
    while start > 0 and data[start - 1 : start] not in (
        b" ",
        b":",
        b",",
        b"\n",
        b"\t",
        b"[",
        b"{",
        b".",
        b'"',
    ):
        start -= 1
    end = start
    while end < len(data) and data[end : end + 1] not in (
        b" ",
        b":",
        b",",
        b"\n",
        b"\t",
        b"]",
        b"}",
        b".",
        b'"',
    ):
        end += 1
    word = draw.choice([*words, draw.choice(NUMBERS).encode(), draw.choice(NUMBERS).encode()])
    return data[:start] + word + data[end:]


def _cut(data: bytes, draw: random.Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    start, end = sorted((_place(data, draw), _place(data, draw)))
    if draw.random() < 0.7:
        end = min(end, start + draw.choice((1, 2, 5, 20)))
    return data[:start] + data[end:]


def _repeat(data: bytes, draw: random.Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    start, end = sorted((_place(data, draw), _place(data, draw)))
    end = min(end, start + 200)
    return data[:end] + data[start:end] * draw.choice((1, 1, 3, 20)) + data[end:]


def _splice(data: bytes, draw: random.Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    other = draw.choice(others)
    return data[: _place(data, draw)] + other[_place(other, draw) :]


def _swap_lines(data: bytes, draw: random.Random, words: Sequence[bytes], others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    draw.shuffle(lines)
    return b"\n".join(lines)


_WAYS = [
    _flip,
    _insert,
    _insert,
    _replace_word,
    _replace_word,
    _replace_word,
    _cut,
    _repeat,
    _splice,
    _swap_lines,
]


def mutate_json(data: bytes, draw: random.Random) -> bytes:
    """Return a JSON text with one to four values exchanged, dropped, nested or doubled."""
    tree = json.loads(data)
    for _ in range(draw.choice((1, 1, 2, 4))):
        tree = _change(tree, draw)
    text = json.dumps(tree)
    for literal in ("1e999", "-1e999", "NaN", "Infinity"):
        if draw.random() < 0.05:
            text = text.replace(draw.choice(("0.5", "1.0", "1", "0")), literal, 1)
    return text.encode("utf-8", errors="surrogatepass")


def _odd(draw: random.Random) -> Any:
    deep: Any = 1
    for _ in range(draw.choice((1, 50, 400)) if draw.random() < 0.1 else 1):
        deep = [deep]
    whole = [0, -1, 1, 2**31, 2**63, -(2**63), 10**40, True, False, None]
    real = [0.5, 1e308, -1e308, 1e-320, float("inf"), float("nan")]
    return draw.choice(
        [*whole, *real, draw.choice(ODD_TEXTS), [], {}, [None], {"x": 1}, deep, [[1e308] * 3] * 3]
    )


def _change(node: Any, draw: random.Random) -> Any:
    if isinstance(node, dict) and node and draw.random() < 0.9:
        key = draw.choice(list(node))
        way = draw.random()
        if way < 0.12:
            return {k: v for k, v in node.items() if k != key}
        if way < 0.2:
            return {**node, draw.choice(ODD_TEXTS): _odd(draw)}
        return {**node, key: _change(node[key], draw)}
    if isinstance(node, list) and node and draw.random() < 0.9:
        at = draw.randrange(len(node))
        way = draw.random()
        if way < 0.1:
            return node[:at] + node[at + 1 :]
        if way < 0.2:
            return node + [node[at]]
        return node[:at] + [_change(node[at], draw)] + node[at + 1 :]
    return _odd(draw)
