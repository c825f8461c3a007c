"""Features that may only help, or only harm: the parameter `monotone` of stumps and trees."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..data import RankingData
from ..errors import ParameterError
from ..params import Param

MONOTONE = Param("monotone", "text", None, optional=True, help="Features that may only help, or only harm.")


def signs_for(monotone: Mapping[str, int] | None, data: RankingData) -> np.ndarray | None:
    """Return with which sign scores may follow each feature, 0 for any; None where nothing is asked."""
    if monotone is None:
        return None
    signs, names = np.zeros(data.n_features, dtype=np.int64), list(data.feature_names)
    if not isinstance(monotone, Mapping):
        raise ParameterError('monotone goes by name: give a dict such as {"f1": 1, "f2": -1}.')
    for name, sign in monotone.items():
        if name not in names:
            some = ", ".join(names[:8])
            raise ParameterError(f"monotone: there is no feature {name!r}. Take some of {some}.")
        if sign not in (-1, 0, 1):
            raise ParameterError(f"monotone: {name} = {sign!r}. Take 1 (more is better), -1 or 0.")
        signs[names.index(name)] = sign
    return signs
