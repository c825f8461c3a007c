"""Say what a file holds, or what is wrong with it, line by line (exit code 2)."""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...data import MISSING, Problem, describe, find_folds, has_checksum, load, report, say_formats
from ...errors import DataError, ParameterError
from ..output import print_json
from ..parsing import PROGRAM, option_group
from ..values import in_flags

EPILOG = f"""examples:
  {PROGRAM} check train.txt
  {PROGRAM} check data/cubic-small
  {PROGRAM} check data/cubic-small/Fold1/train.txt --json
  {PROGRAM} check table.csv --ignore title --missing zero
"""
MOST_PROBLEMS = 10  # kinds that are told
_MOST_READ = 10_000
_MOST_ALIKE = 3  # sentences of a kind that are all told
_MOST_NAMES = 12


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes."""
    what = f"{say_formats(' or ')}; may be .gz .bz2 .zst"
    add, missing = option_group(parser), "what a missing value (NULL, NaN, an empty cell) becomes"
    add("file", "FILE|FOLDER", f"{what}; or a folder with such files to train, to validate and to test")
    add("--missing", "", f"{missing} (default: error)", choices=MISSING, default="error")
    add("--ignore", "COLUMN", "leave a column out; may be repeated", action="append", default=[])
    add("--json", "", "print JSON")


def run(args: argparse.Namespace) -> int:
    """Print what the file holds, or up to ten sentences on what is wrong with it."""
    options: dict[str, Any] = {"missing": args.missing, "ignore": args.ignore}
    if Path(args.file).is_dir():
        files = [str(path) for fold in find_folds(args.file) for path in fold.files]
        if args.json:
            raise ParameterError(
                f"--json tells of one file, and {args.file} is a folder: name one of its files."
            )
        return max(run(argparse.Namespace(**{**vars(args), "file": file})) for file in files)
    try:
        facts = {**describe(load(args.file, **options)), "checksum": has_checksum(args.file)}
    except DataError as error:
        return _tell_problems(args, options, error)
    if args.json:
        print_json({"file": args.file, "ok": True, **facts})
    else:
        print("\n".join(tell_facts(args.file, facts)))
    return 0


def _tell_problems(args: argparse.Namespace, options: dict[str, Any], error: DataError) -> int:
    problems = report(args.file, limit=_MOST_READ, **options)
    problems = problems or [Problem(error.line, error.column, str(error))]
    if args.json:
        listed = [dataclasses.asdict(problem) for problem in problems[:MOST_PROBLEMS]]
        more = len(problems) > MOST_PROBLEMS
        print_json({"file": args.file, "ok": False, "problems": listed, "more_problems": more})
    kinds = _kinds(problems)
    print("\n".join(in_flags(line) for kind in kinds[:MOST_PROBLEMS] for line in kind), file=sys.stderr)
    if len(kinds) > MOST_PROBLEMS:
        print(f"There are more problems; these are the first {MOST_PROBLEMS} kinds.", file=sys.stderr)
    return 2


def _kinds(problems: Sequence[Problem]) -> list[list[str]]:
    """Return the sentences on each kind of problem: all of a few, else the first one and how many more."""
    alike: dict[str, list[Problem]] = {}
    for problem in problems:
        alike.setdefault(re.sub(r"\d+|“[^”]*”", "0", problem.sentence), []).append(problem)
    read_all = len(problems) < _MOST_READ
    return [_say_kind(kind, read_all) for kind in alike.values()]


def _say_kind(kind: Sequence[Problem], read_all: bool) -> list[str]:
    if len(kind) <= _MOST_ALIKE:
        return [problem.sentence for problem in kind]
    lines = [problem.line for problem in kind[1:] if problem.line is not None]
    where = f", in lines {', '.join(map(str, lines[:_MOST_ALIKE]))} …" if lines else ""
    count = f"{len(kind) - 1:,}" if read_all else f"at least {len(kind) - 1:,}"
    return [kind[0].sentence, f"  and {count} more like it{where}"]


def tell_facts(file: str, facts: dict[str, Any]) -> list[str]:
    """Return the lines that say what a set holds."""
    # Numbers without separators: they are searched for and passed on.
    sizes = facts["documents_per_query"]
    rows = [
        ("queries", f"{facts['queries']}"),
        ("documents", f"{facts['documents']}"),
        ("documents per query", f"min {sizes['min']}, median {sizes['median']:g}, max {sizes['max']}"),
        ("features", f"{facts['features']}"),
        ("constant features", _list_names(facts["constant_features"])),
        ("grades", _list_grades(facts)),
        ("pairs of distinct grade", f"{facts['pairs']}"),
        ("queries without pairs", f"{facts['queries_without_pairs']}"),
        ("doc ids", "yes" if facts["doc_ids"] else "no"),
        ("fingerprint", facts["fingerprint"]),
    ]
    if not facts.get("checksum", True):
        rows.append(("checksum", "none: damage inside need not show (zstd --check writes one)"))
    width = max(len(label) for label, _ in rows)
    return [file] + [f"  {label:<{width}}  {text}" for label, text in rows]


def _list_grades(facts: dict[str, Any]) -> str:
    if facts["grades"] is None:
        lowest, highest = facts["lowest_grade"], facts["highest_grade"]
        return f"{facts['distinct_grades']} distinct, from {lowest:g} to {highest:g}"
    return ", ".join(f"{grade:g} × {count}" for grade, count in facts["grades"])


def _list_names(names: list[str]) -> str:
    if not names:
        return "none"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"{len(names)}: {', '.join(names[:_MOST_NAMES])}{more}"
