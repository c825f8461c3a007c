"""`PeerRanker`: a ranker of another library behind the protocol of our own.

The library boosts round by round under our round loop, so that it is measured, stopped and cancelled like any
other; its scores of each round come from the library itself. What is kept of a model is the library's own
text, and what predicts is always rebuilt from that text: saved and loaded it is the same to the last bit.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import threading
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...data import RankingData
from ...errors import ParameterError
from ...params import Param
from ...rankers.base import Ranker, as_shares
from ...rankers.model_file import State
from .trainer import PeerTrainer

# Their OpenMP pools belong to the process: one library call at a time. A training holds this for a round.
NATIVE = threading.RLock()


def objective_param(default: str, *others: str) -> Param:
    """Return what the library minimises."""
    return Param(
        "objective", "choice", default, choices=(default, *others), help="What the library minimises."
    )


def trees_param(default: int = 100) -> Param:
    """Return the parameter that counts trees."""
    return Param("n_trees", "int", default, 1, 10_000, 1, log=True, help="Number of trees.")


def rate_param(default: float = 0.1) -> Param:
    """Return the learning rate."""
    help_text = "How much of each tree is added."
    return Param("learning_rate", "float", default, 0.001, 1.0, 0.01, log=True, help=help_text)


def depth_param(default: int, high: int) -> Param:
    """Return the depth of a tree."""
    return Param("depth", "int", default, 1, high, 1, help="Levels of splits in a tree.")


_LIST = "requirements-peers.txt"  # of a clone; an installation has an extra
_PEERS = f"-r {_LIST}" if (Path(__file__).resolve().parents[3] / _LIST).exists() else "'rankscope[peers]'"

# For Python alone: some of a library's parameters write files, and a link or a form is a stranger's.
EXTRA = Param("extra", "text", None, optional=True, help="Further parameters of the library, as a dict.")


def with_extra(settings: dict[str, Any], extra: Any, label: str) -> dict[str, Any]:
    """Return a library's settings with a person's own; what is set already is refused."""
    if not isinstance(extra, Mapping | None):
        told = 'Give a dict such as {"subsample": 0.8}.'
        raise ParameterError(f"{label}: extra = {extra!r} is no table of parameters. {told}")
    twice = [name for name in extra or {} if name in settings]
    if twice:
        raise ParameterError(f"{label}: {twice[0]} is set already. Leave it out of extra.")
    return {**settings, **(extra or {})}


class PeerRanker(Ranker):
    """Base of the peers. The history's loss is RankNet's mean over pairs; for a regression the squared error.

    Attributes
    ----------
    peer : bool
        True: shown apart, and greyed where `available` says no.
    install : str
        The command that brings the library.
    package : str
        The library's name in Python.
    """

    family: ClassVar[str] = "peer"
    rounds_param: ClassVar[str | None] = "n_trees"
    peer: ClassVar[bool] = True
    in_python: ClassVar[tuple[Param, ...]] = (EXTRA,)
    renamed: ClassVar[Mapping[str, str]] = {"params": "extra"}  # as other libraries' wrappers call it
    extra: Mapping[str, Any] | None
    by_rows: ClassVar[bool] = True  # so do the libraries
    install: ClassVar[str] = f"pip install {_PEERS}"
    package: ClassVar[str]

    @classmethod
    def available(cls) -> bool:
        """Whether the library is installed."""
        return importlib.util.find_spec(cls.package) is not None

    @classmethod
    def library(cls) -> Any:
        """Import the library, or say how to get it."""
        try:
            return importlib.import_module(cls.package)
        except (ImportError, OSError) as error:
            why = "is not installed" if not cls.available() else f"does not start ({error})"
            raise ParameterError(f"{cls.label} {why}. Bring it with: {cls.install}.") from None

    @property
    def base_(self) -> float:
        """What the contributions of `explain` are added to."""
        if self.n_iter_ == 0:
            return 0.0
        with NATIVE:
            return float(self._contributions(np.zeros((1, self.n_features_in_), dtype=np.float32))[0, -1])

    @property
    def feature_importances_(self) -> np.ndarray:
        """The library's own measure of each feature's gain, as a share of their sum."""
        if self.n_iter_ == 0:
            return np.zeros(self.n_features_in_)
        with NATIVE:
            gains = np.asarray(self._gains(), dtype=np.float64)
        return as_shares(gains)

    # What a peer gives ------------------------------------------------------------------------------------

    @abstractmethod
    def _start(self, data: RankingData, values: dict[str, Any]) -> PeerTrainer:
        """Return the trainer."""

    @abstractmethod
    def _rebuild(self, text: str) -> Any:
        """Return the library's model from its text."""

    @abstractmethod
    def _count(self, model: Any) -> int:
        """Return how many rounds the library's model has."""

    @abstractmethod
    def _contributions(self, X: np.ndarray) -> np.ndarray:
        """Return the library's contributions, one column more than features: what they are added to."""

    @abstractmethod
    def _gains(self) -> ArrayLike:
        """Return what each feature brought."""

    # Shared work ------------------------------------------------------------------------------------------

    def _finish(self, trainer: PeerTrainer) -> None:
        with NATIVE:
            trainer.close()
            self.text_ = trainer.text() if self.n_iter_ else ""
        self._model = None

    @property
    def model_(self) -> Any:
        """The library's own model."""
        if self._model is None:
            self._model = self._rebuild(self.text_)
        return self._model

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_model": None}

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        for iteration in range(self.n_iter_ + 1):
            yield self._scores(X, offsets, iteration)

    def _explain(self, X: np.ndarray) -> np.ndarray:
        if self.n_iter_ == 0:
            return np.zeros(X.shape)
        with NATIVE:
            parts = np.array(self._contributions(X), dtype=np.float64)[:, :-1]
        # A library that works in float32 is a rounding error off its own scores: the largest part takes it.
        off = self._scores(X, None, self.n_iter_) - self.base_ - parts.sum(axis=1)
        parts[np.arange(len(X)), np.abs(parts).argmax(axis=1)] += off
        return parts

    def _state(self) -> dict[str, Any]:
        return {"library": self.package, "text": self.text_, "checksum": _checksum(self.text_)}

    def _set_state(self, state: State) -> None:
        self.text_, self._model = str(state.get("text")), None
        # The library's own reader is not asked about a text that is not what was written.
        if state.get("library") != self.package or state.get("checksum") != _checksum(self.text_):
            state.refuse("the library's part of it has been changed")
        if bool(self.text_) != (self.n_iter_ > 0):
            state.refuse("its number of rounds is not that of the library's part")
        if self.text_:
            try:
                with NATIVE:
                    n_rounds = self._count(self.model_)
            except ParameterError:
                raise
            except Exception as error:  # whatever the library raises: it is one sentence here
                state.refuse(f"{self.label} cannot read it ({' '.join(str(error).split())[:200]})")
            if n_rounds != self.n_iter_:
                state.refuse(f"it has {n_rounds} rounds instead of {self.n_iter_}")


def _checksum(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def whole_grades(data: RankingData, label: str, objective: str, most: int, other: str) -> None:
    """Refuse grades that an objective with a gain of 2^grade − 1 cannot take."""
    grades = data.y
    wrong = grades[(grades != np.floor(grades)) | (grades > most)]
    if len(wrong):
        raise ParameterError(
            f"{label}'s {objective} takes whole grades from 0 to {most}, and there is a grade of "
            f"{wrong[0]:g}. Take objective={other!r}."
        )
