"""How much memory there is: the machine's, or what a container may take of it."""

from __future__ import annotations

import pytest

from ltr_core.data import free_bytes, own_bytes, total_bytes
from ltr_core.data.set import memory

GB = 1 << 30


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine of 16 GB, 10 of them free; `group` says what its container may take and has taken."""
    told = tmp_path / "meminfo"
    told.write_text(f"MemTotal: {16 << 20} kB\nMemFree: 5 kB\nMemAvailable: {10 << 20} kB\n")
    monkeypatch.setattr(memory, "_MACHINE", told)
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    monkeypatch.setattr(memory, "_OWN", tmp_path / "own")

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


@pytest.mark.parametrize(
    ("own", "files"),
    [
        ("0::/app/inner\n", ("memory.max", "memory.current", "inactive_file")),
        (
            "5:cpu:/x\n4:memory:/app/inner\n0::/\n",
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ),
    ],
)
def test_a_group_below_the_top_is_found_and_what_is_idle_is_free(machine, tmp_path, own, files):
    (tmp_path / "own").write_text(own)
    top = tmp_path / "memory" if "4:" in own else tmp_path
    inner = top / "app" / "inner"
    inner.mkdir(parents=True)
    (inner.parent / files[0]).write_text(f"{GB}\n")
    (inner.parent / files[1]).write_text(f"{GB // 2}\n")
    assert (total_bytes(), free_bytes()) == (GB, GB // 2), "of the group above"
    (inner / files[0]).write_text(f"{GB // 2}\n")
    (inner / files[1]).write_text(f"{GB // 4}\n")
    (inner / "memory.stat").write_text(f"cache 5\n{files[2]} {GB // 8}\n")
    assert (total_bytes(), free_bytes()) == (GB // 2, 3 * GB // 8)


def test_where_no_file_tells_the_system_does(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_MACHINE", tmp_path / "none")
    monkeypatch.setattr(memory, "_GROUP", tmp_path / "none")
    monkeypatch.setattr(memory, "_MINE", tmp_path / "none")
    assert own_bytes() == 0
    assert total_bytes() == free_bytes() > 0
