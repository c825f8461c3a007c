"""What the sweep command takes, and the arguments of `ltr.sweep` that this makes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...algorithms import ALGORITHMS, Ranker
from ...errors import ParameterError
from ...params import Param
from ...sweeps import PRUNERS, SAMPLERS
from .. import given, measuring, output
from ..parsing import PROGRAM, add_trust, find_algorithm, help_of, named_algorithm, names_of_all
from ..values import read_numbers, read_pairs, read_space


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes; the parameters of the algorithm that the words name are listed below."""
    if words and is_file(words[0]):
        parser.add_argument("file", metavar="FILE.jsonl", help="a sweep's file, whoever wrote it")
        _add_results(parser)
        return
    parser.usage = (
        f"{PROGRAM} sweep ALGORITHM --data WHAT --vary NAME=VALUES … [options]\n"
        f"       {PROGRAM} sweep FILE.jsonl [options of what comes of it]"
    )
    parser.add_argument("algorithm", metavar="ALGORITHM", help=f"one of {names_of_all()}")
    group, many = parser.add_argument_group("points"), {"nargs": "+", "action": "extend"}
    told = "a parameter and its values or range (below); repeatable"
    _add(group, "--vary", "NAME[=VALUES]", told, required=True, **many)
    told = "a parameter that is neither varied nor at its default; repeatable"
    _add(group, "--fixed", "NAME=VALUE", told, default=[], **many)
    whole = ", ".join(f"{sampler.help} ({name})" for name, sampler in SAMPLERS.items() if not sampler.draws)
    _add(group, "--sampler", None, f"{whole}, or drawn ones", choices=tuple(SAMPLERS), default="grid")
    _add(group, "--trials --n-trials", "N", "how many points a sampler draws", type=int)
    _add(group, "--pruner", None, "end bad points early", choices=("none", *PRUNERS))
    _add(group, "--folds", "N", "cut the data into so many folds", type=int)
    told = "how many random states a point is trained with, or which"
    _add(group, "--seeds", "N|A,B,…", told, default="1")
    given.add_arguments(parser)
    told = "the first one is compared, others are noted (default: ndcg@10); repeatable, or with commas"
    measuring.add_arguments(parser, told)
    group = parser.add_argument_group("where it runs")
    _add(group, "--workers --n-workers", "N", "how many threads (default: one for each core)", type=int)
    _add(group, "--scheduler", "tcp://…", "a Dask scheduler: the fits run on its workers")
    _add(group, "--estimate", None, "only say what the sweep would take", action="store_true")
    group = parser.add_argument_group("what comes of it")
    _add(group, "--store", "FILE.jsonl", "keep every finished fit there, and go on from it")
    _add(group, "--quiet", None, "do not tell how far it is", action="store_true")
    _add_results(group)
    cls = named_algorithm(words)
    if cls is not None:
        lines = "\n".join(f"  {p.name}: {help_of(p)}" for p in _params_of(cls))
        parser.epilog = f"parameters of {cls.__name__}:\n{lines}\n\n{parser.epilog or ''}"


def _add(parser: argparse._ActionsContainer, names: str, metavar: str | None, told: str, **more: Any) -> None:
    if metavar is not None:
        more["metavar"] = metavar
    parser.add_argument(*names.split(), help=told, **more)


def is_file(word: str) -> bool:
    """Whether a sweep's file is given in place of an algorithm."""
    names = map(str.lower, ALGORITHMS)
    return word.endswith(".jsonl") or (Path(word).is_file() and word.lower() not in names)


def _add_results(parser: argparse._ActionsContainer) -> None:
    """Add what is shown and written of a sweep, new or opened."""
    add_trust(parser)
    _add(parser, "--csv", "FILE.csv", "one row for each fit of each point")
    _add(parser, "--curves", "FILE.csv", "each fit, round by round: its measures on validation")
    _add(parser, "--baseline", "POINT", "what points are compared with (default: the chosen)", type=int)
    _add(parser, "--all", None, "print all points, not the best alone", action="store_true")
    _add(parser, "--json", None, "print JSON", action="store_true")


def read_arguments(args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `ltr.sweep` that do not depend on where it runs."""
    cls, draws = find_algorithm(args.algorithm), SAMPLERS[args.sampler].draws
    owner, params = cls.__name__, _params_of(cls)
    space = read_space(args.vary, params, owner, not draws)
    fixed = read_pairs(args.fixed, params, owner, "--fixed")
    measure, *measures = measuring.measures_of(args, ("ndcg@10",))
    if not draws and args.trials is not None:
        raise ParameterError("A grid tries every point: leave --trials out, or take --sampler random.")
    if draws and args.trials is None:
        raise ParameterError(f"--sampler {args.sampler} draws points: say how many with --trials.")
    if args.workers is not None and args.workers < 1:
        raise ParameterError(f"--workers {args.workers}: give at least one.")
    output.check_writable(args.csv, args.curves, args.store)
    data = given.open_data(args, many=True)
    if data.folds and args.folds is not None:
        raise ParameterError("The data are cut already: leave --folds out.")
    seeds, listed = read_numbers(args.seeds, "--seeds"), "," in args.seeds
    if not listed and seeds[0] < 1:
        raise ParameterError(f"--seeds {args.seeds}: give how many, at least one, or which, such as 0,1,2.")
    return {
        "algorithm": owner,
        "space": space,
        "data": data.whole if data.whole is not None else data.folds,
        "sampler": args.sampler,
        "n_trials": args.trials,
        "pruner": args.pruner,
        "folds": args.folds,
        "measure": measure,
        "measures": measures,
        "fixed": fixed,
        "seeds": seeds if listed else seeds[0],
        "seed": args.seed,
        "store": args.store,
        "trust_edited": args.trust_edited,
    }


def _params_of(cls: type[Ranker]) -> list[Param]:
    return [p for p in cls.all_params() if p.name != "random_state"]
