"""What a training would take, and the sentence for what this machine cannot do, before it starts.

Kernels that sum pairs up take what their documents take. Those that go through pairs one by one need a few
nanoseconds for each, and a query of a million documents has 500,000,000,000.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..data import RankingData, free_bytes
from ..errors import DataError

MOST_PAIRS = 50_000_000_000  # gone through one by one in a round: minutes, on any machine of today
_SECONDS_PER_PAIR = 3e-9
_GIGABYTE = 1 << 30
_SMALL = 64 << 20  # bytes that are taken without a look at what is free, which takes half a millisecond


@dataclass(frozen=True)
class Effort:
    """What a training takes beyond what its documents take.

    Attributes
    ----------
    pairs : int
        How many pairs a round goes through one by one, as often as it does.
    n_bytes : int
        The largest arrays, added up.
    """

    pairs: int = 0
    n_bytes: int = 0


def refuse_beyond(effort: Effort, name: str, data: RankingData, todo: str) -> None:
    """Raise the sentence for a training that this machine cannot do."""
    longest = int((data.offsets[1:] - data.offsets[:-1]).max(initial=0))
    if effort.pairs > MOST_PAIRS:
        minutes = effort.pairs * _SECONDS_PER_PAIR / 60
        raise DataError(
            f"{name} goes through pairs of documents one by one, some {effort.pairs:,} in each round: "
            f"about {minutes:,.0f} minutes a round",
            f"give queries of fewer documents (the longest has {longest:,}), or take {todo}",
        )
    free = free_bytes() if effort.n_bytes > _SMALL else None
    if free is not None and effort.n_bytes > free:
        raise DataError(
            f"{name} would need {effort.n_bytes / _GIGABYTE:,.1f} GB of memory for this, "
            f"and {free / _GIGABYTE:,.1f} GB are free",
            "take fewer rounds, bins, leaves or hidden units, or fewer documents or features",
        )
