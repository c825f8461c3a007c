"""A share of MSLR-WEB30K's size: read, binned, trained and compared, beside LightGBM and XGBoost, in one run.

    python -m tests.benchmarks.bench_sizes [SHARE [ROUNDS [FOLDER [STEP …]]]]

1 is the whole: 3.77 million documents × 136 features, 4.6 GB of text, made by `sizes/mslr.py`; without a
share a fiftieth. STEP is one of `sizes/steps.py`, or "commands". Each has a process of its own, the making of
the set too: Linux says of a process that it had as much memory as the one that started it. A step's seconds
are those on the clock from its start to its end, kernels loaded among them; its peak is the largest memory it
had, files it maps included.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from tests.benchmarks.evidence import tell
from tests.benchmarks.sizes.steps import STEPS
from tests.sources import ROOT

COMPARED = {
    "text": ["xgboost-text"],
    "MPBoost": ["lightgbm-regression"],
    "RankBoost": ["lightgbm-regression"],
    "LambdaMART": ["lightgbm-lambdarank", "xgboost-ndcg"],
    "McRank": ["lightgbm-multiclass"],
}


def run(label: str, command: list[str]) -> tuple[float, dict]:
    """Run a step, print what it took, and return its seconds and what it told."""
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    out = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    told = json.loads(out.splitlines()[-1]) if out.startswith("{") and "\n{" not in out else {}
    more = ", ".join(f"{name} {value:.4g}" for name, value in told.items() if isinstance(value, float))
    failed = f", exit code {os.waitstatus_to_exitcode(status)}" if status else ""
    cpu = used.ru_utime + used.ru_stime
    print(f"{label:34} {seconds:8.1f} {cpu:8.1f} {used.ru_maxrss / 1e6:8.2f}  {more}{failed}", flush=True)
    return seconds, told


def on_the_command_line(folder: Path) -> None:
    """Check a file, and measure and compare the models that were trained."""
    command = [sys.executable, "-m", "ltr_core"]
    given = ["--data", str(folder)]
    model, other = str(folder / "MPBoost.json"), str(folder / "LambdaMART.json")
    run("check", [*command, "check", str(folder / "train.txt")])
    run("evaluate", [*command, "evaluate", model, *given, "--measure", "ndcg@10,map"])
    run("compare", [*command, "compare", model, other, *given])


def main(share: float = 0.02, rounds: int = 100, folder: Path | None = None, *only: str) -> None:
    """Make the set, unless it is there, and run all steps, or some."""
    with tempfile.TemporaryDirectory() as place:
        folder = folder or Path(place)
        if not (folder / "test.txt").exists():
            make = [sys.executable, "-m", "tests.benchmarks.sizes.mslr", str(folder), str(share)]
            subprocess.run(make, cwd=ROOT, check=True)
        print(f"{'step':34} {'s':>8} {'s of cpu':>8} {'peak GB':>8}", flush=True)
        took, fits = {}, {}
        peers = {"lightgbm", "xgboost"}
        for name in STEPS:
            library = name.partition("-")[0]
            if (only and name not in only) or (library in peers and find_spec(library) is None):
                continue
            step = [sys.executable, "-m", "tests.benchmarks.sizes.steps", name, str(folder), str(rounds)]
            took[name], told = run(name, step)
            fits[name] = told.get("fit", took[name])
        if not only or "commands" in only:
            on_the_command_line(folder)
        for name, others in COMPARED.items():
            for peer in others:
                if name in fits and peer in fits:
                    what = "reading its text" if name == "text" else f"{name}, {rounds} rounds"
                    tell(f"{share:g} of MSLR's size, {what}", [fits[name]], peer, [fits[peer]])


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:3]), *map(Path, sys.argv[3:4]), *sys.argv[4:])
