"""How much may be uploaded: one file, one session, all of the server; asked before the bytes are kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from re import fullmatch

import streamlit as st
from starlette.types import Scope
from streamlit.runtime import get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from . import ahead

SESSION_FILES = 3  # of the largest size that a session may have sent and not taken back
SERVER_FILES = 8  # the same for all sessions together
_PATH = r".*/_stcore/upload_file/([^/]+)/([^/]+)"
_MB = 1 << 20


class Uploads:
    """Counts what is in memory and what is on its way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._coming: dict[object, tuple[str, int]] = {}

    @contextmanager
    def coming(self, scope: Scope, headers: Mapping[str, str]) -> Iterator[tuple[int, str] | None]:
        """Yield why a request is refused, as status and sentence; None where it is not."""
        match = fullmatch(_PATH, scope["path"]) if scope["method"] in ("PUT", "POST") else None
        if match is None:
            yield None
            return
        session, ticket = match[1], object()
        with self._lock:
            refused = self._refusal(session, headers.get("content-length", ""))
            if refused is None:
                self._coming[ticket] = session, int(headers["content-length"])
        try:
            yield refused
        finally:
            with self._lock:
                self._coming.pop(ticket, None)

    def _refusal(self, session: str, length: str) -> tuple[int, str] | None:
        if not fullmatch("[0-9]{1,15}", length):
            return 411, "An upload says how long it is."
        largest = int(st.get_option("server.maxUploadSize")) * _MB
        held = held_bytes()
        for own, size in self._coming.values():
            held[own] = held.get(own, 0) + size
        if int(length) > largest + _MB:  # with what is around the file
            return 413, f"A file may have {largest // _MB} MB: larger ones go into the folder data/."
        if held.get(session, 0) + int(length) > SESSION_FILES * largest:
            return 413, "This session has sent as much as it may: remove a file first."
        if sum(held.values()) + int(length) > SERVER_FILES * largest:
            return 413, "The server has no room for more uploads at the moment: try again later."
        if not _has_room(2 * int(length)):  # in memory, and once more while it is read
            return 507, "The server has no memory for this file at the moment: try again later."
        return None


def _has_room(n_bytes: int) -> bool:
    if not ahead.is_over():  # the core is loaded by one thread: before that nobody has a page to upload from
        return True
    from ..runs.process.room import has_room

    return has_room(n_bytes)


def held_bytes() -> dict[str, int]:
    """Return the bytes of the uploads that Streamlit holds, by session."""
    manager = get_instance().uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        return {}
    return {
        session: sum(len(file.data) for file in list(files.values()))
        for session, files in list(manager.file_storage.items())
    }
