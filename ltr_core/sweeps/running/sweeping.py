"""`sweep`: propose points, train them somewhere, take in what comes back, choose by validation."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any

from ...algorithms import Ranker
from ...measures import Measure
from ...stopping import unstoppable
from ..records.fit import FitStatus, compared_round
from ..records.record import open_record
from ..records.result import Sweep
from ..search.pruning import PRUNERS
from ..search.question import describe
from ..search.samplers import SAMPLERS
from .book import Book
from .driver import Driver, Hear
from .parts import Fold, as_folds
from .work import curve_of
from .workers import make_place


@unstoppable()  # it ends by `cancel`, with what is finished
def sweep(
    algorithm: str | type[Ranker],
    space: Mapping[str, Any],
    data: Any,
    sampler: str = "grid",
    n_trials: int | None = None,
    pruner: str | None = None,
    folds: int | Sequence[Any] | None = None,
    executor: Any = None,
    on_trial: Hear | None = None,
    *,
    measure: str | Measure = "ndcg@10",
    measures: Sequence[str | Measure] = (),
    fixed: Mapping[str, Any] | None = None,
    seeds: int | Iterable[int] = 1,
    seed: int = 0,
    store: Any = None,
    trust_edited: bool = False,
    n_workers: int | None = None,
    batch: int = 8,
    score_at: str | None = None,
    cancel: threading.Event | None = None,
    on_fit: Hear | None = None,
) -> Sweep:
    """Train an algorithm at many points of its parameters and choose one by validation.

    Parameters
    ----------
    algorithm : str or class
        A name of the registry.
    space : mapping
        The swept parameters: a list of values each, or a range ``{"low": …, "high": …, "n": …}``, of which
        a grid takes n values; a sampler also takes ``(low, high)``. The parameter that counts rounds may be
        among them: one training with the most rounds answers for all its values.
    data : RankingData, tuple, or list of tuples
        A whole set, cut by query (60/20/20, or into `folds`); or (train, valid, test); or a list of such
        folds.
    sampler : SAMPLERS
        Every combination, or which of Optuna's samplers draws.
    n_trials : int
        How many trials, for the samplers that draw.
    pruner : PRUNERS
        Which of Optuna's pruners ends bad trials early. Folds then run one after another within a trial.
    folds : int, or list of tuples, optional
        Into how many folds a whole set is cut; or the folds themselves, in place of `data`.
    executor : optional
        Where fits run: None for a thread pool of this machine's cores, an executor of `concurrent.futures`, a
        Dask client or its ``get_executor()``, or the address of a Dask scheduler.
    on_trial, on_fit : callable, optional
        Called with a `Progress` when a trial, or a fit, is finished; the sweep ends when it returns False.
    measure : str or Measure
        What is compared, on the validation data.
    measures : sequence of str or Measure
        Further measures for the table and the curves.
    fixed : mapping, optional
        Parameters that are not at their defaults and not swept.
    seeds : int or iterable of int
        The random states each point is trained with, or how many (0, 1, …).
    seed : int
        Of the cut and of the sampler.
    store : path, optional
        A file that takes every finished fit. With a file of the same sweep, its fits are not run again.
    trust_edited : bool
        Whether to take a file whose lines were edited after they were written.
    n_workers : int, optional
        Threads of the pool.
    batch : int
        How many trials are proposed at a time where proposals or pruning look back on earlier ones.
    score_at : {"last", "best"}, optional
        At which round a training is judged, on validation and on test: after its last one, or at the one that
        is best on the validation data. Without it, at the one that the model predicts with: the best one with
        early stopping, else the last. Pruners look at the rounds as they come.
    cancel : threading.Event, optional
        Ends the sweep when it is set; what is finished is kept.

    Returns
    -------
    Sweep
        The same, to the last bit, for the same arguments, whatever the executor.

    Raises
    ------
    SweepLost
        When the cluster is gone; its `sweep` has what was finished, and so has the file.
    """
    more: dict[str, Any] = {"measure": measure, "measures": measures, "fixed": fixed, "seeds": seeds}
    more |= {"seed": seed, "batch": batch, "score_at": score_at}
    question = describe(algorithm, space, sampler, n_trials, pruner, **more)
    cuts = as_folds(data, folds, seed)
    parts = {part.fingerprint: part for cut in cuts for part in (cut.train, cut.valid)}
    record = open_record(question.plain([cut.prints() for cut in cuts]), store, trust_edited)
    book = Book(question, cuts, record)
    with closing(record), closing(make_place(executor, parts, n_workers)) as place:
        run, asked = Driver(book, place, on_trial, on_fit, cancel), question.propose()
        try:
            while not run.cancelled:
                trials = book.propose(asked, question.at_a_time)
                if not trials:
                    break
                run.go(trials)
                if not run.cancelled:
                    asked.tell([book.verdict(trial) for trial in trials])
            return _finish(book, run, cuts)
        finally:
            book.models.clear()  # a `Progress` that somebody keeps holds the book


if sweep.__doc__ is not None:  # it is with python -OO
    for registry, names in (("SAMPLERS", [*SAMPLERS]), ("PRUNERS", [None, *PRUNERS])):
        sweep.__doc__ = sweep.__doc__.replace(registry, f"{{{', '.join(map(repr, names))}}}")


def _finish(book: Book, run: Driver, cuts: list[Fold]) -> Sweep:
    """Choose, and look at the test data for the first time."""
    result = book.result(FitStatus.CANCELLED if run.cancelled else FitStatus.DONE)
    point, known = result.chosen, book.record.chosen or {}
    values = known.get("test") if known.get("point") == point else None
    if point is not None:
        result.models = book.models_of(point)
        if values is None and all(cut.test is not None for cut in cuts):
            if not result.models and not run.cancelled:  # its fits are from a file: again, to the same bits
                run.train_again(book.trial_of(point))
                result.models = book.models_of(point)
            if result.models:
                values = _values_on_test(book, cuts, result)
        if values is not None:
            result.set_test(values)
    if not run.cancelled and known != {"point": point, "test": values}:
        book.record.choose({"point": point, "test": values})
    return result


def _values_on_test(book: Book, cuts: Sequence[Fold], result: Sweep) -> list[list[Any]]:
    """Return fold, seed, measure and value of the chosen point on the test data."""
    rows = []
    for (fold, seed), model in sorted(result.models.items()):
        test = cuts[fold].test
        assert test is not None
        n_rounds = model.n_iter_ if result.best_rounds is None else result.best_rounds
        first = book.measures[0]
        end = compared_round(curve_of(model, first), n_rounds, result.score_at, first.higher_is_better)
        scores = model.predict(test, iteration=end)
        rows += [[fold, seed, m.name, m.on(test).mean(scores)] for m in book.measures]
    return rows
