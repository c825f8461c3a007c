"""What fits take, seen on the first rounds of some of them where a sweep would run them.

The clock alone would say how busy the machine is: fits come after all else that runs on it, and one that is
watched while a page is being drawn gets a tenth of a core. So what fits need is told by their thread's own
time, and apart from it how much longer the clock ran.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ... import stopping
from ..records.fit import FitStatus, Task
from .work import Chain, Flag, Parts, fit_of

_LEAST = 3  # points that are looked at however long that takes
_ENOUGH = 0.1  # seconds: what is shorter is done again, for clocks are not finer everywhere


@dataclass
class Pace:
    """What was seen.

    Attributes
    ----------
    fits : list of (int, float)
        Seconds of its thread that a whole fit takes, by the place of its point among all.
    loading : float
        How much longer a worker's first fit takes: what it loads and prepares for all that follow.
    of_thread, on_clock : float
        How long it took to see that, by the thread's own time and by the clock.
    inside : float
        Seconds by the clock between the beginning and the end of all of it.
    is_most : bool
        Whether a fit was not seen to its end that may stop early.
    errors : list of str
        The sentences of those that failed: they take what they take.
    """

    fits: list[tuple[int, float]] = field(default_factory=list)
    loading: float = 0.0
    of_thread: float = 0.0
    on_clock: float = 0.0
    inside: float = 0.0
    is_most: bool = False
    errors: list[str] = field(default_factory=list)

    @property
    def slowed(self) -> float:
        """By how much the clock ran ahead of the fits."""
        return max(1.0, self.on_clock / self.of_thread) if self.of_thread > 0 else 1.0


@dataclass(frozen=True)
class Probe:
    """Looks at points in this order, by place and chain of one fit, for about `patience` seconds."""

    chains: tuple[tuple[int, Chain], ...]
    patience: float

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The data: all points are looked at on the same."""
        return self.chains[0][1].tasks

    def run(self, parts: Parts, cancelled: Flag) -> Pace:
        """Look."""
        pace, begun, turn = Pace(), time.perf_counter(), 0
        with self.chains[0][1].on_its_cores(), stopping.stoppable(cancelled):
            while self._goes_on(turn, time.perf_counter() - begun):
                place, chain = self.chains[turn % len(self.chains)]
                first = turn < len(self.chains)
                loaded = _begin(chain, parts) if first else 0.0  # what it compiles or loads is no part of it
                self._watch(place, chain, parts, pace)
                if not turn:
                    pace.loading = max(0.0, loaded - _begin(chain, parts))
                turn += 1
        pace.inside = time.perf_counter() - begun
        return pace

    def _goes_on(self, turn: int, spent: float) -> bool:
        if turn < min(_LEAST, len(self.chains)):
            return True
        return spent < (self.patience if turn < len(self.chains) else min(_ENOUGH, self.patience))

    def _watch(self, place: int, chain: Chain, parts: Parts, pace: Pace) -> None:
        """Note what a fit takes: seen, or from its pace until patience was out."""
        patience, ends = self.patience / min(_LEAST, len(self.chains)), list[float]()
        on_clock, of_thread = time.perf_counter(), time.thread_time()

        def is_out() -> bool:
            ends.append(time.thread_time() - of_thread)
            return time.perf_counter() - on_clock > patience

        fit = fit_of(chain, chain.tasks[0], parts, is_out)
        stopping.look()
        spent = time.thread_time() - of_thread
        pace.of_thread += spent
        pace.on_clock += time.perf_counter() - on_clock
        if fit.status == FitStatus.CANCELLED and fit.model is not None:
            values = fit.model.checked_params()
            n_rounds = values.get(fit.model.rounds_param or "", 1)
            n_rounds = parts(chain.tasks[0].train).n_features if n_rounds is None else n_rounds
            # The first round bears the preparation: the others' pace is what goes on.
            each = (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else ends[0]
            spent += each * (n_rounds - len(ends))
            pace.is_most = pace.is_most or values["early_stopping"] is not None
        pace.fits.append((place, spent))
        pace.errors += [fit.error] if fit.error else []


def _begin(chain: Chain, parts: Parts) -> float:
    """Train for one round; return the seconds of the thread."""
    started = time.thread_time()
    fit_of(chain, chain.tasks[0], parts, lambda: True)
    stopping.look()
    return time.thread_time() - started
