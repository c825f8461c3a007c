"""Whether data have the features that a model was trained on, told by their names."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import DataError

_MOST = 3  # names in a sentence
_ORDER = "give the same features in the same order"


def check_names(
    own: Sequence[str],
    given: Sequence[str],
    what: str = "the data have",
    than: str = "the model was trained on",
) -> None:
    """Refuse features that are not a model's own, or in another order, and say which."""
    if tuple(own) == tuple(given):
        return
    lacking, unknown = [n for n in own if n not in set(given)], [n for n in given if n not in set(own)]
    if not lacking and not unknown:
        here, there = next((a, b) for a, b in zip(own, given, strict=True) if a != b)
        raise DataError(
            f"{what} the features in another order than {than}: “{there}” stands where “{here}” belongs",
            _ORDER,
        )
    count = f"{what} {len(given)} features, {than} {len(own)}: "
    found = [
        f"{_list(names)} {word}" for names, word in ((lacking, "missing"), (unknown, "unknown")) if names
    ]
    count = count if len(own) != len(given) else f"{what} other features than {than}: "
    raise DataError(count + ", ".join(found), _ORDER)


def _list(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:_MOST])
    more = len(names) - _MOST
    return f"{shown} and {more} more are" if more > 0 else shown + (" is" if len(names) == 1 else " are")
