"""Measure a model, or scores that another program wrote, on data."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ...algorithms import Ranker
from ...data import RankingData
from ...evaluation import evaluating
from .. import given, measuring, output, systems
from ..parsing import PROGRAM

HELP = "measure a model, or a file of scores, on data"
EPILOG = f"""examples:
  {PROGRAM} evaluate m.json --data test.txt --measure ndcg@1,ndcg@10,map
  {PROGRAM} evaluate scores.txt --data test.txt --convention letor --per-query values.csv
  {PROGRAM} evaluate m.json --data data/cubic-small --fold 1 --part test --run run.txt

A file of scores has one number on each line, in the order of the documents in the data's file.
Of data that are cut (a folder, --split) the test part is measured, or the one that --part says.

{given.EPILOG}
{measuring.EPILOG}"""
DEFAULT = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map")


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes."""
    parser.usage = f"{PROGRAM} evaluate MODEL_OR_SCORES --data WHAT [options]"
    parser.add_argument("system", metavar="MODEL_OR_SCORES", help="a model's .json file, or a file of scores")
    systems.add_iteration(parser)
    given.add_arguments(parser, cut_files=False)
    parser.add_argument("--part", choices=given.PARTS, help="which part of data that are cut (default: test)")
    measuring.add_arguments(
        parser, f"what is measured (default: {', '.join(DEFAULT)}); repeatable, or with commas"
    )
    group = parser.add_argument_group("what comes of it")
    group.add_argument("--per-query", metavar="FILE.csv", help="the value of each query")
    group.add_argument("--run", metavar="FILE", help="the rankings, as a TREC run")
    group.add_argument(
        "--scores", metavar="FILE", help="the scores, one on each line, in the order of the data"
    )
    group.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the measures of the whole set, and write what is asked for."""
    names, options = measuring.names_of(args, DEFAULT), measuring.definition(args)
    measures = measuring.measures_of(args, DEFAULT)
    output.check_writable(args.per_query, args.run, args.scores)
    system = systems.open_system(args.system)
    data = given.one_part(args, given.open_data(args))
    scores = systems.scores_by(system, data, args.iteration, given.may_be_sparse(args))
    table = evaluating.evaluate(scores, data, names, convention=args.convention, **options)
    means = dict(zip((m.name for m in measures), table.attrs["mean"].values(), strict=True))
    table.columns = list(means)
    output.write_csv(args.per_query, table, index=True)
    if args.run:
        tag = type(system).__name__ if isinstance(system, Ranker) else system.stem
        output.write_text(args.run, as_run(data, scores, tag))
    if args.scores:
        in_order = scores[np.argsort(data.order, kind="stable")]
        output.write_text(args.scores, "".join(f"{score!r}\n" for score in in_order.tolist()))
    if args.json:
        output.print_json(
            {
                "system": args.system,
                "data": data.name,
                "queries": data.n_queries,
                "documents": data.n_docs,
                "convention": args.convention,
                "values": means,
                "measures": {m.name: m.describe() for m in measures},
            }
        )
        return 0
    print(f"{args.system} on {data.name or args.data}: {data.n_queries} queries, {data.n_docs} documents\n")
    rows = [[name, value, m.describe()] for (name, value), m in zip(means.items(), measures, strict=True)]
    output.print_table(["measure", "value", "definition"], rows, {"value": output.fixed})
    return 0


def as_run(data: RankingData, scores: np.ndarray, tag: str) -> str:
    """Return the rankings as TREC's tools read them: query, Q0, document, rank, score, tag."""
    ids = [f"row{row + 1}" for row in data.order.tolist()] if data.doc_ids is None else list(data.doc_ids)
    lines = []
    for query, start, end in zip(data.query_ids, data.offsets[:-1], data.offsets[1:], strict=True):
        order = start + np.argsort(-scores[start:end], kind="stable")
        for rank, row in enumerate(order.tolist(), start=1):
            words = (
                _one_word(query),
                "Q0",
                _one_word(ids[row]),
                rank,
                repr(float(scores[row])),
                _one_word(tag),
            )
            lines.append(" ".join(map(str, words)) + "\n")
    return "".join(lines)


def _one_word(text: object) -> str:
    return "_".join(str(text).split()) or "_"
