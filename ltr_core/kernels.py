"""Where compiled kernels are kept: `$NUMBA_CACHE_DIR`, beside the sources, or in the user's own cache.

numba loads no kernel that it can keep nowhere: on a read-only installation, by somebody without a home,
nothing could be imported. There the kernels go to a temporary folder, which ends with this process.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def find_place() -> bool:
    """Return whether kernels are kept; where they are not, give this process and its own a folder."""
    given, home = os.environ.get("NUMBA_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME")
    own = home or os.path.expanduser("~/.cache")
    beside = Path(__file__).parent / "__pycache__"
    if any(_takes_files(Path(place)) for place in (given, beside, own) if place):
        return True
    import atexit
    import logging
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="ltr_core-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = folder
    if "numba" in sys.modules:  # it has read the environment
        sys.modules["numba"].config.CACHE_DIR = folder
    logging.getLogger(__name__).warning(
        "Compiled kernels cannot be kept: they are compiled anew at each start. Set NUMBA_CACHE_DIR to a "
        "folder that can be written."
    )
    return False


def _takes_files(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


IS_KEPT = find_place()  # before any kernel is loaded
