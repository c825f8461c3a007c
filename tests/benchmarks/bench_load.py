"""Reading 100 MB of LETOR text beside XGBoost's and scikit-learn's readers: MB/s, and the memory it takes.

    python -m tests.benchmarks.bench_load [MB]

The file is MQ2008's first training file (found as the tests find it) over and over, so that every query
comes back many times; without it, artificial lines of the same form. Ours returns checked data with the rows
of a query together; the others return what they return. Calls take turns, the best of each counts. The limit
of memory is three times the arrays we return, plus the file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import ltr_core as ltr
from ltr_core import threads
from tests.benchmarks.evidence import tell

ROOT = Path(__file__).resolve().parents[2]

_PEAK = """
import sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")

def status(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) * 1024

what, path = sys.argv[1:]
if what == "ours":
    import ltr_core as ltr
    from ltr_core.data import warmup
    warmup()
    read = lambda: ltr.load(path)
elif what == "xgboost":
    import xgboost
    read = lambda: xgboost.DMatrix(path + "?format=libsvm")
else:
    from sklearn.datasets import load_svmlight_file
    read = lambda: load_svmlight_file(path, query_id=True)
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
data = read()
print(status("VmHWM") - before)
"""


def write_file(path: Path, megabytes: int) -> None:
    """Write about so many MB of real or artificial LETOR text."""
    letor = Path(os.environ.get("RANKSCOPE_LETOR") or ROOT.parent / "shared" / "letor")
    real = letor / "MQ2008" / "Fold1" / "train.txt"
    if real.is_file():
        text = real.read_bytes()
    else:
        rng = np.random.default_rng(0)
        lines = []
        for i in range(9_630):
            values = " ".join(f"{k}:{v:.6f}" for k, v in enumerate(rng.random(46), 1))
            lines.append(f"{i % 3} qid:{i // 20} {values} #docid = GX{i:012} inc = 1 prob = 0.5\n")
        text = "".join(lines).encode()
    path.write_bytes(text * round(megabytes * 1e6 / len(text)))


def main(megabytes: int = 100, rounds: int = 7) -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.txt"
        write_file(path, megabytes)
        size = path.stat().st_size
        data = ltr.load(path)
        arrays = data.X.nbytes + data.y.nbytes + data.qid.nbytes + data.order.nbytes + data.offsets.nbytes
        readers = {"ours": lambda: ltr.load(path), "ours, one thread": lambda: load_serially(path)}
        readers |= find_peers(path)
        turns: dict[str, list[float]] = {}
        for i in range(rounds):
            for name, read in readers.items():
                if name == "scikit-learn" and i:
                    continue
                started = time.perf_counter()
                read()
                turns.setdefault(name, []).append(time.perf_counter() - started)
        times = {name: min(seconds) for name, seconds in turns.items()}
        for peer in turns.keys() & {"XGBoost", "scikit-learn"}:
            tell(f"reading {size / 1e6:.0f} MB of LETOR text", turns["ours"], peer, turns[peer])
        print(f"{size / 1e6:.0f} MB, {data!r}, arrays of {arrays / 1e6:.0f} MB")
        print(f"{'reader':17} {'ms':>6} {'MB/s':>7} {'× XGBoost':>10} {'peak MB':>7} {'of the limit':>20}")
        for name, seconds in times.items():
            ratio = f"{times['XGBoost'] / seconds:.2f}" if "XGBoost" in times else "–"
            peak = measure_peak(name, path)
            memory = "–" if peak is None else f"{peak / 1e6:.0f}"
            share = "–" if peak is None else f"{peak / (3 * arrays + size):.2f}"
            speed = size / seconds / 1e6
            print(f"{name:17} {seconds * 1e3:6.0f} {speed:7.0f} {ratio:>10} {memory:>7} {share:>20}")


def load_serially(path: Path) -> ltr.RankingData:
    """Load without a second thread."""
    with threads.serial_only():
        return ltr.load(path)


def find_peers(path: Path) -> dict:
    """Return the readers of the peers that are installed."""
    peers = {}
    try:
        import xgboost

        peers["XGBoost"] = lambda: xgboost.DMatrix(f"{path}?format=libsvm")
    except ImportError:
        pass
    try:
        from sklearn.datasets import load_svmlight_file

        peers["scikit-learn"] = lambda: load_svmlight_file(str(path), query_id=True)
    except ImportError:
        pass
    return peers


def measure_peak(name: str, path: Path) -> int | None:
    """Return by how many bytes reading raises the memory of a fresh process, None where that is not told."""
    what = {"ours": "ours", "XGBoost": "xgboost", "scikit-learn": "sklearn"}.get(name)
    if what is None or not Path("/proc/self/clear_refs").exists():
        return None
    command = [sys.executable, "-c", _PEAK, what, str(path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return int(result.stdout) if result.returncode == 0 else None


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
