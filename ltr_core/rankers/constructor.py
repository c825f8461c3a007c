"""The constructor of an algorithm, made from its `params`: names and defaults stand in one place.

scikit-learn's clone, get_params and repr read a constructor's signature, and so do help and notebooks: the
one made here has a keyword and a default for each parameter.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping

from ..params import Param


def constructor(owner: str, params: Iterable[Param], renamed: Mapping[str, str]) -> Callable[..., None]:
    """Return an `__init__` that takes the parameters in this order and keeps each as it is given.

    `renamed` leads from names that parameters had once, which are taken as well, to those they have.
    """
    place = inspect.Parameter.POSITIONAL_OR_KEYWORD
    own = [inspect.Parameter(p.name, place, default=p.default) for p in params]
    signature = inspect.Signature([inspect.Parameter("self", place), *own])

    def __init__(self: object, *args: object, **values: object) -> None:
        try:
            now = {renamed.get(name, name): value for name, value in values.items()}
            given = signature.bind(self, *args, **now)
        except TypeError as error:
            raise TypeError(f"{owner}.__init__() {error}") from None
        given.apply_defaults()
        vars(self).update({name: value for name, value in given.arguments.items() if name != "self"})

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{owner}.__init__"
    return __init__
