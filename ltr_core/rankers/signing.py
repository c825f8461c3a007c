"""The checksum of what we write: who edits a file by hand is told so, and not that it is wrong.

A JSON object begins with the checksum of all that follows it. A file from before there were checksums has
none and is taken as it is.
"""

from __future__ import annotations

import hashlib
from typing import Any

_KEY = '{"checksum": "'
TRUST = "open it with --trust-edited on the command line, or trust_edited=True in Python, if you did that"


def sign(text: str) -> str:
    """Return the text of a JSON object with its checksum."""
    rest = text[1:]
    return f'{_KEY}{_sum(rest.encode())}", {rest}'


def is_edited(raw: bytes, content: Any) -> bool:
    """Whether an object with a checksum is not as it was written; takes the checksum out of it."""
    if not isinstance(content, dict) or "checksum" not in content:
        return False
    said, raw = content.pop("checksum"), raw.strip()
    head = f'{_KEY}{said}", '.encode(errors="replace")
    return not raw.startswith(head) or _sum(raw[len(head) :]) != said


def _sum(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=8).hexdigest()
