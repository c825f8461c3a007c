"""What the documents and the help texts tell people to type is what the command line takes."""

from __future__ import annotations

import re
import shlex

import pytest

from ltr_core.cli import COMMANDS, build_parser, command_of, parse
from tests.live import ROOT

TEXTS = {
    "README": (ROOT / "README.md").read_text(encoding="utf-8"),
    "data/README": (ROOT / "data" / "README.md").read_text(encoding="utf-8"),
    "--help": build_parser().epilog or "",
    **{name: command_of(name).EPILOG for name in COMMANDS},
}


def commands_in(text: str) -> list[list[str]]:
    """Return the words of the commands in a text; what stands behind three spaces is an explanation."""
    lines = re.findall(r"python -m ltr_core ([^`\n]+)", re.sub(r"\\\n\s*", "", text))
    words = [shlex.split(re.split(r" {3,}|;", line)[0]) for line in lines]
    return [found for found in words if "--help" not in found]


@pytest.mark.parametrize("name", TEXTS)
def test_examples_are_taken(name):
    found = commands_in(TEXTS[name])
    assert found
    for words in found:
        assert parse(words).command == words[0]


def test_every_command_is_in_the_readme():
    for name in COMMANDS:
        assert re.search(rf"`{name}`|ltr_core {name} ", TEXTS["README"]), name
