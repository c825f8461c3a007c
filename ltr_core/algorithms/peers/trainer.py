"""One training of another library under way, and the data sets that follow it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

import numpy as np

from ...data import RankingData
from ...engines.network.mean_loss import MeanLoss
from ...engines.network.pair_loss import PAIR_LOSS
from ...errors import DataError, ParameterError


class PeerFollower:
    """The scores and the loss of one data set."""

    def __init__(self, trainer: PeerTrainer, data: RankingData) -> None:
        self.trainer, self.data = trainer, data
        self.scores = np.zeros(data.n_docs)
        self._mean = MeanLoss(data, PAIR_LOSS, 0.0, True, True) if trainer.pairwise else None

    def values(self) -> dict[str, float]:
        """Return the loss: the mean of log(1 + e^(−Δ)) over pairs, or the mean squared error."""
        if self._mean is None:
            return {"loss": float(np.mean((self.data.y - self.scores) ** 2))}
        return {"loss": self._mean.at(self.scores)}

    def advance(self) -> None:
        """Take in the round that the library has just added."""
        self.scores = self.trainer.add_round(self)


class PeerTrainer(PeerFollower, ABC):
    """One training; the training data follow it like any other set.

    Parameters
    ----------
    label : str
        The library's name.
    data : RankingData
        The training data.
    pairwise : bool
        Whether the objective is about pairs or lists (it then needs a pair), or a regression.
    lock : lock
        Held during each call into the library.
    """

    def __init__(self, label: str, data: RankingData, pairwise: bool, lock: AbstractContextManager) -> None:
        if pairwise and not data.n_pairs:
            raise DataError(
                "no query of the training data has two documents of different grades",
                "give data with grades to tell apart",
            )
        self.label, self.pairwise, self.lock = label, pairwise, lock
        self.n_rounds = 0
        super().__init__(self, data)

    def step(self) -> bool:
        """Let the library add one round."""
        with self.lock:
            try:
                if not self.boost():
                    return False
                self.n_rounds += 1
                self.advance()
            except (DataError, ParameterError):
                raise
            except Exception as error:  # whatever the library raises: it is one sentence here
                said = " ".join(str(error).split())[:300].rstrip(".")
                raise DataError(f"{self.label} cannot be trained on these data: {said}") from error
        return True

    def follow(self, data: RankingData) -> PeerFollower:
        """Start following another data set."""
        return PeerFollower(self, data)

    @abstractmethod
    def boost(self) -> bool:
        """Add one round; False when there is nothing to add."""

    @abstractmethod
    def add_round(self, follower: PeerFollower) -> np.ndarray:
        """Return a follower's scores with the newest round."""

    def close(self) -> None:
        """End the library's work, when it goes on by itself."""

    @abstractmethod
    def text(self) -> str:
        """Return the model of the rounds done, as text."""
