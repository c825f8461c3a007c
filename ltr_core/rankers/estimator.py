"""What scikit-learn asks of an estimator, without loading it: that takes 0.7 s of a page's first 1.4.

Cloning, grid searches and pipelines ask for methods, not for a base class; what only scikit-learn can answer
is asked of it when it is there.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Self


class Estimator:
    """Keeps its constructor's parameters as scikit-learn expects it."""

    if TYPE_CHECKING:  # constructor and parameters are made from `params`

        def __init__(self, *args: object, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's parameters by name; none of them has parameters of its own."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **values: Any) -> Self:
        """Set parameters by name, or raise a ValueError."""
        known = self._get_param_names()
        for name, value in values.items():
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}. It has {', '.join(known)}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        given = inspect.signature(type(self).__init__).parameters
        values = {name: value for name, value in self.get_params().items()}
        told = [
            f"{name}={value!r}" for name, value in values.items() if repr(value) != repr(given[name].default)
        ]
        return f"{type(self).__name__}({', '.join(told)})"

    def get_metadata_routing(self) -> Any:
        """Return what scikit-learn's searches and pipelines are to pass on: the queries."""
        from sklearn.utils.metadata_routing import MetadataRequest

        requests = MetadataRequest(owner=self)
        for method in ("fit", "predict", "score"):
            getattr(requests, method).add_request(param="qid", alias=True)
        return requests

    def __sklearn_tags__(self) -> Any:
        from sklearn.base import BaseEstimator

        tags = BaseEstimator.__sklearn_tags__(self)
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


def check_is_fitted(model: Estimator) -> None:
    """Raise scikit-learn's own error where a model is not trained yet."""
    if not hasattr(model, "n_iter_"):
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"This {type(model).__name__} is not trained yet: call fit first.")
