"""What `make bench` runs: every bench_*.py here in turn, or those whose names are given.

    python -m tests.benchmarks.run [measures data …]

Each runs in a process of its own, so that none starts with another's memory or compiled kernels.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(wanted: list[str]) -> int:
    """Run the benchmarks and return how many failed."""
    names = sorted(path.stem for path in HERE.glob("bench_*.py"))
    unknown = [name for name in wanted if f"bench_{name}" not in names]
    if unknown:
        print(
            f"There is no benchmark {', '.join(unknown)}. There are: " + ", ".join(n[6:] for n in names) + "."
        )
        return 2
    failed = 0
    for name in names:
        if wanted and name.removeprefix("bench_") not in wanted:
            continue
        print(f"── {name} ──", flush=True)
        started = time.perf_counter()
        code = subprocess.run(
            [sys.executable, "-m", f"tests.benchmarks.{name}"], cwd=HERE.parent.parent
        ).returncode
        print(
            f"── {time.perf_counter() - started:.0f} s" + (f", exit code {code}" if code else ""), flush=True
        )
        failed += code != 0
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
