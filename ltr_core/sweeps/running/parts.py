"""The data of a sweep: folds of (train, valid, test), from whatever form they are given in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...data import RankingData, folds, split
from ...errors import DataError, ParameterError


@dataclass(frozen=True)
class Fold:
    """One cut of the data; without test data there is no test value."""

    train: RankingData
    valid: RankingData
    test: RankingData | None

    def prints(self) -> list[str | None]:
        """Return the fingerprints of the three."""
        return [self.train.fingerprint, self.valid.fingerprint, self.test.fingerprint if self.test else None]


def as_folds(data: Any, n_folds: int | Sequence[Any] | None, seed: int) -> list[Fold]:
    """Return the folds of a sweep.

    Parameters
    ----------
    data : RankingData, tuple, or list of tuples
        A whole set, which is cut by query: into `n_folds` folds, or 60/20/20 without them. Or a cut that is
        made already, (train, valid) or (train, valid, test), or a list of such folds.
    n_folds : int, optional
        For a whole set only; or the list of folds, which is then used in place of `data`.
    seed : int
        Of the cut.
    """
    if isinstance(n_folds, Sequence):
        data, n_folds = n_folds, None
    if isinstance(data, RankingData):
        cuts = [split(data, seed=seed)] if n_folds is None else folds(data, n_folds, seed)
        return [Fold(*cut) for cut in cuts]
    if n_folds is not None:
        raise ParameterError("The data are cut already: leave folds out, or give one RankingData.")
    cuts = [data] if isinstance(data, tuple) else data
    if not isinstance(cuts, Sequence) or not cuts:
        raise ParameterError(
            "Give data as a RankingData, as (train, valid, test), or as a list of such folds."
        )
    return [_as_fold(cut) for cut in cuts]


def _as_fold(cut: Any) -> Fold:
    if (
        not isinstance(cut, Sequence)
        or len(cut) not in (2, 3)
        or not all(isinstance(part, RankingData) for part in cut)
    ):
        raise ParameterError("A fold is (train, valid) or (train, valid, test), each a RankingData.")
    sizes = {part.n_features for part in cut}
    if len(sizes) > 1:
        raise DataError(
            "the parts of a fold have " + " and ".join(str(n) for n in sorted(sizes)) + " features",
            "give the same features to all",
        )
    train, valid, *test = (part.as_part() for part in cut)
    return Fold(train, valid, test[0] if test else None)
