"""Make the runs that come with this version, those of the first preset: `python -m tests.shipped`."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


def main() -> None:
    """Open the dashboard without anything in its run store, and take along what it trains."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"RANKSCOPE_CACHE": folder, "RANKSCOPE_WORKERS": "threads"}
        from pages.ui.runs.store import SHIPPED
        from tests.dashboard import open_app

        SHIPPED.mkdir(exist_ok=True)
        for old in SHIPPED.glob("*.json"):
            old.unlink()  # or these are shown, and nothing is trained
        open_app()
        made = sorted(Path(folder).glob("runs-*/*.json"))
        for path in made:
            shutil.copy(path, SHIPPED / path.name)
        print(f"{len(made)} runs, {sum(path.stat().st_size for path in made):,} bytes")


if __name__ == "__main__":
    main()
