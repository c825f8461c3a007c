"""Compare models, or scores that other programs wrote, on data: query by query, with p-values."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ...errors import ParameterError
from ...evaluation import evaluating
from .. import given, measuring, output, systems
from ..parsing import PROGRAM

HELP = "say whether two or more models, or files of scores, differ"
EPILOG = f"""examples:
  {PROGRAM} compare a.json b.json --data test.txt
  {PROGRAM} compare old=scores.txt new=m.json --data test.txt --baseline old --measure map
  {PROGRAM} compare a.json b.json c.json --data data/cubic-small --fold 1 --json

Each is compared with the baseline, on the same queries: a paired t-test (p), the same after Holm's
correction for several systems (p Holm), and a randomisation test (p random).
A file of scores has one number on each line, in the order of the documents in the data's file.
Of data that are cut (a folder, --split) the test part is measured, or the one that --part says.

{given.EPILOG}
{measuring.EPILOG}"""
_COLUMNS = {
    "mean": "mean",
    "difference": "difference",
    "wins": "wins",
    "ties": "ties",
    "losses": "losses",
    "p": "p",
    "p_holm": "p Holm",
    "p_random": "p random",
}


def add_arguments(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Add what this command takes."""
    parser.usage = f"{PROGRAM} compare [NAME=]FILE [NAME=]FILE … --data WHAT [options]"
    parser.add_argument(
        "systems", nargs="+", metavar="[NAME=]FILE", help="models' .json files and files of scores"
    )
    parser.add_argument(
        "--baseline", metavar="NAME", help="what the others are compared with (default: the first)"
    )
    systems.add_iteration(parser)
    given.add_arguments(parser, cut_files=False)
    parser.add_argument("--part", choices=given.PARTS, help="which part of data that are cut (default: test)")
    measuring.add_arguments(parser, "what is compared, one measure (default: ndcg@10)")
    group = parser.add_argument_group("what comes of it")
    group.add_argument("--csv", metavar="FILE.csv", help="the table, to the last digit")
    group.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the table and a sentence for each system."""
    measures = measuring.measures_of(args, ("ndcg@10",))
    if len(measures) > 1:
        raise ParameterError("compare looks at one measure at a time: give --measure once.")
    paths = systems.name_systems(args.systems)
    if len(paths) < 2:
        raise ParameterError(
            "compare needs two files at least, such as: compare a.json b.json --data test.txt."
        )
    output.check_writable(args.csv)
    opened = {name: systems.open_system(path) for name, path in paths.items()}
    data = given.one_part(args, given.open_data(args))
    sparse = given.may_be_sparse(args)
    scores = {name: systems.scores_by(one, data, args.iteration, sparse) for name, one in opened.items()}
    table = evaluating.compare(scores, data, measures[0], args.baseline)
    baseline = next(iter(paths)) if args.baseline is None else args.baseline
    output.write_csv(args.csv, table, index=True)
    if args.json:
        output.print_json(
            {
                "measure": measures[0].name,
                "definition": measures[0].describe(),
                "baseline": baseline,
                "data": data.name,
                "systems": table.reset_index(),
            }
        )
        return 0
    print(f"{measures[0].label} on {data.name or args.data}: {measures[0].describe()}\n")
    first = [baseline, table["baseline_mean"].iloc[0], *[None] * (len(_COLUMNS) - 1)]
    rows = [
        first,
        *(
            [name, *row]
            for name, row in zip(table.index, table[[*_COLUMNS]].to_numpy(dtype=object).tolist(), strict=True)
        ),
    ]
    numbers = dict.fromkeys(("mean", "difference"), output.fixed)
    chances = dict.fromkeys(("p", "p Holm", "p random"), output.short)
    output.print_table(["system", *_COLUMNS.values()], rows, {**numbers, **chances})
    print("".join(f"\n{sentence}." for sentence in table["sentence"]))
    return 0
