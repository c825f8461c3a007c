"""`Ranker`: what every algorithm shares, from its parameters to its file.

A subclass is an algorithm's public class. It declares its metadata and `params`, and gives four things:
`_start` (a `Trainer` for one training), `_finish` (take the model out of the trainer), `_staged` (scores
after each iteration) and the state that goes into its file (`_state`, `_set_state`). With `_cut` it also
gives its models of earlier iterations (`at`).
"""

from __future__ import annotations

import copy
import numbers
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .. import stopping
from ..data import RankingData, as_features, by_content, column_names
from ..errors import DataError, ParameterError
from ..measures import Measure, measure
from ..params import Param
from . import model_file
from .arguments import as_data, as_eval_sets, as_measures, as_query_weights
from .constructor import constructor
from .effort import Effort, refuse_beyond
from .estimator import Estimator, check_is_fitted
from .names import check_names
from .showing import as_html
from .training import RoundInfo, Trainer, run_rounds

_ROWS_AT_A_TIME = 10_000
_SEED = "The seed of everything drawn at random."
RANDOM_STATE = Param("random_state", "int", 0, 0, 2**32 - 1, 1, help=_SEED)
EARLY_STOPPING = Param(
    "early_stopping", "int", None, 1, 100_000, 1, optional=True, none_label="off",
    help="End after this many rounds without a better first measure on the first evaluation "
    "set; the model then predicts with its best round.",
)  # fmt: skip


TrainerT = TypeVar("TrainerT", bound=Trainer)
Given = Callable[[np.ndarray], np.ndarray]


def _as_they_are(values: np.ndarray) -> np.ndarray:
    return values


def as_shares(sizes: np.ndarray) -> np.ndarray:
    """Return sizes, none negative, as shares of their sum; all 0 where there are none."""
    return sizes / sizes.sum() if sizes.any() else sizes


class Ranker(Estimator, Generic[TrainerT]):
    """Base of every algorithm: an estimator as scikit-learn knows them, that learns to rank.

    Parameters
    ----------
    early_stopping : int, optional
        End after this many rounds without a better first measure on the first evaluation set. A model that is
        found in one iteration has nothing to end.
    random_state : int
        The seed of everything drawn at random, also by a peer's library; often that is nothing.
    """

    label: ClassVar[str] = ""
    family: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    section: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    params: ClassVar[tuple[Param, ...]] = ()
    in_python: ClassVar[
        tuple[Param, ...]
    ] = ()  # what the constructor takes, and no form, link or option does
    by_place: ClassVar[str] = ""  # names that come first in the constructor, where not all are as in `params`
    renamed: ClassVar[Mapping[str, str]] = {}  # what parameters were called once: old files and links hold it
    rounds_param: ClassVar[str | None] = "n_rounds"  # the parameter that counts iterations
    needs_qid: ClassVar[bool] = False  # whether its scores are positions in a query's list
    additive: ClassVar[bool] = True  # whether `explain` is offered
    weighs_queries: ClassVar[bool] = False  # whether `sample_weight` means something to it
    by_rows: ClassVar[bool] = False  # whether it takes equals one after another: rows are put in order first
    peer: ClassVar[bool] = False  # whether it is another library's
    install: ClassVar[str] = ""  # the command that brings that library
    instead: ClassVar[str] = "MPBoost, LambdaMART or RankSVM, which sum pairs up"  # where pairs are too many

    def __init_subclass__(cls) -> None:
        """Give an algorithm the constructor that its parameters describe, unless it writes its own."""
        super().__init_subclass__()
        if "params" in vars(cls) and "__init__" not in vars(cls):
            places = {name: place for place, name in enumerate(cls.by_place.split())}
            every = (*cls.all_params(), *cls.in_python)
            params = sorted(every, key=lambda p: places.get(p.name, len(places)))
            cls.__init__ = constructor(cls.__name__, params, cls.renamed)  # type: ignore[method-assign]

    @classmethod
    def available(cls) -> bool:
        """Whether it can be trained here: a peer's library may not be installed."""
        return True

    @classmethod
    def all_params(cls) -> tuple[Param, ...]:
        """Return its own parameters and those that all algorithms share."""
        return (*cls.params, EARLY_STOPPING, RANDOM_STATE)

    def checked_params(self) -> dict[str, Any]:
        """Return all parameters in their proper types, or raise a `ParameterError`."""
        return {p.name: p.check(getattr(self, p.name), type(self).__name__) for p in self.all_params()}

    def fit(
        self,
        X: Any,
        y: Any = None,
        qid: Any = None,
        eval_set: Mapping[str, Any] | Sequence[Any] | None = None,
        measures: Sequence[str | Measure] = ("ndcg@10",),
        on_round: Callable[[RoundInfo], bool | None] | None = None,
        early_stopping: int | None = None,
        in_full: Collection[int] | None = None,
        group: ArrayLike | None = None,
        eval_qid: Sequence[ArrayLike] | None = None,
        eval_group: Sequence[ArrayLike] | None = None,
        should_stop: stopping.Asked = None,
        sample_weight: ArrayLike | None = None,
        init_model: Ranker | None = None,
    ) -> Self:
        """Train.

        Parameters
        ----------
        X : RankingData, or features with `y` and `qid`
            The training data.
        y, qid : arrays, optional
            Grades and query ids, when X is a matrix.
        eval_set : mapping or list, optional
            Further data by name, followed round by round: RankingData or (X, y, qid). In a list, as other
            libraries take it, they are called "valid", or "valid_1", "valid_2", …, and may be (X, y).
        measures : sequence of str or Measure
            What to write into `history_` beside the loss, for the training data and each evaluation set.
        on_round : callable, optional
            Called with a `RoundInfo` after each round; training ends when it returns False.
        early_stopping : int, optional
            Overrides the constructor's. All rounds stay in the model, which predicts with the best one;
            ``predict(X, iteration="last")`` takes all.
        in_full : collection of int, optional
            The iterations at which losses and the training data's measures are taken; elsewhere, but for the
            last one, only the evaluation sets' measures are, which is much of the work. Default: all.
        group : array, optional
            In place of `qid`: how many rows each query has, the rows of a query one after the other.
        eval_qid, eval_group : list of arrays, optional
            Query ids, or sizes, for the (X, y) of an `eval_set` that is a list.
        should_stop : callable or StopFlag, optional
            Says at any time, within a round too, that training is to end: `stopped_` is then "cancelled", and
            the model that of the rounds that were finished. Before the first round there is no model:
            `ltr_core.Stopped` is raised.
        sample_weight : array, optional
            How much each query counts: a number for each row, the same within a query, or for each query. A
            query of weight 2 counts as if it were there twice; in networks its loss is multiplied. For
            methods to which that means something.
        init_model : Ranker, optional
            A trained model of the same kind, for boosters: its rounds come first, and as many more as the
            parameters say are added. The history begins where that model ends.
        """
        values = self.checked_params()
        if early_stopping is not None:
            values["early_stopping"] = EARLY_STOPPING.check(early_stopping, type(self).__name__)
        data = as_data(X, y, qid, group)
        eval_sets = as_eval_sets(eval_set, data, eval_qid, eval_group)
        measured = as_measures(measures)
        if values["early_stopping"] and not (eval_sets and measured):
            raise ParameterError(
                "early_stopping watches the first measure of the first evaluation set, and there is none. "
                "Give eval_set={'valid': …} and at least one measure, or leave early_stopping out."
            )
        self._refuse_beyond(data, values)
        if sample_weight is not None:
            if not self.weighs_queries:
                can = "AdaRank, FRank, GBT, LambdaMART and the networks (RankNet, ListNet and their like) do"
                raise ParameterError(f"{type(self).__name__} has no weights of queries: {can}.")
            values["query_weight"] = as_query_weights(sample_weight, data)
        before = 0 if init_model is None else self._check_before(init_model, data)
        given = {"train": data, **eval_sets}
        if self.by_rows:
            data, eval_sets = by_content(data), {name: by_content(d) for name, d in eval_sets.items()}
        with stopping.stoppable(should_stop):
            trainer = self._start(data, values)
            if init_model is not None:
                self._resume(trainer, init_model, data)
            n_rounds, patience = self._n_rounds(values), values["early_stopping"]
            held = (trainer, n_rounds, data, eval_sets, measured, on_round, patience, in_full)
            record = run_rounds(*held, whole_rounds=self.peer, given=given, before=before)
        self.n_features_in_ = data.n_features
        self._set_names(data.feature_names, data.named)
        self.history_ = record.history()
        self.n_iter_, self.stopped_ = record.n_iter, record.stopped
        self.best_iteration_ = record.best_iteration
        best = self.best_iteration_ if patience and self.rounds_param else None
        self.iteration_ = self.n_iter_ if best is None else best
        self._finish(trainer)
        if record.cut_short and not self.peer:
            self._cut(record.n_iter)
        return self

    def refuse_beyond_machine(self, data: RankingData) -> None:
        """Raise a `DataError` when this machine cannot train it on the data; `fit` asks before it starts."""
        self._refuse_beyond(data, self.checked_params())

    def predict(self, X: Any, qid: Any = None, iteration: int | str | None = None) -> np.ndarray:
        """Return one score for each row, in the order in which the rows were given.

        `iteration` takes the model as it was then: a number from 0, "best" (of the first measure on the first
        evaluation set) or "last". The default is `iteration_`: the best one of a model that was trained with
        early stopping, else the last.
        """
        if hasattr(X, "toarray") and qid is None and not self.needs_qid and X.shape[0] > _ROWS_AT_A_TIME:
            X = X.tocsr()  # a sparse matrix is never dense as a whole
            starts = range(0, X.shape[0], _ROWS_AT_A_TIME)
            parts = [self.predict(X[start : start + _ROWS_AT_A_TIME], None, iteration) for start in starts]
            return np.concatenate(parts)
        values, offsets, given = self._inputs(X, qid)
        return given(self._scores(values, offsets, self._iteration(iteration)))

    def staged_predict(self, X: Any, qid: Any = None) -> Iterator[np.ndarray]:
        """Yield the scores after each iteration, the untrained model's first; rows as in `predict`."""
        values, offsets, given = self._inputs(X, qid)
        for scores in self._staged(values, offsets):
            yield given(scores.copy())

    def score(self, X: Any, y: Any = None, qid: Any = None) -> float:
        """Return the mean NDCG@10, which is what scikit-learn's searches look at.

        Without `qid` all rows count as one query, with a warning; X may be a RankingData. For a search by
        query let scikit-learn pass it on: ``sklearn.set_config(enable_metadata_routing=True)``, then
        ``GridSearchCV(model, grid, cv=GroupKFold()).fit(X, y, qid=qid, groups=qid)``.
        """
        if not isinstance(X, RankingData) and qid is None:
            words = "score without qid counts all rows as one query. Give score(X, y, qid=…)."
            warnings.warn(f"{type(self).__name__}.{words}", UserWarning, stacklevel=2)
            qid = np.zeros(X.shape[0] if hasattr(X, "shape") else len(X), dtype=np.int64)
        data = as_data(X, y, qid)
        scores = data.grouped(self.predict(X, qid=qid))
        return measure("ndcg@10").mean(data.y, scores, data.offsets)

    def explain(self, X: Any) -> np.ndarray:
        """Return contributions (rows as in `predict` × features) that add up to ``predict(X) - base_``."""
        if not self.additive:
            name = type(self).__name__
            raise ParameterError(f"{name} is not a sum over features: it has no contributions.")
        values, _, given = self._inputs(X, None)
        model = self if self.iteration_ == self.n_iter_ else self.at(None)
        return given(model._explain(values))

    def at(self, iteration: int | str | None) -> Self:
        """Return the model as it was after an iteration: `explain` and `base_` add up to its score then."""
        check_is_fitted(self)
        done = self._iteration(iteration)
        early = copy.copy(self)
        early.iteration_ = done
        if done < self.n_iter_:
            early._cut(done)
            early.n_iter_, early.best_iteration_ = done, None
            early.history_ = self.history_[self.history_["iteration"] <= done]
        return early

    def save(self, path: str | Path) -> None:
        """Write the model as JSON; `load_model` reads it back to the same bits."""
        check_is_fitted(self)
        model_file.write(self, Path(path))

    def _repr_html_(self) -> str:
        return as_html(self)

    # What an algorithm gives ------------------------------------------------------------------------------

    def _start(self, data: RankingData, values: dict[str, Any]) -> TrainerT:
        """Return the trainer for one training; `values` are the checked parameters."""
        raise TypeError(f"{type(self).__name__} does not train")

    def _resume(self, trainer: TrainerT, model: Ranker, data: RankingData) -> None:
        """Bring a fresh trainer to where a model of the same kind ends."""
        raise ParameterError(f"{type(self).__name__} does not boost: it cannot go on from another model.")

    def _effort(self, data: RankingData, values: dict[str, Any]) -> Effort:
        """Return what a training takes beyond what its documents take."""
        return Effort()

    def _finish(self, trainer: TrainerT) -> None:
        """Take the model out of the trainer."""

    def _n_rounds(self, values: dict[str, Any]) -> int:
        """Return how many iterations to run at most."""
        return values[self.rounds_param] if self.rounds_param else 1

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        """Yield the scores after each iteration; the array may be reused."""
        raise TypeError(f"{type(self).__name__} does not predict")

    def _scores(self, X: np.ndarray, offsets: np.ndarray | None, iteration: int) -> np.ndarray:
        """Return the scores after one iteration: override where there is a shorter way."""
        for done, scores in enumerate(self._staged(X, offsets)):
            if done == iteration:
                return scores.copy()
        raise ParameterError(f"The model has {self.n_iter_} iterations: there is no iteration {iteration}.")

    def _explain(self, X: np.ndarray) -> np.ndarray:
        """Return the contributions; only asked when `additive`."""
        raise TypeError(f"{type(self).__name__} does not explain")

    def _cut(self, iteration: int) -> None:
        """Forget what came after an iteration, in arrays of one's own: the others are shared."""
        raise ParameterError(f"{type(self).__name__} has no models of its earlier iterations.")

    def _file_params(self) -> dict[str, Any]:
        """Return the parameters as the model's file holds them: override where one is not plain data."""
        return self.get_params(deep=False)

    def _state(self) -> dict[str, Any]:
        """Return what the model's file holds beside parameters and history: numbers, lists, arrays."""
        return {}

    def _set_state(self, state: model_file.State) -> None:
        """Take the model out of a file's state; `state` checks shapes, ranges and types."""

    def _refuse_beyond(self, data: RankingData, values: dict[str, Any]) -> None:
        refuse_beyond(self._effort(data, values), type(self).__name__, data, self.instead)

    # Shared work ------------------------------------------------------------------------------------------

    def _check_before(self, model: Ranker, data: RankingData) -> int:
        """Return how many rounds a model has that training goes on from, or say why it does not fit."""
        if type(model) is not type(self):
            name, other = type(self).__name__, type(model).__name__
            raise ParameterError(
                f"init_model is of the kind {other}, and this one {name}: give a model of the same kind."
            )
        check_is_fitted(model)
        if model.n_features_in_ != data.n_features or (data.named and hasattr(model, "feature_names_in_")):
            check_names(
                model.feature_names_, data.feature_names, "the data have", "init_model was trained on"
            )
        return model.n_iter_

    def _inputs(self, X: Any, qid: Any) -> tuple[np.ndarray, np.ndarray | None, Given]:
        """Return features, offsets (when queries are known) and what brings rows into the order given."""
        check_is_fitted(self)
        if qid is not None and not isinstance(X, RankingData):
            X = RankingData(X, np.zeros(len(qid)), qid)
        if isinstance(X, RankingData):
            values, offsets, given, named = X.X, X.offsets, X.given, X.named
        elif self.needs_qid:
            raise ParameterError(
                f"{type(self).__name__} scores a document by its place in its query's list. "
                "Give predict(X, qid=…) or a RankingData."
            )
        else:
            values, offsets, given, named = as_features(X), None, _as_they_are, column_names(X) is not None
        if named and hasattr(self, "feature_names_in_"):
            names = X.feature_names if isinstance(X, RankingData) else column_names(X) or ()
            check_names(self.feature_names_, tuple(names))
        if values.shape[1] != self.n_features_in_:
            raise DataError(
                f"the data have {values.shape[1]} features, the model was trained on {self.n_features_in_}",
                "give the same features in the same order",
            )
        return values, offsets, given

    def _set_names(self, names: Sequence[str], named: bool) -> None:
        """Take the features' names; `named`: they were given, and later data are held to them."""
        self.feature_names_ = tuple(names)
        vars(self).pop("feature_names_in_", None)
        if named:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _iteration(self, iteration: int | str | None) -> int:
        if iteration is None:
            return self.iteration_
        if iteration == "last":
            return self.n_iter_
        if iteration == "best":
            return self.n_iter_ if self.best_iteration_ is None else self.best_iteration_
        if isinstance(iteration, numbers.Integral) and 0 <= iteration <= self.n_iter_:
            return int(iteration)
        raise ParameterError(
            f'iteration = {iteration!r}: take a number from 0 to {self.n_iter_}, "best" or "last".'
        )
