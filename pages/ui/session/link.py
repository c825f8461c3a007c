"""The workspace as text for the URL, and back. Plain functions: what a link says never depends on a session.

    data.cubic..cubic-n_queries.400..r0.MPBoost.ddf.ldd.lam.0_5..base.1..ndcg-k.5

Parts are joined by two dots, a part's words by one. A number's point is written "_", and whatever else is not
a letter, a digit or "-" in a text is "_" and two hexadecimal digits: nothing here needs percent signs, and
nothing is lost when a chat program cuts a link at a comma or a bracket. A parameter at its default is not
written, unless that default was another one before (`Param.unnamed`): old links keep meaning what they said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ltr_core import MEASURES, Param, ParameterError
from ltr_core.datasets import DATASETS

from ..runs.specs import MAX_RUNS, Recipe, Workspace, recipe_of
from ..style.methods import is_known, method
from ..style.sentences import on_screen
from ..style.words import expected, param_label

MAX_LENGTH = 20_000  # characters: ten runs of many parameters take about 1,500

_ODD = re.compile(r"[^A-Za-z0-9-]")
_SLOT = re.compile(r"r(\d)")  # as many as there are runs on screen


def encode_value(param: Param, value: Any) -> str:
    """Write a value of a parameter as one word."""
    if value is None:
        return "none"
    if param.kind == "bool":
        return "1" if value else "0"
    if param.kind in ("int", "float"):
        return repr(value).replace(".", "_").replace("+", "")
    if param.kind == "table":
        return _escape(json.dumps(value, separators=(",", ":")))
    return _escape(str(value))


def decode_value(param: Param, word: str) -> Any:
    """Read a value, checked, or raise a `ParameterError`."""
    if word == "none" and param.optional:
        return None
    try:
        if param.kind == "choice":
            return param.check(next(c for c in param.choices if _escape(str(c)) == word))
        if param.kind == "bool":
            return {"0": False, "1": True}[word]
        if param.kind == "int":
            return param.check(int(word))
        if param.kind == "float":
            return param.check(float(word.replace("_", ".")))
        text = _unescape(word)
        return param.check(_tuples(json.loads(text)) if param.kind == "table" else text)
    except (StopIteration, KeyError, ValueError, OverflowError, RecursionError):
        raise ParameterError(f"{param_label(param)} takes {expected(param)}") from None


def encode_workspace(workspace: Workspace) -> list[str]:
    """Write runs and baseline as parts of a link."""
    parts = []
    for slot, recipe in workspace.slots:
        parts.append(f"r{slot}.{encode_recipe(recipe)}")
    if not parts:
        return ["runs.none"]
    first = workspace.slots[0][0]
    return parts if workspace.baseline == first else [*parts, f"base.{workspace.baseline}"]


@lru_cache(256)  # the same few are written with every click
def encode_recipe(recipe: Recipe) -> str:
    """Write an algorithm and its parameters."""
    params, values = method(recipe.algorithm).all_params(), recipe.values()
    said = [p for p in params if values[p.name] != p.unnamed and p.applies(values)]
    words = [f"{p.name}.{encode_value(p, values[p.name])}" for p in said]
    return ".".join([recipe.algorithm, *words])


def decode_recipe(words: list[str]) -> Recipe:
    """Read an algorithm and its parameters."""
    if not words or not words[0]:
        raise ParameterError("a run has no algorithm")
    algorithm, rest = words[0], words[1:]
    if not is_known(algorithm):
        raise ParameterError(f"there is no algorithm “{algorithm[:30]}” here")
    known, whose = {p.name: p for p in method(algorithm).all_params()}, method(algorithm).label or algorithm
    if len(rest) % 2:
        last = param_label(known[rest[-1]]) if rest[-1] in known else f"“{rest[-1][:30]}”"
        raise ParameterError(f"{whose}: {last} has no value")
    values = {p.name: p.unnamed for p in known.values() if p.was}
    for name, word in zip(rest[::2], rest[1::2], strict=True):
        if name not in known:
            raise ParameterError(f"{whose} has no parameter “{name[:30]}”")
        values[name] = _told_whose(whose, known[name], word)
    return recipe_of(algorithm, values)


def encode(values: Mapping[str, Any], params: Mapping[str, Param], workspace: Workspace) -> str:
    """Write controls by name, then the workspace."""
    parts = [f"{name}.{encode_value(params[name], value)}" for name, value in values.items()]
    return "..".join(parts + encode_workspace(workspace))


def decode(text: str, params: Mapping[str, Param]) -> tuple[dict[str, Any], Workspace | None, list[str]]:
    """Read a link: the controls it sets, its workspace (None: not in it), and what could not be read.

    `params` are all controls that a link may set. Nothing in the text can raise: what is wrong is left out.
    """
    values: dict[str, Any] = {}
    slots: dict[int, Recipe] = {}
    baseline, has_runs, wrong = None, False, []
    if len(text) > MAX_LENGTH:
        return {}, None, ["it is longer than any link of this page"]
    for part in filter(None, text.split("..")):
        head, *words = part.split(".")
        try:
            if match := _SLOT.fullmatch(head):
                has_runs = True
                recipe = decode_recipe(words)
                if recipe not in slots.values() and len(slots) < MAX_RUNS:
                    slots[int(match[1])] = recipe
            elif head == "runs" and words == ["none"]:
                has_runs = True
            elif head == "base":
                baseline = _slot(words)
            elif head in params:
                values[head] = read(params, head, ".".join(words))
            else:
                wrong.append(unknown(head, part))
        except ParameterError as error:
            wrong.append(on_screen(error).rstrip("."))
    workspace = Workspace(tuple(slots.items()), baseline) if slots or (has_runs and not wrong) else None
    return values, workspace, wrong


def unknown(name: str, part: str) -> str:
    """Return what is said of a part of a link that nothing on screen stands for."""
    if re.fullmatch(r"r\d+", name):
        return f"“{part[:40]}”, a run beyond the {MAX_RUNS} that a page shows"
    return f"“{part[:40]}”, which is the name of nothing here"


def read(params: Mapping[str, Param], name: str, word: str) -> Any:
    """Read the value of a control, checked; the error says what the control is called, and whose it is."""
    return _told_whose(_owner(name), params[name], word)


def _slot(words: list[str]) -> int:
    try:
        return int(words[0])
    except (ValueError, IndexError):
        raise ParameterError("the baseline is one of the runs on screen") from None


def _owner(name: str) -> str:
    """Return what the data set or the measure is called that a control belongs to; empty for all others."""
    owner = name.rpartition("-")[0]
    found = DATASETS.get(owner) or MEASURES.get(owner)
    return found.label if found is not None else ""


def _told_whose(whose: str, param: Param, word: str) -> Any:
    """Read a value; the error says whose parameter it is, several having one of that name."""
    try:
        return decode_value(param, word)
    except ParameterError as error:
        raise ParameterError(f"{whose}: {error}" if whose else f"{error}") from None


def _escape(text: str) -> str:
    return _ODD.sub(lambda odd: "".join(f"_{b:02X}" for b in odd[0].encode()), text) or "_"


def _unescape(word: str) -> str:
    if word == "_":
        return ""
    raw = re.sub(rb"_([0-9A-F]{2})", lambda m: bytes.fromhex(m[1].decode()), word.encode())
    return raw.decode()


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value
