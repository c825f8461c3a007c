"""Compare models, or scores that other programs wrote, on data: query by query, with p-values."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ... import evaluation
from ...errors import ParameterError
from .. import given, measuring, output, systems
from ..parsing import PROGRAM, option_group

EPILOG = f"""examples:
  {PROGRAM} compare a.json b.json --data test.txt
  {PROGRAM} compare old=scores.txt new=m.json --data test.txt --baseline old --measure map
  {PROGRAM} compare a.json b.json c.json --data data/cubic-small --fold 1 --json

Each is compared with the baseline, on the same queries: a paired t-test (p), the same after Holm's
correction for several systems (p Holm), and a randomisation test (p random).
A file of scores has one number on each line, in the order of the documents in the data's file.
A TREC run (query, Q0, document, rank, score, tag) is taken as well: it has every document of the data.
Of data that are cut (a folder, --split) the test part is measured, or the one that --part says.

{given.EPILOG}
{measuring.EPILOG}"""
_COLUMNS = {name: name for name in ("mean", "difference", "wins", "ties", "losses", "p")}
_COLUMNS |= {"p_holm": "p Holm", "p_random": "p random"}


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes."""
    parser.usage = f"{PROGRAM} compare [NAME=]FILE [NAME=]FILE … --data WHAT [options]"
    add = option_group(parser)
    add("systems", "[NAME=]FILE", "models' .json files and files of scores", nargs="+")
    add("--baseline", "NAME", "what the others are compared with (default: the first)")
    systems.add_arguments(parser, "what is compared, one measure (default: ndcg@10)")
    add = option_group(parser, "what comes of it")
    add("--csv", "FILE.csv", "the table, to the last digit")
    add("--json", "", "print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the table and a sentence for each system."""
    measures = measuring.measures_of(args, ("ndcg@10",))
    if len(measures) > 1:
        raise ParameterError("compare looks at one measure at a time: give --measure once.")
    paths = systems.name_systems(args.systems)
    if len(paths) < 2:
        example = "compare a.json b.json --data test.txt"
        raise ParameterError(f"compare needs two files at least, such as: {example}.")
    output.check_writable(args.csv)
    opened = {name: systems.open_system(path, args.trust_edited) for name, path in paths.items()}
    data = given.one_part(args, given.open_data(args))
    sparse = given.may_be_sparse(args)
    scores = {name: systems.scores_by(one, data, args.iteration, sparse) for name, one in opened.items()}
    table = evaluation.compare(scores, data, measures[0], args.baseline)
    baseline = next(iter(paths)) if args.baseline is None else args.baseline
    output.write_csv(args.csv, table, index=True)
    if args.json:
        facts = {"measure": measures[0].name, "definition": measures[0].describe(), "baseline": baseline}
        facts["rounds"] = {name: systems.round_of(one, args.iteration) for name, one in opened.items()}
        output.print_json({**facts, "data": data.name, "systems": table.reset_index()})
        return 0
    print(f"{measures[0].label} on {data.name or args.data}: {measures[0].describe()}\n")
    rows = [[baseline, table["baseline_mean"].iloc[0], *[None] * (len(_COLUMNS) - 1)]]
    rows += table[[*_COLUMNS]].reset_index().to_numpy(dtype=object).tolist()
    numbers = dict.fromkeys(("mean", "difference"), output.fixed)
    chances = dict.fromkeys(("p", "p Holm", "p random"), output.short)
    output.print_table(["system", *_COLUMNS.values()], rows, {**numbers, **chances})
    print("".join(f"\n{sentence}." for sentence in table["sentence"]))
    said = {name: systems.say_round(one, args.iteration) for name, one in opened.items()}
    print("".join(f"\n{name}: {words}." for name, words in said.items() if words))
    return 0
