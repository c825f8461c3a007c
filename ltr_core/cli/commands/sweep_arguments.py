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
from ..parsing import PROGRAM, find_algorithm, help_of, named_algorithm, names_of_all
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
    group = parser.add_argument_group("points")
    group.add_argument(
        "--vary",
        nargs="+",
        action="extend",
        required=True,
        metavar="NAME[=VALUES]",
        help="a parameter and its values or range (below); repeatable",
    )
    group.add_argument(
        "--fixed",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter that is neither varied nor at its default; repeatable",
    )
    group.add_argument(
        "--sampler", choices=SAMPLERS, default="grid", help="every combination (grid), or drawn ones"
    )
    group.add_argument(
        "--trials", "--n-trials", type=int, metavar="N", help="how many points a sampler draws"
    )
    group.add_argument("--pruner", choices=("none", *PRUNERS), help="end bad points early")
    group.add_argument("--folds", type=int, metavar="N", help="cut the data into so many folds")
    group.add_argument(
        "--seeds",
        default="1",
        metavar="N|A,B,…",
        help="how many random states a point is trained with, or which",
    )
    given.add_arguments(parser)
    measuring.add_arguments(
        parser,
        "the first one is compared, others are noted (default: ndcg@10); repeatable, or with commas",
    )
    group = parser.add_argument_group("where it runs")
    group.add_argument(
        "--workers",
        "--n-workers",
        type=int,
        metavar="N",
        help="how many threads (default: one for each core)",
    )
    group.add_argument("--scheduler", metavar="tcp://…", help="a Dask scheduler: the fits run on its workers")
    group.add_argument("--estimate", action="store_true", help="only say what the sweep would take")
    group = parser.add_argument_group("what comes of it")
    group.add_argument(
        "--store", metavar="FILE.jsonl", help="keep every finished fit there, and go on from it"
    )
    group.add_argument("--quiet", action="store_true", help="do not tell how far it is")
    _add_results(group)
    cls = named_algorithm(words)
    if cls is not None:
        lines = "\n".join(f"  {p.name}: {help_of(p)}" for p in _params_of(cls))
        parser.epilog = f"parameters of {cls.__name__}:\n{lines}\n\n{parser.epilog or ''}"


def is_file(word: str) -> bool:
    """Whether a sweep's file is given in place of an algorithm."""
    return word.endswith(".jsonl") or (
        Path(word).is_file() and word.lower() not in map(str.lower, ALGORITHMS)
    )


def _add_results(parser: argparse._ActionsContainer) -> None:
    """Add what is shown and written of a sweep, new or opened."""
    parser.add_argument("--csv", metavar="FILE.csv", help="one row for each fit of each point")
    parser.add_argument(
        "--curves", metavar="FILE.csv", help="each fit, round by round: its measures on validation"
    )
    parser.add_argument(
        "--baseline", type=int, metavar="POINT", help="what points are compared with (default: the chosen)"
    )
    parser.add_argument("--all", action="store_true", help="print all points, not the best alone")
    parser.add_argument("--json", action="store_true", help="print JSON")


def read_arguments(args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `ltr.sweep` that do not depend on where it runs."""
    cls = find_algorithm(args.algorithm)
    owner, params = cls.__name__, _params_of(cls)
    space = read_space(args.vary, params, owner, args.sampler == "grid")
    fixed = read_pairs(args.fixed, params, owner, "--fixed")
    measures = measuring.measures_of(args, ("ndcg@10",))
    if args.sampler == "grid" and args.trials is not None:
        raise ParameterError("A grid tries every point: leave --trials out, or take --sampler random.")
    if args.sampler != "grid" and args.trials is None:
        raise ParameterError(f"--sampler {args.sampler} draws points: say how many with --trials.")
    if args.workers is not None and args.workers < 1:
        raise ParameterError(f"--workers {args.workers}: give at least one.")
    output.check_writable(args.csv, args.curves, args.store)
    data = given.open_data(args, many=True)
    if data.folds and args.folds is not None:
        raise ParameterError("The data are cut already: leave --folds out.")
    seeds = read_numbers(args.seeds, "--seeds")
    if len(seeds) == 1 and "," not in args.seeds and seeds[0] < 1:
        raise ParameterError(f"--seeds {args.seeds}: give how many, at least one, or which, such as 0,1,2.")
    return {
        "algorithm": owner,
        "space": space,
        "data": data.whole if data.whole is not None else data.folds,
        "sampler": args.sampler,
        "n_trials": args.trials,
        "pruner": None if args.pruner == "none" else args.pruner,
        "folds": args.folds,
        "measure": measures[0],
        "measures": measures[1:],
        "fixed": fixed,
        "seeds": seeds[0] if "," not in args.seeds else seeds,
        "seed": args.seed,
        "store": args.store,
    }


def _params_of(cls: type[Ranker]) -> list[Param]:
    return [p for p in cls.all_params() if p.name != "random_state"]
