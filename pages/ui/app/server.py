"""The server around the app: whom it answers, and what a browser may do with its pages.

`streamlit run pages/ui/app/server.py` serves `app.py` behind a guard. Streamlit itself compares the Host of a
WebSocket with `server.allowedHosts` and takes an Origin from any port of this machine; the guard asks every
request for its Host (a stranger's name that was pointed at this machine is refused), and a WebSocket for an
Origin that is the Host it was opened with: a page of another server on this machine is a stranger, too.

It also keeps uploads within limits before their bytes are kept, and lets nobody clear the server's caches.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from google.protobuf.message import DecodeError
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.pages_manager import PagesManager

from pages.ui.app import ahead
from pages.ui.app.limits import Uploads
from pages.ui.kit import net

_ROOT = Path(__file__).resolve().parents[3]

# Scripts and styles in the page itself are Streamlit's; charts that grow are compiled in the browser (eval).
# Nothing is taken from another host, and no other host's page may put this one into a frame.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' ws: wss: blob: data:; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """Refuses requests for other hosts and WebSockets of other origins; adds the headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.uploads = app, Uploads()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_allowed_host(host, st.get_option("server.allowedHosts")):
            await _refuse(scope, receive, send, "This server is not reached by that name.")
        elif scope["type"] == "websocket" and not is_same_origin(headers.get("origin"), host):
            await _refuse(scope, receive, send, "Another site's page may not speak to this server.")
        elif scope["type"] == "websocket":
            await self.app(scope, _without_clearing(receive), send)
        else:
            with self.uploads.coming(scope, headers) as refused:
                if refused:
                    await PlainTextResponse(refused[1], status_code=refused[0])(scope, receive, send)
                else:
                    await self.app(scope, receive, _with_headers(send))


def is_allowed_host(host: str, allowed: list[str]) -> bool:
    """Whether a request's Host, its port aside, is one of the names given; all are where none is given."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    names = [one.strip().strip("[]").lower() for one in allowed]
    return not names or "*" in names or name in names


def is_same_origin(origin: str | None, host: str) -> bool:
    """Whether an Origin is the host that was asked; what is no browser sends none."""
    return origin is None or urlsplit(origin).netloc.lower() == host.lower()


async def _refuse(scope: Scope, receive: Receive, send: Send, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence})
    else:
        await PlainTextResponse(sentence, status_code=403)(scope, receive, send)


def _without_clearing(receive: Receive) -> Receive:
    """Pass a client's messages on, but for the one that would clear what all sessions share."""

    async def receiving() -> Message:
        while True:
            message = await receive()
            data = message.get("bytes")
            if not data or not _clears(data):
                return message

    return receiving


def _clears(data: bytes) -> bool:
    try:
        return BackMsg.FromString(data).WhichOneof("type") == "clear_cache"
    except DecodeError:
        return False  # Streamlit closes the line


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
        await send(message)

    return sending


PagesManager.uses_pages_directory = False  # the first visitor, too, has app.py run: see `site.enter`
ahead.begin()
app = st.App(_ROOT / "app.py", middleware=[Middleware(Guard)], on_script_error=net.say)
