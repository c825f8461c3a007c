"""The command that starts the dashboard: `python -m pages.ui.app.serve --port 8501 --address localhost`."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from pathlib import Path

from streamlit.web.cli import main as streamlit

_SERVER = Path(__file__).with_name("server.py")
LOCAL = ("localhost", "127.0.0.1", "::1")
ANYWHERE = ("0.0.0.0", "::", "")


def hosts_for(address: str, more: list[str]) -> list[str]:
    """Return the names by which a server at an address may be asked for."""
    own = [address] if address not in (*ANYWHERE, *LOCAL) else []
    if address in ANYWHERE:
        name = socket.gethostname()
        own = [name, socket.getfqdn(), *_addresses(name)]
    return list(dict.fromkeys(filter(None, (*LOCAL, *own, *more))))


def _addresses(name: str) -> list[str]:
    try:
        return sorted({str(info[4][0]).partition("%")[0] for info in socket.getaddrinfo(name, None)})
    except OSError:
        return []


def run(arguments: list[str] | None = None) -> None:
    """Start the server, and say where it is and who can reach it.

    RANKSCOPE_PORT, RANKSCOPE_ADDRESS and RANKSCOPE_HOSTS of the environment hold where nothing else is said.
    """
    told = os.environ.get
    parser = argparse.ArgumentParser(prog="rankscope", description="Open the dashboard.")
    parser.add_argument("--port", type=int, default=told("RANKSCOPE_PORT", "8501"))
    address = told("RANKSCOPE_ADDRESS", "localhost")
    parser.add_argument("--address", default=address, help="0.0.0.0 lets other machines in")
    parser.add_argument("--host", action="append", default=[], help="a further name that leads here")
    parser.add_argument("--scheduler", action="append", default=[], help="a Dask cluster that sweeps may use")
    given = parser.parse_args(arguments)
    if given.scheduler:
        os.environ["RANKSCOPE_SCHEDULERS"] = " ".join(given.scheduler)
    hosts = hosts_for(given.address, given.host + told("RANKSCOPE_HOSTS", "").split())
    out = sys.stderr
    if given.address not in LOCAL:
        out.write(
            "It answers other machines, too, and there is no login: whoever reaches it can train, upload, "
            f"and read what is in data/. It is reached as {', '.join(hosts)}; another name: --host NAME "
            "(make run HOSTS=NAME).\n"
        )
    out.flush()
    flags = [f"--server.allowedHosts={host}" for host in hosts]
    os.chdir(Path(__file__).resolve().parents[3])  # where Streamlit looks for its settings
    streamlit(
        ["run", str(_SERVER), f"--server.port={given.port}", f"--server.address={given.address}", *flags],
        prog_name="streamlit",
    )


if __name__ == "__main__":
    run()
