"""Whom the server answers: names, origins, headers."""

from __future__ import annotations

import http.client
import os
import socket
from contextlib import closing

import pytest

from pages.ui.app.serve import LOCAL, hosts_for
from pages.ui.app.server import is_allowed_host, is_same_origin
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
