"""``python -m tests.notebooks``: run the notebooks and keep their outputs."""

from tests.notebooks.running import NOTEBOOKS, write

for path in NOTEBOOKS:
    write(path)
