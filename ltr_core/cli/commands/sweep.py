"""Train an algorithm at many points of its parameters and choose one by validation."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Any

from ... import sweeps
from ...errors import DataError, ParameterError
from ...sweeps import Estimate, FitStatus, Sweep, connect, estimate_sweep, load_sweep
from .. import given, measuring, output
from ..parsing import PROGRAM
from ..progress import Meter, interruptible, tell
from ..values import GRID_VALUES
from . import sweep_report
from .sweep_arguments import add_arguments, read_arguments

__all__ = ["EPILOG", "add_arguments", "run"]

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
or otherwise. The file opens in the dashboard, in Python (ltr.load_sweep) and here, as theirs do:
  {PROGRAM} sweep lam.jsonl --csv fits.csv

{given.EPILOG}
{measuring.EPILOG}"""


def run(args: argparse.Namespace) -> int:
    """Estimate, sweep, and print the points and the chosen one."""
    if hasattr(args, "file"):
        output.check_writable(args.csv, args.curves)
        return _report(args, load_sweep(args.file, args.trust_edited), args.file, None)
    arguments = read_arguments(args)
    client = connect(args.scheduler) if args.scheduler else None
    _hush("distributed", "tornado")
    try:
        return _run(args, arguments, client)
    finally:
        if client is not None:
            _client_of(client).close()


def _hush(*packages: str) -> None:
    """Keep packages from logging tracebacks: what there is to say of a lost cluster is a sentence here."""
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] in packages:
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _run(args: argparse.Namespace, arguments: dict[str, Any], client: Any) -> int:
    store = arguments.pop("store")
    stored = _n_stored(store, args.trust_edited)
    n_workers = args.workers if client is None else _count_workers(args.scheduler, client)
    estimate = _estimate(arguments, n_workers)
    if isinstance(estimate, Estimate):
        if args.baseline is not None and not 0 <= args.baseline < estimate.n_points:
            raise ParameterError(
                f"--baseline {args.baseline}: there is no such point. "
                f"Take one from 0 to {estimate.n_points - 1}."
            )
        if args.estimate and args.json:
            output.print_json(sweep_report.estimate_facts(estimate))
        elif args.estimate:
            print(sweep_report.say_estimate(estimate))
        else:
            tell(sweep_report.say_estimate(estimate), args.quiet)
    elif args.estimate:
        raise estimate
    if args.estimate:
        return 0
    if stored:
        tell(f"{stored} fits are in {store} already.", args.quiet)
    progress = Meter("fits", args.quiet)

    def on_fit(told: sweeps.Progress) -> None:
        known = told.best_value is not None and told.done_fits < told.n_fits
        best = "" if not known else f"best {arguments['measure'].name} {told.best_value:.4f}"
        progress.update(min(stored + told.done_fits, told.n_fits), told.n_fits, best, told.seconds_left)

    with interruptible() as asked:
        try:
            result = sweeps.sweep(
                **arguments, store=store, executor=client, n_workers=args.workers, cancel=asked, on_fit=on_fit
            )
        finally:
            progress.close()
    code = _report(args, result, store, estimate if isinstance(estimate, Estimate) else None)
    return asked.code if code == 130 else code


def _estimate(arguments: dict[str, Any], n_workers: int | None) -> Estimate | DataError | ParameterError:
    """Return the estimate, or why there is none: the point that it tries may be one that fails."""
    names = ("algorithm", "space", "data", "sampler", "n_trials", "folds", "measure", "fixed", "seed")
    wanted = {name: arguments[name] for name in names}
    n_seeds = arguments["seeds"] if isinstance(arguments["seeds"], int) else len(set(arguments["seeds"]))
    try:
        return estimate_sweep(**wanted, n_seeds=n_seeds, n_workers=n_workers)
    except (DataError, ParameterError) as error:
        return error


def _report(args: argparse.Namespace, result: Sweep, store: str | None, estimate: Estimate | None) -> int:
    output.write_csv(args.csv, result.table)
    output.write_csv(args.curves, result.curves)
    against = None
    try:
        against = None if result.chosen is None else result.against(args.baseline)
    except ParameterError as error:  # the baseline has failed, say
        tell(str(error))
    if args.json:
        facts = sweep_report.facts(result, against, args.baseline)
        output.print_json({**facts, "estimate": sweep_report.estimate_facts(estimate), "store": store})
    else:
        sweep_report.print_points(result, against, args.baseline, args.all)
    if result.stopped == "cancelled":
        kept = "give --store FILE to be able to go on from there"
        kept = f"the same command goes on from {store}" if store else kept
        tell(f"Interrupted after {result.n_trained} fits; {kept}.")
        return 130
    if result.chosen is None:
        tell(
            "No point is finished yet." if result.stopped != FitStatus.DONE else "No point could be trained."
        )
        return 0 if hasattr(args, "file") else 2
    return 0


def _n_stored(store: str | None, trust_edited: bool) -> int:
    """Return how many fits a file holds already."""
    if store is None or not Path(store).exists() or not Path(store).stat().st_size:
        return 0
    return load_sweep(store, trust_edited).n_trained


def _count_workers(address: str, executor: Any) -> int:
    n_workers = sum(_client_of(executor).nthreads().values())
    if not n_workers:
        raise ParameterError(
            f"The scheduler at {address} has no workers. Start some with `python -m dask worker {address}`."
        )
    return n_workers


def _client_of(executor: Any) -> Any:
    return executor._client
