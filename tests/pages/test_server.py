"""Whom the server answers: names, origins, headers."""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import threading
from contextlib import ExitStack, closing

import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.ui.app import limits
from pages.ui.app.serve import LOCAL, hosts_for
from pages.ui.app.server import Guard, is_allowed_host, is_same_origin
from pages.ui.runs.services import services
from pages.ui.runs.uploads import MAX_MB
from tests import live


@pytest.mark.parametrize(
    "host, answered",
    [
        ("localhost:8501", True),
        ("LOCALHOST", True),
        ("localhost.", True),
        ("127.0.0.1:1", True),
        ("[::1]:8501", True),
        ("rebound.example:8501", False),
        ("localhost.rebound.example", False),
        ("localhost@rebound.example", False),
        ("", False),
        ("[::1", False),
    ],
)
def test_hosts(host, answered):
    assert is_allowed_host(host, list(LOCAL)) == answered


def test_hosts_of_ones_own():
    assert is_allowed_host("box.lan:80", ["localhost", "box.lan"])
    assert is_allowed_host("anything", ["*"]) and is_allowed_host("anything", [])


@pytest.mark.parametrize(
    "origin, same",
    [
        (None, True),  # no browser
        ("http://localhost:8501", True),
        ("http://localhost:8888", False),  # another server on this machine
        ("http://rebound.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_origins(origin, same):
    assert is_same_origin(origin, "localhost:8501") == same


def test_names_of_a_server():
    assert hosts_for("localhost", []) == list(LOCAL)
    assert hosts_for("192.0.2.7", ["ltr.example"]) == [*LOCAL, "192.0.2.7", "ltr.example"]
    assert socket.gethostname() in hosts_for("0.0.0.0", []) and "0.0.0.0" not in hosts_for("0.0.0.0", [])


@pytest.fixture(scope="module")
def port(live_server) -> int:
    return int(live_server.url.rpartition(":")[2])


def ask(port: int, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage]:
    """Return status and headers of the answer."""
    with closing(http.client.HTTPConnection("localhost", port, timeout=120)) as connection:
        connection.request("GET", path, headers={name.replace("_", "-"): h for name, h in headers.items()})
        with connection.getresponse() as answer:
            return answer.status, answer.headers


def handshake(port: int, host: str, origin: str | None) -> int:
    """Ask for the app's WebSocket; return the status of the answer."""
    told = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13"}
    told |= {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec_WebSocket_Protocol": "streamlit"}
    told |= {} if origin is None else {"Origin": origin}
    return ask(port, "/_stcore/stream", Host=host, **told)[0]


def test_a_running_server_refuses_strangers(port):
    own = f"localhost:{port}"
    assert ask(port, "/", Host=own)[0] == 200
    assert ask(port, "/", Host=f"rebound.example:{port}")[0] == 403
    assert ask(port, "/_stcore/health", Host="rebound.example")[0] == 403
    assert handshake(port, own, f"http://{own}") == 101
    assert handshake(port, own, None) == 101
    assert handshake(port, own, "http://localhost:9") == 403
    assert handshake(port, own, "http://rebound.example") == 403
    assert handshake(port, f"rebound.example:{port}", f"http://rebound.example:{port}") == 403


def test_pages_stay_out_of_foreign_frames_and_load_nothing_foreign(port):
    _, headers = ask(port, "/")
    policy = headers["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in policy and "default-src 'self'" in policy
    assert headers["X-Frame-Options"] == "SAMEORIGIN" and headers["X-Content-Type-Options"] == "nosniff"


def test_plain_streamlit_knows_the_names_too():
    text = (live.ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert 'allowedHosts = ["localhost", "127.0.0.1", "::1"]' in text.replace(os.linesep, "\n")


# Messages and uploads ---------------------------------------------------------------------------------------


def test_nobody_clears_what_all_share():
    heard = []

    async def app(scope, receive, send):
        while (message := await receive())["type"] == "websocket.receive":
            heard.append(BackMsg.FromString(message["bytes"]).WhichOneof("type"))

    wanted = [BackMsg(clear_cache=True), BackMsg(stop_script=True), BackMsg(clear_cache=True)]
    queue = [{"type": "websocket.receive", "bytes": one.SerializeToString()} for one in wanted]
    queue.append({"type": "websocket.disconnect"})

    async def receive():
        return queue.pop(0)

    headers = [(b"host", b"localhost:1")]
    asyncio.run(Guard(app)({"type": "websocket", "headers": headers}, receive, None))
    assert heard == ["stop_script"]


def test_what_sessions_share_is_in_no_cache_of_streamlits():
    before = services()
    st.cache_resource.clear()  # sessions of other tests leave, those with files have a clock each
    threads = threading.active_count()
    for _ in range(20):
        st.cache_resource.clear()
        st.cache_data.clear()
        assert services() is before
    assert threading.active_count() <= threads


def put(port: int, size: int | None, body: bytes = b"") -> int:
    """Say that an upload of some bytes comes; return the status of the answer."""
    with closing(http.client.HTTPConnection("localhost", port, timeout=120)) as connection:
        connection.putrequest("PUT", "/_stcore/upload_file/nobody/1")
        connection.putheader(
            *(("Transfer-Encoding", "chunked") if size is None else ("Content-Length", size))
        )
        connection.endheaders()
        if body:
            connection.send(body)
        with connection.getresponse() as answer:
            return answer.status


def test_an_upload_is_refused_by_its_length_before_a_byte_of_it_is_read(port):
    assert put(port, (MAX_MB + 2) << 20) == 413
    assert put(port, None) == 411
    assert put(port, 4, b"file") in (400, 403), "Streamlit's own answer: there is no such session"


def test_a_session_and_the_server_have_limits(monkeypatch):
    largest = int(st.get_option("server.maxUploadSize")) << 20
    held = {"mine": 0}
    monkeypatch.setattr(limits, "held_bytes", lambda: dict(held))
    uploads, half = limits.Uploads(), {"content-length": str(largest // 2)}

    def scope(session):
        return {"method": "PUT", "path": f"/_stcore/upload_file/{session}/1"}

    with ExitStack() as coming:
        for _ in range(2 * limits.SESSION_FILES):
            assert coming.enter_context(uploads.coming(scope("mine"), half)) is None
        assert "This session" in coming.enter_context(uploads.coming(scope("mine"), half))[1]
        assert coming.enter_context(uploads.coming(scope("yours"), half)) is None
        held["others"] = limits.SERVER_FILES * largest
        assert "no room" in coming.enter_context(uploads.coming(scope("yours"), half))[1]
    held.clear()
    with uploads.coming(scope("mine"), half) as refused:
        assert refused is None, "what has come is no longer on its way"
