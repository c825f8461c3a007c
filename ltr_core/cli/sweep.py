"""Train an algorithm at many points of its parameters and choose one by validation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..algorithms import Ranker
from ..errors import ParameterError
from ..sweeps import Progress as SweepProgress
from ..sweeps import Sweep, connect, estimate_sweep, load_sweep
from ..sweeps import sweep as run_sweep
from ..sweeps.proposals import SAMPLERS
from ..sweeps.pruning import PRUNERS
from . import given, measuring, output, sweep_report
from .parsing import PROGRAM, find_algorithm, help_of, named_algorithm, names_of_all
from .progress import Progress, interruptible, tell
from .values import GRID_VALUES, read_numbers, read_pairs, read_space

HELP = "train an algorithm at many points of its parameters and choose one"
EPILOG = f"""examples:
  {PROGRAM} sweep mpboost --data data/cubic-small --vary lam=0.1,0.2,0.5,1,2 --store lam.jsonl
  {PROGRAM} sweep MPBoost --data data/MQ2008 --vary lam=0.1:4:8:log n_rounds=50,100,200 \\
      --fixed ddf=logdd --csv fits.csv
  {PROGRAM} sweep lambdamart --data train.txt --folds 5 --vary learning_rate n_leaves \\
      --sampler tpe --trials 40 --pruner median
  {PROGRAM} sweep mpboost --data cubic --vary lam --estimate
  {PROGRAM} sweep mpboost --data data/MQ2008 --vary lam --scheduler tcp://127.0.0.1:8786

what varies:
  lam=0.1,0.2,0.5    these values
  lam=0.1:2          a range; a grid takes {GRID_VALUES} values of it, lam=0.1:2:8 takes 8
  lam=0.1:2:8:log    in equal factors (linear: in equal steps); without it as suits the parameter
  lam                the whole range of the parameter, or all its choices
  A swept number of rounds costs nothing: one training answers for all its values.

A file has folds by --folds, or is cut 60/20/20; a folder's folds are taken as they are (--fold: one of
them). Points are compared on validation data; test data are looked at for the chosen point alone.
With --store every finished fit is kept: the same command goes on where an earlier one was ended, by Ctrl-C
or otherwise, and the file opens in the dashboard and in Python (ltr.load_sweep).

{given.EPILOG}
{measuring.EPILOG}"""


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes; the parameters of the algorithm that the words name are listed below."""
    parser.usage = f"{PROGRAM} sweep ALGORITHM --data WHAT --vary NAME=VALUES … [options]"
    parser.add_argument("algorithm", metavar="ALGORITHM", help=f"one of {names_of_all()}")
    group = parser.add_argument_group("points")
    group.add_argument(
        "--vary", nargs="+", action="extend", required=True, metavar="NAME[=VALUES]",
        help="a parameter and its values or range (below); repeatable",
    )  # fmt: skip
    group.add_argument(
        "--fixed", nargs="+", action="extend", default=[], metavar="NAME=VALUE",
        help="a parameter that is neither varied nor at its default; repeatable",
    )  # fmt: skip
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
    measuring.add_arguments(parser, "the first one is compared, others are written down (default: ndcg@10)")
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
    group.add_argument("--store", metavar="FILE", help="keep every finished fit there, and go on from it")
    group.add_argument("--csv", metavar="FILE.csv", help="one row for each fit of each point")
    group.add_argument("--curves", metavar="FILE.csv", help="every value of every round of every fit")
    group.add_argument(
        "--baseline", type=int, metavar="POINT", help="what points are compared with (default: the chosen)"
    )
    group.add_argument("--all", action="store_true", help="print all points, not the best alone")
    group.add_argument("--quiet", action="store_true", help="do not tell how far it is")
    group.add_argument("--json", action="store_true", help="print JSON")
    cls = named_algorithm(words)
    if cls is not None:
        lines = "\n".join(f"  {p.name}: {help_of(p)}" for p in _params_of(cls))
        parser.epilog = f"parameters of {cls.__name__}:\n{lines}\n\n{parser.epilog or ''}"


def run(args: argparse.Namespace) -> int:
    """Estimate, sweep, and print the points and the chosen one."""
    arguments = _read(args)
    client = connect(args.scheduler) if args.scheduler else None
    try:
        return _run(args, arguments, client)
    finally:
        if client is not None:
            _client_of(client).close()


def _run(args: argparse.Namespace, arguments: dict[str, Any], client: Any) -> int:
    store = arguments.pop("store")
    stored = _n_stored(store)
    n_workers = args.workers if client is None else _count_workers(args.scheduler, client)
    names = ("algorithm", "space", "data", "sampler", "n_trials", "folds", "measure", "fixed", "seed")
    n_seeds = arguments["seeds"] if isinstance(arguments["seeds"], int) else len(set(arguments["seeds"]))
    estimate = estimate_sweep(
        **{name: arguments[name] for name in names}, n_seeds=n_seeds, n_workers=n_workers
    )
    if args.estimate:
        if args.json:
            output.print_json(sweep_report.estimate_facts(estimate))
        else:
            print(sweep_report.say_estimate(estimate))
        return 0
    tell(sweep_report.say_estimate(estimate), args.quiet)
    if stored:
        tell(f"{stored} fits are in {store} already.", args.quiet)
    progress = Progress("fits", args.quiet)

    def on_fit(seen: SweepProgress) -> None:
        known = seen.best_value is not None and seen.done_fits < seen.n_fits
        best = "" if not known else f"best {arguments['measure'].name} {seen.best_value:.4f}"
        progress.update(min(stored + seen.done_fits, seen.n_fits), seen.n_fits, best, seen.seconds_left)

    with interruptible() as asked:
        try:
            result = run_sweep(
                **arguments, store=store, executor=client, n_workers=args.workers, cancel=asked, on_fit=on_fit
            )
        finally:
            progress.close()
    return _report(args, result, store, estimate)


def _report(args: argparse.Namespace, result: Sweep, store: str | None, estimate: Any) -> int:
    output.write_csv(args.csv, result.table)
    output.write_csv(args.curves, result.curves)
    against = sweep_report.against(result, args.baseline)
    if args.json:
        output.print_json(
            {
                **sweep_report.facts(result, against, args.baseline),
                "estimate": sweep_report.estimate_facts(estimate),
                "store": store,
            }
        )
    else:
        sweep_report.print_points(result, against, args.baseline, args.all)
    if result.stopped == "cancelled":
        kept = (
            f"the same command goes on from {store}"
            if store
            else "give --store FILE to be able to go on from there"
        )
        tell(f"Interrupted after {result.table['fit'].nunique()} fits; {kept}.")
        return 130
    if result.chosen is None:
        tell("No point could be trained: each has its reason in the table.")
        return 2
    return 0


def _read(args: argparse.Namespace) -> dict[str, Any]:
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


def _params_of(cls: type[Ranker]) -> list[Any]:
    return [p for p in cls.all_params() if p.name != "random_state"]


def _n_stored(store: str | None) -> int:
    """Return how many fits a file holds already."""
    if store is None or not Path(store).exists() or not Path(store).stat().st_size:
        return 0
    return int(load_sweep(store).table["fit"].nunique())


def _count_workers(address: str, executor: Any) -> int:
    n_workers = sum(_client_of(executor).nthreads().values())
    if not n_workers:
        raise ParameterError(
            f"The scheduler at {address} has no workers. Start some with `python -m dask worker {address}`."
        )
    return n_workers


def _client_of(executor: Any) -> Any:
    return executor._client
