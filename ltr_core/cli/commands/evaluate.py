"""Measure a model, or scores that another program wrote, on data."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ... import evaluation
from ...algorithms import Ranker
from .. import given, measuring, output, systems
from ..parsing import PROGRAM, option_group

EPILOG = f"""examples:
  {PROGRAM} evaluate m.json --data test.txt --measure ndcg@1,ndcg@10,map
  {PROGRAM} evaluate scores.txt --data test.txt --convention letor --per-query values.csv
  {PROGRAM} evaluate m.json --data data/cubic-small --fold 1 --part test --run run.txt

A file of scores has one number on each line, in the order of the documents in the data's file.
A TREC run (query, Q0, document, rank, score, tag) is taken as well: it has every document of the data.
Of data that are cut (a folder, --split) the test part is measured, or the one that --part says.
In a run no two documents of a query have one score: where scores are equal, documents stand in file
order, as with --ties file, and the lower ones are the least bit lower. trec_eval and ir_measures take the
grade itself for its gain: --gain grade --ties file gives their numbers.

{given.EPILOG}
{measuring.EPILOG}"""
DEFAULT = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map")


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes."""
    parser.usage = f"{PROGRAM} evaluate MODEL_OR_SCORES --data WHAT [options]"
    parser.add_argument("system", metavar="MODEL_OR_SCORES", help="a model's .json file, or a file of scores")
    what = f"what is measured (default: {', '.join(DEFAULT)}); repeatable, or with commas"
    systems.add_arguments(parser, what)
    add = option_group(parser, "what comes of it")
    add("--per-query", "FILE.csv", "the value of each query")
    add("--run", "FILE", "the rankings, as a TREC run")
    add("--scores", "FILE", "the scores, one on each line, in the order of the data")
    add("--json", "", "print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the measures of the whole set, and write what is asked for."""
    measures = measuring.measures_of(args, DEFAULT)
    output.check_writable(args.per_query, args.run, args.scores)
    system = systems.open_system(args.system, args.trust_edited)
    data = given.one_part(args, given.open_data(args))
    scores = systems.scores_by(system, data, args.iteration, given.may_be_sparse(args))
    table = evaluation.evaluate(scores, data, measures)
    means = table.attrs["mean"]
    output.write_csv(args.per_query, table, index=True)
    if args.run:
        tag = type(system).__name__ if isinstance(system, Ranker) else system.stem
        output.write_text(args.run, evaluation.trec_run(data, scores, tag))
    if args.scores:
        output.write_text(args.scores, "".join(f"{score!r}\n" for score in scores.tolist()))
    if args.json:
        facts = {
            "system": args.system,
            "round": systems.round_of(system, args.iteration),
            "data": data.name,
            "queries": data.n_queries,
            "documents": data.n_docs,
        }
        defined = {m.name: m.describe() for m in measures}
        output.print_json({**facts, "convention": args.convention, "values": means, "measures": defined})
        return 0
    said = systems.say_round(system, args.iteration)
    sizes = f"{data.n_queries} queries, {data.n_docs} documents"
    print(f"{args.system}{f' ({said})' if said else ''} on {data.name or args.data}: {sizes}\n")
    rows = [[name, value, m.describe()] for (name, value), m in zip(means.items(), measures, strict=True)]
    output.print_table(["measure", "value", "definition"], rows, {"value": output.fixed})
    return 0
