"""The fits of a sweep under way: handed out, taken in, run again when a worker is lost, cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...errors import DataError
from ..records.fit import Fit, FitStatus
from ..records.result import Sweep
from .book import Book, Trial
from .work import Chain
from .workers import Place

_LOOK = 0.2  # seconds between two looks at whether to cancel


@dataclass(frozen=True)
class Progress:
    """What `on_trial` and `on_fit` are told."""

    done_fits: int
    n_fits: int
    done_trials: int
    n_trials: int
    seconds: float  # since the sweep began
    seconds_left: float | None  # an estimate from the fits so far
    params: Mapping[str, Any]  # of the trial in question
    value: float | None  # its mean validation value (the best of its numbers of rounds); None if it has none
    status: FitStatus  # of a point; of `on_fit`, the fit's
    best_value: float | None  # of all trials so far
    best_params: Mapping[str, Any] | None
    book: Book = field(repr=False, compare=False)

    def so_far(self) -> Sweep:
        """Return the tables of what is finished when this is called; no file is read."""
        return self.book.result(FitStatus.UNFINISHED)


Hear = Callable[[Progress], bool | None]


class SweepLost(DataError):
    """Where its fits ran there is nobody any more. `sweep` has what was finished."""

    def __init__(self, why: str, sweep: Sweep, path: Path | None) -> None:
        done = f"{why}. {sweep.n_trained} of the fits are finished"
        if path is None:
            super().__init__(done, "give the sweep a file (store=) to be able to go on")
        else:
            todo = "start the same sweep again, here or on another cluster: it goes on from there"
            super().__init__(f"{done} and kept in {path.name}", todo)
        self.sweep = sweep


class Driver:
    """A sweep under way."""

    def __init__(
        self,
        book: Book,
        place: Place,
        on_trial: Hear | None,
        on_fit: Hear | None,
        cancel: threading.Event | None,
    ) -> None:
        self.book, self.place = book, place
        self.on_trial, self.on_fit, self.cancel = on_trial, on_fit, cancel
        self.n_trials = book.question.n_trials or 0
        self.n_begun, self.done_trials, self.done_fits = 0, 0, 0
        self.cancelled, self.started = False, time.perf_counter()
        self.waiting: dict[Future[list[Fit]], tuple[Chain, str, int]] = {}
        self.spent: list[float] = []

    def go(self, trials: list[Trial]) -> None:
        """Run what is missing of a batch of trials, to the end or until the sweep is cancelled."""
        self.n_begun += len(trials)
        self.n_trials = max(self.n_trials, self.n_begun)
        open_trials = list(trials)
        chains = self.book.chains(trials)
        # What has the machine to itself may use all of it; the result is the same.
        serial = len(chains) > 1 and self.place.n_workers > 1
        for key, chain in chains:
            self._submit(replace(chain, serial=serial), key, self.place.retries)
        self._settle(open_trials)
        try:
            while self.waiting and not self.cancelled:
                self._take_in(open_trials)
                if self.cancel is not None and self.cancel.is_set():
                    self.cancelled = True
        except BaseException:
            self._stop()
            raise
        if self.cancelled:
            self._stop()

    def train_again(self, trial: Trial) -> None:
        """Train a trial whose models were not kept."""
        for key, chain in self.book.chains([trial], again=True):
            self._submit(chain, key, self.place.retries)
        while self.waiting:
            self._take_in([], again=True)

    def _submit(self, chain: Chain, key: str, retries: int) -> None:
        try:
            self.waiting[self.place.submit(chain)] = chain, key, retries
        except Exception:
            self._refuse_if_lost()
            raise

    def _refuse_if_lost(self) -> None:
        if self.place.lost:
            raise SweepLost(self.place.lost, self.book.result(FitStatus.UNFINISHED), self.book.record.path)

    def _take_in(self, open_trials: list[Trial], again: bool = False) -> None:
        finished, _ = wait(self.waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
        if not finished:
            self._refuse_if_lost()
        for future in finished:
            if self.cancelled:  # who has said enough gets no more, however many have ended meanwhile
                break
            chain, key, retries = self.waiting.pop(future)
            error = CancelledError() if future.cancelled() else future.exception()
            if error is not None:
                self._refuse_if_lost()
            if error is not None and retries and self.place.recover(error):
                self._submit(chain, key, retries - 1)
                continue
            for fit in _lost(chain, error) if error is not None else future.result():
                self.book.take(key, fit, again)
                if not again:
                    self.spent.append(fit.seconds)
                    self.done_fits += 1
                    self._tell(self.on_fit, self.book.params_of(key), fit.status, None)
        self._settle(open_trials)

    def _settle(self, open_trials: list[Trial]) -> None:
        """Close the trials of which every fit is finished."""
        for trial in [t for t in open_trials if self.book.is_complete(t)]:
            open_trials.remove(trial)
            self.done_trials += 1
            value = self.book.close(trial)
            self._tell(self.on_trial, trial.params, self.book.status(trial), value)

    def _tell(
        self, hear: Hear | None, params: Mapping[str, Any], status: FitStatus, value: float | None
    ) -> None:
        if hear is None or self.cancelled:
            return
        done = (self.done_fits, self.n_trials * self.book.n_fits, self.done_trials, self.n_trials)
        spent = (time.perf_counter() - self.started, self._seconds_left())
        if hear(Progress(*done, *spent, params, value, status, *self.book.best(), self.book)) is False:
            self.cancelled = True

    def _seconds_left(self) -> float | None:
        if not self.spent:
            return None
        fits = sum(len(chain.tasks) for chain, _, _ in self.waiting.values())
        fits += (self.n_trials - self.n_begun) * self.book.n_fits
        at_a_time = min(self.place.n_workers, max(1, len(self.waiting)))
        return sum(self.spent) / len(self.spent) * fits / at_a_time

    def _stop(self) -> None:
        """End what runs, and drop what waits."""
        if not self.place.lost:
            self.place.cancel()
            for future in self.waiting:
                future.cancel()
            wait(self.waiting, timeout=self.place.patience)
        self.waiting.clear()


def _lost(chain: Chain, error: BaseException) -> list[Fit]:
    said = " ".join(str(error).split())[:300]
    sentence = f"The fit's worker was lost ({type(error).__name__}{': ' + said if said else ''})."
    return [Fit(task, status=FitStatus.FAILED, error=sentence) for task in chain.tasks]
