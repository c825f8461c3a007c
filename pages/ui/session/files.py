"""The session's files: a folder of its own, what is sent into it, and which of them are data sets by now."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import BinaryIO

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ltr_core import DataError
from ltr_core.files import whole_file

from ..runs.catalog import UPLOAD
from ..runs.services import services
from ..runs.uploads import MOST, Folder, discard, safe_name
from . import state

_BLOCK = 1 << 20


@st.cache_resource(scope="session", show_spinner=False, on_release=Folder.left)
def _kept(owner: str, _folder: Folder) -> Folder:
    return _folder


def folder() -> Path:
    """Return this session's folder."""
    return _kept(state.owner(), state.held(state.UPLOAD_FOLDER, _new_folder)).keep().path


def _new_folder() -> Folder:
    """Return a folder whose end gives back all that its files take, what Streamlit holds of them too."""
    context = get_script_run_ctx()
    session = "" if context is None else context.session_id

    def deleted(path: Path) -> None:
        services().give_back(path)
        if runtime.exists():
            runtime.get_instance().uploaded_file_mgr.remove_session_files(session)

    return Folder(deleted)


def arrive(file: BinaryIO, name: str) -> None:
    """Take in a file that was sent: it is checked when the page is drawn. A callback's work.

    Raises a `DataError` where there is no room for it.
    """
    state.set_pending(*receive(file, name))


def receive(file: BinaryIO, name: str) -> tuple[str, Path]:
    """Put a file that was sent into the session's folder; return what it is called, and its path."""
    digest = hashlib.blake2b(digest_size=8)
    file.seek(0)
    while block := file.read(_BLOCK):
        digest.update(block)
    file.seek(0)
    return digest.hexdigest(), keep(file, folder() / digest.hexdigest(), name)


def keep(file: BinaryIO, place: Path, name: str) -> Path:
    """Write a file that was sent into a folder of the session; return its path, or raise a `DataError`."""
    path = place / safe_name(name)
    try:
        place.mkdir(exist_ok=True)
        with whole_file(path) as temporary, open(temporary, "wb") as out:
            shutil.copyfileobj(file, out, _BLOCK)
    except OSError as error:
        what = f"the server has no place for this file ({error.strerror or error})"
        raise DataError(what, "ask whoever runs it to make room", file=path.name) from None
    return path


def accept(key: str, path: Path) -> str:
    """Put a file that has been read into the list of data sets; the oldest makes room. Return its name."""
    held = state.uploads()
    held[key] = path
    for old in [k for k in held if UPLOAD + k not in (state.get("data"), UPLOAD + key)]:
        if len(held) > MOST:
            discard(held.pop(old))
    state.set_pending()
    return UPLOAD + key
