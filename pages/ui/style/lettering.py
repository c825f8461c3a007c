"""How much room names take, and how they are cut where there is less of it."""

from __future__ import annotations

from collections.abc import Sequence

BETWEEN = " · "  # two settings of a run
_NARROW, _WIDE = set("fijlrtI1.,:;·|()[]' "), set("mwMW@%")


def shorten(name: str, most: int = 24) -> str:
    """Return a name that is no longer than there is room for."""
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def told_apart(names: Sequence[str], most: int = 26) -> list[str]:
    """Return the names, each as short as there is room for, and no two alike that were not.

    Where what would be cut off is all that differs, the words before the last are shortened.
    """
    short = [shorten(name, most) for name in names]
    if len(set(short)) == len(set(names)):
        return short
    return [name if len(name) <= most else _abbreviated(name, most) for name in names]


def cut_apart(names: Sequence[str], room: float) -> list[str]:
    """Return runs' names, each within some pixels, and no two alike that were not.

    Where the rest of two were the same, names lose the words that all have in the same place, "rounds" and
    "shrinkage", and keep the values: "150 · quantile · 0.25". What is too long even so is cut in its middle.
    """
    short = [cut(name, room) for name in names]
    if len(set(short)) == len(set(names)):
        return short
    return [_cut_inside(name, room) for name in _bare(names)]


def _bare(names: Sequence[str]) -> list[str]:
    """Return names of settings without the words that all of them have in the same place."""
    parts = [[part.split() for part in name.split(BETWEEN)] for name in names]
    if len({tuple(map(len, part)) for part in parts}) > 1:
        return list(names)
    said = [[len(set(words)) > 1 for words in zip(*part, strict=True)] for part in zip(*parts, strict=True)]
    bare = [
        [" ".join(w for w, differs in zip(words, is_said, strict=True) if differs) for words, is_said in told]
        for told in (zip(part, said, strict=True) for part in parts)
    ]
    return [BETWEEN.join(filter(None, part)) for part in bare]


def _cut_inside(name: str, room: float) -> str:
    """Return a name's beginning and its end, as much as there are pixels for."""
    if width_of(name) <= room:
        return name
    half = next(n for n in range(len(name) // 2, 0, -1) if n == 1 or width_of(_ends(name, n)) <= room)
    return _ends(name, half)


def _ends(name: str, n: int) -> str:
    return f"{name[:n].rstrip()}…{name[-n:].lstrip()}"


def unbroken(text: str) -> str:
    """Return a text no line of which begins with the sign between two settings, or breaks within p = 0.1."""
    text = text.replace(BETWEEN, "\u00a0" + BETWEEN[1:])
    return text.replace(" = ", "\u00a0=\u00a0").replace(" < ", "\u00a0<\u00a0")


def _abbreviated(name: str, most: int) -> str:
    *words, last = name.split(" ")
    while words and len(" ".join([*words, last])) > most:
        lengths = [len(word.rstrip(".,")) for word in words]
        place = 0 if lengths[0] > 3 else lengths.index(max(lengths))  # the first is what most have in common
        if lengths[place] <= 3:
            break
        words[place] = words[place][: lengths[place] - 1] + "." + ("," if words[place].endswith(",") else "")
    text = " ".join([*words, last])
    return text if len(text) <= most else f"{text[: most // 2 - 1]}…{text[-(most // 2) :]}"


def in_two_lines(name: str, most: int) -> str:
    """Return a name with a break where its first line is full; what does not fit into the second is cut."""
    head, _, rest = name.partition(" ")
    while rest and len(f"{head} {rest.split()[0]}") <= most:
        word, _, rest = rest.partition(" ")
        head = f"{head} {word}"
    return f"{shorten(head, most)}<br>{shorten(rest, most + 1)}" if rest else shorten(head, most)


def width_of(text: str) -> float:
    """Return about how many pixels a text takes at 12 pixels of height."""
    return sum(4.0 if c in _NARROW else 9.6 if c in _WIDE else 7.6 if c.isupper() else 6.4 for c in text)


def cut(name: str, room: float) -> str:
    """Return as much of a name as there are pixels for."""
    if width_of(name) <= room:
        return name
    end = next(n for n in range(len(name), 0, -1) if n == 1 or width_of(name[:n] + "…") <= room)
    return name[:end].rstrip() + "…"
