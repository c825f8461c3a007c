"""The command line called in this process: what it returns, prints and says."""

from __future__ import annotations

import json
from typing import Any

from ltr_core.cli import main
from tests.live import ROOT

CUBIC = str(ROOT / "data" / "cubic-small")


class Command:
    """Calls a command and keeps what came of it."""

    def __init__(self, capsys: Any) -> None:
        self.capsys = capsys
        self.code, self.out, self.err = 0, "", ""

    def __call__(self, *words: object, code: int = 0) -> str:
        """Run a command that is to end with a code; return what it prints."""
        self.code = main([str(word) for word in words])
        self.out, self.err = self.capsys.readouterr()
        assert self.code == code, self.err
        assert "Traceback" not in self.err
        return self.out

    def json(self, *words: object, code: int = 0) -> Any:
        """Run a command with --json; return the one document it prints."""
        return json.loads(self(*words, "--json", code=code), parse_constant=_refuse)

    def refused(self, *words: object) -> str:
        """Run a command that cannot be done; return its one sentence."""
        assert self(*words, code=2) == ""
        assert self.err.endswith(".\n") and self.err.count("\n") == 1, self.err
        return self.err


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")
