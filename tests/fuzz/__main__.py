"""Says what it tried and found: `python -m tests.fuzz --seconds 600 [--targets letor,csv] [--seed 1]`."""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
import warnings
from pathlib import Path

from tests.fuzz.targets import TARGETS, Finding, as_text, corpus, one

MOST_FINDINGS = 5  # of a target


def main() -> int:
    """Fuzz every target for its share of the time; exit 1 where something was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("/tmp/fuzz-findings"))
    given = parser.parse_args()
    names = given.targets.split(",")
    warnings.simplefilter("error")
    n_all, n_found = 0, 0
    given.out.mkdir(parents=True, exist_ok=True)
    for name in names:
        last = given.out / f"{name}-last"  # an input that ends the process is kept
        target = TARGETS[name]
        draw = random.Random(f"{name} {given.seed}")
        seeds = [*target.seeds(), *corpus(name)]
        n, taken, findings = 0, 0, set()
        end = time.monotonic() + given.seconds / len(names)
        while time.monotonic() < end and len(findings) < MOST_FINDINGS:
            data = target.draw(draw, seeds)
            n += 1
            last.write_bytes(data)
            try:
                taken += one(target, data)
            except Finding as finding:
                said = str(finding)[:160]
                if said not in findings:
                    findings.add(said)
                    path = given.out / f"{name}-{hashlib.blake2b(data, digest_size=6).hexdigest()}"
                    path.write_bytes(data)
                    sys.stdout.write(f"{name}: {said}\n  {as_text(data)}\n  kept in {path}\n")
        last.unlink(missing_ok=True)
        sys.stdout.write(
            f"{name:8} {n:9,} inputs, {taken / max(n, 1):4.0%} taken, {len(findings)} findings\n"
        )
        sys.stdout.flush()
        n_all, n_found = n_all + n, n_found + len(findings)
    sys.stdout.write(f"{n_all:,} inputs, {n_found} findings\n")
    return 1 if n_found else 0


if __name__ == "__main__":
    sys.exit(main())
