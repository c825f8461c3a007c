"""List the data sets that can be generated and those found in a folder, or describe and write one."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from typing import Any

from ...data import describe, save
from ...datasets import DATA_FOLDER, DATASETS, DataSet, Found, found
from ...datasets.parts.base import SEED
from ...errors import DataError
from .. import output
from ..given import as_seed
from ..parsing import PROGRAM, help_of, option_group
from ..values import nearly, read_pairs
from .algorithms import param_facts
from .check import tell_facts

EPILOG = f"""examples:
  {PROGRAM} datasets
  {PROGRAM} datasets cubic --set n_queries=20 n_docs=8
  {PROGRAM} datasets cubic --set n_queries=20 --seed 3 --out cubic.txt
  {PROGRAM} datasets --folder ~/letor

--out writes LETOR text, or .csv, .tsv, .parquet by its suffix; with .gz, .bz2 or .zst behind, compressed.
"""


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes."""
    add, many = option_group(parser), {"action": "extend", "nargs": "+", "default": []}
    add("name", "NAME", "a data set of the list", nargs="?")
    add("--folder", "", "where to look for sets on disk (default: data/)", default=str(DATA_FOLDER))
    add("--set", "NAME=VALUE", "sizes of a generated set", **many)
    add("--seed", "N", "of a generated set (default: 0)", type=as_seed, default=0)
    add("--out", "FILE", "write the set into a file")
    add("--json", "", "print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the list, or the one set."""
    on_disk = {entry.name: entry for entry in found(args.folder)}
    if args.name is not None:
        return _show(args, on_disk)
    if args.json:
        generated = [_generated_facts(entry) for entry in DATASETS.values()]
        output.print_json({"generated": generated, "found": [_found_facts(e) for e in on_disk.values()]})
        return 0
    print("generated, by name:")
    rows = [(entry.name, _sizes(entry), entry.summary) for entry in DATASETS.values()]
    output.print_table(("name", "parameters and defaults", "what is in it"), rows, indent="  ")
    print(f"\nfound in {args.folder}:" if on_disk else f"\nnothing is found in {args.folder}")
    if on_disk:
        sizes = [(e.name, e.kind, f"{_bytes(e) / 1e6:.1f} MB", e.summary) for e in on_disk.values()]
        output.print_table(("name", "kind", "size", "what it is"), sizes, indent="  ")
    return 0


def _show(args: argparse.Namespace, on_disk: dict[str, Found]) -> int:
    if args.name.lower() in DATASETS:
        return _show_generated(args, DATASETS[args.name.lower()])
    entry = on_disk.get(args.name)
    if entry is None:
        near = nearly(args.name, [*DATASETS, *on_disk])
        todo = f"{near}take one of {', '.join([*DATASETS, *on_disk])}"
        raise DataError(f"there is no data set {args.name!r}", todo)
    if args.out or args.set:
        what = "only a generated set has sizes and can be written"
        raise DataError(what, "leave --set and --out out", file=args.name)
    if args.json:
        output.print_json(_found_facts(entry))
        return 0
    print(f"{entry.path}: {entry.summary}")
    for fold in entry.folds:
        print(f"  {fold.name}: {', '.join(path.name for path in fold.files)}")
    print(f"`{PROGRAM} check FILE` says what a file holds.")
    return 0


def _show_generated(args: argparse.Namespace, entry: DataSet) -> int:
    params = (*entry.params, SEED)
    values = {"seed": args.seed, **read_pairs(args.set, params, f"The data set {entry.name}", "--set")}
    output.check_writable(args.out)
    data = entry.make(**values)
    if args.out:
        save(data, args.out)
    if args.json:
        size = {name: value for name, value in values.items() if name != "seed"}
        made = {"values": {**entry.checked(size), "seed": values["seed"]}, "facts": describe(data)}
        output.print_json({**_generated_facts(entry), **made, "file": args.out})
        return 0
    print(f"{entry.label}: {entry.summary}\n{entry.description}\n")
    output.print_table(("parameter", "what it is"), [(p.name, help_of(p)) for p in params])
    print()
    print("\n".join(tell_facts(f"as given, with seed {values['seed']}", describe(data))))
    if args.out:
        print(f"\nIt is in {args.out}.")
    return 0


def _generated_facts(entry: DataSet) -> dict[str, Any]:
    facts = {
        name: getattr(entry, name) for name in ("name", "label", "summary", "description", "paper", "split")
    }
    return {**facts, "params": [param_facts(p) for p in entry.params]}


def _found_facts(entry: Found) -> dict[str, Any]:
    facts = {"name": entry.name, "kind": entry.kind, "path": str(entry.path), "bytes": _bytes(entry)}
    folds = [dataclasses.asdict(fold) for fold in entry.folds]
    return {**facts, "folds": folds, "problem": entry.problem or None}


def _bytes(entry: Found) -> int:
    files = [path for fold in entry.folds for path in fold.files]
    return sum(path.stat().st_size for path in (files or [entry.path] if not entry.problem else []))


def _sizes(entry: DataSet) -> str:
    defaults = {p.name: f"{p.default:g}" if isinstance(p.default, float) else p.default for p in entry.params}
    return ", ".join(f"{name}={value}" for name, value in defaults.items())
