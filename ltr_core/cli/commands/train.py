"""Train an algorithm on data, follow measures by round, and keep the model as JSON."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ...algorithms import Ranker, RoundInfo
from ...data import RankingData
from ...errors import ParameterError
from ...measures import Measure
from ...rankers import EARLY_STOPPING, RANDOM_STATE
from ...stopping import Stopped
from .. import given, measuring, output
from ..parsing import (
    PROGRAM,
    add_params,
    find_algorithm,
    given_params,
    named_algorithm,
    names_of_all,
    option_group,
)
from ..progress import Meter, interruptible, tell

EPILOG = f"""examples:
  {PROGRAM} train mpboost --data data/cubic-small --fold 1 --out m.json
  {PROGRAM} train MPBoost --data train.txt --valid vali.txt --test test.txt \\
      --ddf logdd --lam 0.5 --n-rounds 300 --early-stopping 30 --history curves.csv
  {PROGRAM} train lambdamart --data cubic --set n_queries=500 --split --measure ndcg@10,map
  {PROGRAM} train MPBoost --help      the algorithm's own options as well

Without --split, --valid or a folder all data are training data.
Ctrl-C ends the training, keeps the model of the rounds that are finished, and exits with 130; SIGTERM does
the same and exits with 143.

{given.EPILOG}
{measuring.EPILOG}"""
ENDED = {
    "rounds": "all rounds done",
    "no gain": "no round could bring any more",
    "early stop": "stopped early",
    "cancelled": "interrupted",
}


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes, with the options of the algorithm that the words name."""
    parser.usage = f"{PROGRAM} train ALGORITHM --data WHAT [options]"
    parser.add_argument("algorithm", metavar="ALGORITHM", help=f"one of {names_of_all()}")
    cls = named_algorithm(words)
    every = "parameters of all algorithms (with ALGORITHM before --help: its own as well)"
    own = parser.add_argument_group(every if cls is None else f"parameters of {cls.__name__}")
    given.add_arguments(parser)
    what = "what is followed; the first one for early stopping (default: ndcg@10); repeatable, or with commas"
    measuring.add_arguments(parser, what)
    add = option_group(parser, "what comes of it")
    add("--out", "FILE.json", "where the model goes")
    add("--history", "FILE.csv", "every value of every round, as a table")
    add("--quiet", "", "do not tell how far it is")
    add("--json", "", "print JSON")
    # Last, for AdaRank has a parameter called measure: it is --adarank-measure.
    shared = (EARLY_STOPPING, RANDOM_STATE)
    add_params(own, cls.all_params() if cls else shared, cls.__name__ if cls else "")


def run(args: argparse.Namespace) -> int:
    """Train, keep what is to be kept, and print how it ended."""
    cls = find_algorithm(args.algorithm)
    params = {"random_state": args.seed, **given_params(args, cls.all_params(), cls.__name__)}
    model = cls(**params)
    _tell_idle(model, params)
    measures = measuring.measures_of(args, ("ndcg@10",))
    output.check_writable(args.out, args.history)
    data = given.open_data(args)
    parts = data.folds[0] if data.folds else (data.whole,)
    train = parts[0]
    assert train is not None
    others = zip(given.PARTS[1:], parts[1:], strict=False)
    eval_set = {name: part for name, part in others if part is not None}
    if model.checked_params()["early_stopping"] and "valid" not in eval_set:
        todo = "give --valid FILE, --split, or a folder"
        raise ParameterError(f"--early-stopping looks at validation data: {todo}.")
    seconds, code = _fit(model, train, eval_set, measures, args.quiet)
    if seconds is None:
        tell("Interrupted before the first round: there is nothing to keep.")
        return code
    if "valid" not in eval_set:
        model.best_iteration_ = None  # nothing is chosen on test data
    if args.out:
        model.save(args.out)
    output.write_csv(args.history, model.history_)
    found = _facts(model, params, {"train": train, **eval_set}, measures, seconds)
    if args.json:
        output.print_json({**found, "model": args.out, "history": args.history})
    else:
        _print(model, found, args.out)
    if model.stopped_ != "cancelled":
        return 0
    kept = f"they are in {args.out}" if args.out else "they are not kept: give --out FILE.json for that"
    tell(f"Interrupted after {model.n_iter_} rounds; {kept}.")
    return code


def _tell_idle(model: Ranker, params: Mapping[str, Any]) -> None:
    """Say which of the given parameters have no effect beside the others."""
    values = model.checked_params()
    for param in model.all_params():
        if param.name in params and not param.applies(values):
            others = " and ".join(f"{name} = {values[name]}" for name in param.when)
            tell(f"Note: {param.name} has no effect with {others}.")


def _fit(
    model: Ranker,
    train: RankingData,
    eval_set: Mapping[str, RankingData],
    measures: Sequence[Measure],
    quiet: bool,
) -> tuple[float | None, int]:
    """Train; return how many seconds it took, None if it was interrupted first, and the code to exit with."""
    progress = Meter("rounds", quiet)
    started = time.perf_counter()
    watched = (next(iter(eval_set), "train"), measures[0].name)

    with interruptible() as asked:

        def on_round(info: RoundInfo) -> bool:
            left = info.seconds / info.iteration * (info.n_rounds - info.iteration)
            words = f"{watched[0]} {watched[1]} {info.values[watched]:.4f}"
            progress.update(info.iteration, info.n_rounds, words, left)
            return not asked.is_set()

        try:
            model.fit(train, eval_set=eval_set, measures=measures, on_round=on_round, should_stop=asked)
        except Stopped:
            return None, asked.code
        finally:
            progress.close()
    return time.perf_counter() - started, asked.code


def _facts(
    model: Ranker,
    params: Mapping[str, Any],
    parts: Mapping[str, RankingData],
    measures: Sequence[Measure],
    seconds: float,
) -> dict[str, Any]:
    history = model.history_
    names = ["loss", *(m.name for m in measures)]

    def values_at(iteration: int) -> dict[str, dict[str, float]]:
        rows = history[history["iteration"] == iteration]
        table = {(row.split, row.measure): row.value for row in rows.itertuples()}
        return {split: {name: table[split, name] for name in names} for split in parts}

    best = model.best_iteration_
    return {
        "algorithm": type(model).__name__,
        "params": model.checked_params(),
        "data": {split: _data_facts(part) for split, part in parts.items()},
        "n_iter": model.n_iter_,
        "stopped": model.stopped_,
        "seconds": seconds,
        "measures": {m.name: m.describe() for m in measures},
        "values": values_at(model.n_iter_),
        "best_iteration": best,
        "iteration": model.iteration_,  # what predicts
        "best_values": None if best is None else values_at(best),
    }


def _data_facts(part: RankingData) -> dict[str, Any]:
    sizes = {"queries": part.n_queries, "documents": part.n_docs, "features": part.n_features}
    return {"name": part.name, **sizes, "fingerprint": part.fingerprint}


def _print(model: Ranker, found: Mapping[str, Any], out: str | None) -> None:
    for split, facts in found["data"].items():
        sizes = f"{facts['queries']} queries, {facts['documents']} documents, {facts['features']} features"
        print(f"{split:<5}  {facts['name'] or '-'}: {sizes}")
    rounds = f"{model.n_iter_} round{'s' if model.n_iter_ != 1 else ''}"
    print(f"{found['algorithm']}: {rounds} in {found['seconds']:.2f} s ({ENDED[model.stopped_]})\n")
    ends = [(model.n_iter_, found["values"])]
    if found["best_iteration"] not in (None, model.n_iter_):
        ends.append((found["best_iteration"], found["best_values"]))
    splits = list(found["data"])
    rows = [[split, iteration, *values[split].values()] for iteration, values in ends for split in splits]
    names = list(found["values"]["train"])
    output.print_table(["data", "round", *names], rows, dict.fromkeys(names, output.fixed))
    if found["best_iteration"] is not None:
        taken = "best" if model.iteration_ != model.n_iter_ else "last"
        told = f"the model predicts with the {taken} one unless another is asked for"
        print(f"\nThe best round of the validation data is {found['best_iteration']}; {told}.")
    print()
    output.print_table(["measure", "definition"], list(found["measures"].items()))
    if out:
        print(f"\nThe model is in {out}.")
