"""How much memory there is: the machine's, or what a container may take of it."""

from __future__ import annotations

import pytest

from ltr_core.data import free_bytes, total_bytes
from ltr_core.data.set import memory

GB = 1 << 30


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine of 16 GB, 10 of them free; `group` says what its container may take and has taken."""
    told = tmp_path / "meminfo"
    told.write_text(f"MemTotal: {16 << 20} kB\nMemFree: 5 kB\nMemAvailable: {10 << 20} kB\n")
    monkeypatch.setattr(memory, "_MACHINE", told)
    monkeypatch.setattr(memory, "_GROUP", tmp_path)

    def group(most, used):
        (tmp_path / "memory.max").write_text(f"{most}\n")
        (tmp_path / "memory.current").write_text(f"{used}\n")

    return group


def test_a_machine_without_containers(machine):
    assert (total_bytes(), free_bytes()) == (16 * GB, 10 * GB)


@pytest.mark.parametrize(
    ("most", "used", "total", "free"),
    [(GB, GB // 4, GB, GB - GB // 4), ("max", GB, 16 * GB, 10 * GB), (32 * GB, GB, 16 * GB, 10 * GB)],
)
def test_a_container_has_what_it_may_take_and_no_more_than_there_is(machine, most, used, total, free):
    machine(most, used)
    assert (total_bytes(), free_bytes()) == (total, free)


def test_a_container_of_an_older_linux(machine, tmp_path):
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "memory.limit_in_bytes").write_text(f"{GB}\n")
    (tmp_path / "memory" / "memory.usage_in_bytes").write_text(f"{GB // 2}\n")
    assert (total_bytes(), free_bytes()) == (GB, GB // 2)


def test_where_no_file_tells_the_system_does(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_MACHINE", tmp_path / "none")
    monkeypatch.setattr(memory, "_GROUP", tmp_path / "none")
    assert total_bytes() == free_bytes() > 0
