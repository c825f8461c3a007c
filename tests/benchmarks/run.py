"""What `make bench` runs: every bench_*.py here in turn, or those whose names are given.

    python -m tests.benchmarks.run [measures data …] [--against COMMIT]

Each runs in a process of its own, so that none starts with another's memory or compiled kernels. What they
tell (`evidence.py`) becomes one table; a run of all of them writes it to RESULTS.md. With --against each runs
again on the core of another commit, right after, and the two are compared.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import evidence

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def run(name: str, root: Path, told: Path) -> bool:
    """Run a benchmark on the project in a folder; return whether it went well."""
    print(f"── {name} ──", flush=True)
    started = time.perf_counter()
    command = [sys.executable, "-m", f"tests.benchmarks.{name}"]
    code = subprocess.run(command, cwd=root, env={**os.environ, evidence.FILE: str(told)}).returncode
    print(f"── {time.perf_counter() - started:.0f} s" + (f", exit code {code}" if code else ""), flush=True)
    return code == 0


def warm(root: Path) -> None:
    """Have all kernels compiled."""
    subprocess.run([sys.executable, "-c", "import ltr_core; ltr_core.warmup()"], cwd=root, check=True)


def check_out(commit: str, folder: Path) -> None:
    """Put the project as it was at a commit into a folder, with the benchmarks of today."""
    text = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=text, check=True)
    shutil.rmtree(folder / "tests", ignore_errors=True)
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))


def main(given: list[str]) -> int:
    """Run the benchmarks, print the table, and return whether one failed."""
    parser = argparse.ArgumentParser(prog="tests.benchmarks.run", description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks; all when left out")
    parser.add_argument("--against", metavar="COMMIT", help="run each on this commit's core, too")
    asked = parser.parse_args(given)
    names = sorted(path.stem for path in HERE.glob("bench_*.py"))
    unknown = [name for name in asked.names if f"bench_{name}" not in names]
    if unknown:
        known = ", ".join(n[6:] for n in names)
        print(f"There is no benchmark {', '.join(unknown)}. There are: {known}.")
        return 2
    wanted = [name for name in names if not asked.names or name.removeprefix("bench_") in asked.names]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        now, then, old = folder / "now.jsonl", folder / "then.jsonl", folder / "then"
        if asked.against:
            old.mkdir()
            check_out(asked.against, old)
        for root in (ROOT, *([old] if asked.against else [])):
            warm(root)
        well = []
        for name in wanted:
            well.append(run(name, ROOT, now))
            if asked.against:
                well.append(run(name, old, then))
        report(now, then, asked.against, whole=not asked.names)
    return int(not all(well))


def report(now: Path, then: Path, commit: str | None, whole: bool) -> None:
    """Print what was told; a run of all benchmarks is kept."""
    rows = evidence.read(now)
    text = evidence.table(rows) if rows else "No benchmark told a comparison: their peers are not installed."
    if commit:
        text += "\n\n" + evidence.beside(rows, evidence.read(then), commit)
    print("\n" + text)
    if whole and rows and not commit:
        head = (
            "# Times beside the peers'\n\nWritten by `make bench`. Ratios are ours over the peer's in "
            "the same "
            f"run, the best of each; the spread\nis that of the turns. {evidence.machine()}.\n\n"
        )
        (HERE / "RESULTS.md").write_text(head + text + "\n", encoding="utf-8")
        readme = ROOT / "README.md"
        readme.write_text(evidence.into(readme.read_text(encoding="utf-8"), text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
