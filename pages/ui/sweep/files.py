"""A sweep's file that somebody brings: checked, opened, shown like one made here."""

from __future__ import annotations

import base64
import json
import logging
import zlib
from pathlib import Path

import streamlit as st

import ltr_core as ltr
from ltr_core import DataError
from ltr_core.sweeps import Sweep

from ..runs.screens import Screen
from ..runs.services import services
from ..runs.uploads import safe_name
from ..session import files as session_files
from ..style.words import count
from ..tables.sweep import Swept, by_round, drawn, on_screen, points, recipe
from .asked import asked
from .words import conclusion

_LOG = logging.getLogger(__name__)
_MAX_MB = 100
_MAX_UNPACKED = 512 << 20


def upload() -> None:
    """Draw the place for a file, and say what is wrong with one that cannot be opened."""
    if asked().problem:
        st.error(asked().problem, icon=":material/error:")
    with st.expander("Open a sweep’s file", icon=":material/folder_open:"):
        st.file_uploader(
            "A sweep’s file",
            type=["jsonl"],
            key="sweep-upload",
            on_change=_arrived,
            max_upload_size=_MAX_MB,
            label_visibility="collapsed",
        )
        st.caption(
            "One that this page, `ltr.sweep(…, store=…)` or `python -m ltr_core sweep` has written, finished "
            "or not. It stays in this session."
        )


def _arrived() -> None:
    file, own = st.session_state["sweep-upload"], asked()
    own.file, own.problem = None, ""
    if file is None:
        return
    try:
        path = session_files.keep(file, session_files.folder() / "opened", file.name)
        _read(path)
    except DataError as error:
        name = safe_name(file.name)
        own.problem = str(DataError(error.what, error.todo, file=name, line=error.line))
    else:
        own.file = path


def _read(path: Path) -> Sweep:
    """Read a file; whatever is odd in it shows here, not in a picture."""
    stat = path.stat()

    def make() -> Sweep:
        _refuse_bomb(path)
        sweep = ltr.load_sweep(path)
        swept = Swept(sweep, ("tried", path.name, stat.st_mtime_ns), path)
        try:
            conclusion(swept), points(swept, None), drawn(swept), by_round(swept)
            if sweep.chosen is not None:
                recipe(swept, sweep.chosen)
            if list(swept.params) != sweep.names or not sweep.names:
                raise ValueError("parameters that the algorithm does not have")
            _ = sweep.header["sampler"], sweep.header["space"]
        except Exception as error:  # anything may stand in a file
            _LOG.info("An uploaded sweep cannot be used: %r", error)
            raise DataError("not a usable sweep", "run it again", file=path.name) from None
        return sweep

    return services().memo.make(("opened", str(path), stat.st_mtime_ns), make, lambda _: 6.0 * stat.st_size)


def _refuse_bomb(path: Path) -> None:
    """Raise a `DataError` when the values by query would unpack to more than is taken."""
    left = _MAX_UNPACKED
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                texts = list(json.loads(line).get("queries", {}).values())
                for text in texts:
                    left -= len(zlib.decompressobj().decompress(base64.b64decode(text), left + 1))
            except (ValueError, AttributeError, TypeError, RecursionError, zlib.error):
                return  # damage: the reader has the sentence
            if left < 0:
                raise DataError(
                    f"the file unpacks to more than {_MAX_UNPACKED >> 20:,} MB",
                    "open it with ltr.load_sweep",
                    file=path.name,
                    line=number,
                )


def opened(screen: Screen, path: Path) -> Swept:
    """Return the sweep of a file that was sent, with a word on where it is from."""
    sweep = _read(path)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = sweep.algorithm.label or sweep.algorithm.__name__
        st.caption(f"From {path.name}: {label}, {count(sweep.n_trained, 'fit')}.", width="stretch")
        st.button("Close the file", key="close-sweep", icon=":material/close:", on_click=_close)
    return on_screen(screen, sweep, ("opened", path.name, path.stat().st_mtime_ns), path, path.stem)


def _close() -> None:
    asked().file, asked().problem = None, ""
