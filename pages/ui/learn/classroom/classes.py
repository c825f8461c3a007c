"""Classes: who has finished which lessons, in the server's memory alone, and gone with it.

A class is its teacher's secret. What students get is a digest of it, which leads to the lessons and not to
the board. A server that has started anew knows no class; the teacher's address has all it takes to open it
again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

MAX_CLASSES, MAX_STUDENTS = 100, 500
MAX_NAME = 40
_DRAWS = 100  # so many sets of numbers: sixty students share few, and the server remembers them all
_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # read aloud and written by hand: no 0 and O, no 1 and I


def _digest(secret: str, *told: str) -> bytes:
    return hmac.new(secret.encode(), "\0".join(told).encode(), hashlib.sha256).digest()


def _letters(digest: bytes, n: int) -> str:
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest[:n])


def new_secret() -> str:
    """Return a teacher's secret: nobody guesses it."""
    return secrets.token_urlsafe(12).replace("-", "a").replace("_", "b")


def class_of(secret: str) -> str:
    """Return the name of a secret's class, as it stands in the students' link."""
    return _letters(_digest(secret, "class"), 6)


def tidy(name: str) -> str:
    """Return a student's name in one line, without what cannot be seen."""
    return " ".join("".join(c for c in name if c.isprintable()).split())[:MAX_NAME]


def numbers_of(class_name: str, student: str) -> int:
    """Return which numbers a student's lessons ask about: neighbours have others."""
    digest = hashlib.sha256(f"{class_name}\0{tidy(student).casefold()}".encode()).digest()
    return 1 + int.from_bytes(digest[:4], "big") % _DRAWS


def code_of(secret: str, student: str, lessons: Iterable[str]) -> str:
    """Return what a student who has finished the lessons shows: without the secret nobody makes one."""
    told = ",".join(sorted(set(lessons), key=int))
    letters = _letters(_digest(secret, "code", tidy(student).casefold(), told), 8)
    return f"{letters[:4]}-{letters[4:]}"


def is_code(code: str, secret: str, student: str, lessons: Iterable[str]) -> bool:
    """Whether a code is a student's; it may have been written by hand."""
    written = "".join(c for c in code.upper() if c.isalnum())
    return hmac.compare_digest(written.encode(), code_of(secret, student, lessons).replace("-", "").encode())


@dataclass
class Class:
    """One class: its secret, its lessons, what each student has finished, and what they predict."""

    secret: str
    lessons: tuple[str, ...]
    students: dict[str, tuple[str, set[str]]] = field(default_factory=dict)  # by casefolded name
    votes: dict[str, dict[str, str]] = field(default_factory=dict)  # by question, then by student

    @property
    def name(self) -> str:
        """The name in the students' link."""
        return class_of(self.secret)

    def finished(self, student: str) -> set[str]:
        """Return which of the class's lessons a student has finished."""
        _, done = self.students.get(tidy(student).casefold(), ("", set()))
        return done & set(self.lessons)

    def code(self, student: str) -> str | None:
        """Return a student's code, once all lessons are finished."""
        if self.finished(student) != set(self.lessons):
            return None
        return code_of(self.secret, student, self.lessons)


class Classes:
    """The classes of this server; the one that was opened first goes when there are too many."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._open: OrderedDict[str, Class] = OrderedDict()

    def open(self, secret: str, lessons: Iterable[str]) -> Class:
        """Return a secret's class with these lessons, opened if it is not."""
        known = tuple(lessons)
        with self._lock:
            one = self._open.setdefault(class_of(secret), Class(secret, known))
            one.lessons = known
            while len(self._open) > MAX_CLASSES:
                self._open.popitem(last=False)
            return one

    def get(self, name: str) -> Class | None:
        """Return a class by the name in its link."""
        return self._open.get(name)

    def join(self, name: str, student: str) -> bool:
        """Note that a student is there; not where the class is unknown or full."""
        with self._lock:
            one, key = self._open.get(name), tidy(student).casefold()
            if one is None or not key or (key not in one.students and len(one.students) >= MAX_STUDENTS):
                return False
            one.students.setdefault(key, (tidy(student), set()))
            return True

    def join_unnamed(self, name: str) -> str:
        """Return a name for somebody who gives none, and note that they are there."""
        with self._lock:
            one = self._open.get(name)
            taken = one.students if one is not None else {}
            n = next(i for i in range(1, MAX_STUDENTS + 2) if f"student {i}" not in taken)
            self.join(name, f"Student {n}")
        return f"Student {n}"

    def finish(self, name: str, student: str, lesson: str) -> None:
        """Note that a student has finished a lesson."""
        with self._lock:
            if self.join(name, student):
                self._open[name].students[tidy(student).casefold()][1].add(lesson)

    def vote(self, name: str, student: str, question: str, answer: str) -> None:
        """Note what a student predicts; the last word counts."""
        with self._lock:
            if self.join(name, student):
                self._open[name].votes.setdefault(question, {})[tidy(student).casefold()] = answer

    def votes(self, name: str, question: str) -> Counter[str]:
        """Return how many predict what."""
        with self._lock:
            one = self._open.get(name)
            return Counter(one.votes.get(question, {}).values() if one is not None else ())


@cache
def classes() -> Classes:
    """Return the classes of this server."""
    return Classes()
