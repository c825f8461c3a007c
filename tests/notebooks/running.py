"""Running a notebook in a kernel of its own, from the project's folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.sources import ROOT

NOTEBOOKS = sorted(Path(__file__).parent.glob("*.ipynb"))


def run(path: Path) -> Any:
    """Return a notebook with the outputs that it has here."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)  # the kernel's
    try:
        return NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(ROOT)}}).execute()
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)


def texts(notebook: Any) -> list[str]:
    """Return what each code cell said, as text; pictures by their kind."""
    said = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            plain = output.get("text") or output.get("data", {}).get("text/plain", output.output_type)
            said.append(re.sub(r"0x[0-9a-f]+", "0x…", plain))
    return said


def write(path: Path) -> None:
    """Run a notebook and keep its outputs; what is of this machine and this minute stays out."""
    notebook = run(path)
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
    for number, cell in enumerate(notebook.cells):
        cell.id, cell.metadata = f"cell-{number}", {}
    path.write_text(nbformat.writes(notebook, version=4) + "\n", encoding="utf-8")
