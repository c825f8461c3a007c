"""The container, without one: the same files, environment and commands, in a folder of their own."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request

import pytest
import yaml

import ltr_core as ltr
from tests.sources import ROOT

TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STEPS = [line.split(" ", 1) for line in TEXT.splitlines() if line and line[0] != "#"]


def steps(kind):
    """Return what the steps of a kind say."""
    return [what for name, what in STEPS if name == kind]


@pytest.fixture
def image(tmp_path):
    """The folders of the image, filled by its COPY steps; compiled kernels come along, as if it were warm."""
    for words in map(str.split, steps("COPY")):
        *sources, target = [word for word in words if not word.startswith("--")]
        for source in sources:
            place = tmp_path / ("app" if target[0] != "/" else "") / target.lstrip("/")
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place)
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, place)
    return tmp_path


def test_docker_is_shown_what_is_copied_and_runs_as_nobody_in_particular():
    shown = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] == "!"]
    copied = [w for step in steps("COPY") for w in step.split()[:-1] if not w.startswith("--")]
    assert sorted(copied) == sorted(shown)
    assert steps("USER") == ["rankscope"] and "useradd" in steps("RUN")[0]
    assert "--require-hashes -r requirements.lock" in steps("RUN")[1]
    python = steps("FROM")[0]
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert python.startswith("python:" + required.removeprefix(">="))
    warm = shlex.split(steps("RUN")[2])
    assert warm[1:3] == ["python", "-c"]
    compile(warm[3], "Dockerfile", "exec")
    assert "ltr_core.warmup()" in warm[3]


@pytest.mark.slow
def test_the_steps_of_the_image_start_a_dashboard_that_is_healthy(image):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', steps("ENV")[0]))
    env = {**os.environ, **{name: value.strip('"') for name, value in own.items()}}
    env |= {"RANKSCOPE_PORT": str(port), "RANKSCOPE_HOSTS": "ranking.example", "PYTHONPATH": ""}
    env |= {"RANKSCOPE_DATA": str(image / "data"), "RANKSCOPE_CACHE": str(image / "runs")}
    program, *words = json.loads(steps("CMD")[0])
    check, *code = shlex.split(steps("HEALTHCHECK")[0].partition("CMD ")[2])
    assert program == check == "python"
    how = {"cwd": image / "app", "env": env, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, *words], **how) as server:
        try:
            healthy = False
            for _ in range(600):
                done = subprocess.run([sys.executable, *code], env=env, capture_output=True)
                healthy = done.returncode == 0
                if healthy or server.poll() is not None:
                    break
                time.sleep(0.1)
            assert healthy, server.stderr.read().decode()

            def ask(host):
                asked = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": host})
                try:
                    return urllib.request.urlopen(asked).status
                except urllib.error.HTTPError as refused:
                    return refused.code

            assert ask("ranking.example") == ask("localhost") == 200 and ask("stranger.example") == 403
        finally:
            server.terminate()


def test_compose_starts_what_there_is():
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())
    services = composed["services"]
    assert (
        set(services) == {"dashboard", "scheduler", "worker"}
        and services["worker"]["deploy"]["replicas"] == 2
    )
    assert services["dashboard"]["ports"] == ["${RANKSCOPE_BIND:-127.0.0.1}:${RANKSCOPE_PORT:-8501}:8501"]
    assert services["dashboard"]["environment"]["RANKSCOPE_SCHEDULERS"] == "tcp://scheduler:8786"
    for name in ("scheduler", "worker"):
        words = services[name]["command"]
        assert services[name]["profiles"] == ["cluster"] and words[:4] == ["python", "-m", "dask", name]
        done = subprocess.run([sys.executable, *words[1:4], "--help"], capture_output=True, text=True)
        for option in (word for word in words if word.startswith("--")):
            assert option in done.stdout
    assert services["dashboard"]["volumes"] == ["data:/data"] and steps("VOLUME") == ["/data"]


def test_the_development_container_and_the_citation():
    opened = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert opened["forwardPorts"] == [8501] and opened["postCreateCommand"] == "make dev"
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (
        cited["version"] == ltr.__version__ and cited["license"] == "MIT" and cited["cff-version"] == "1.2.0"
    )
    assert f"## {ltr.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
