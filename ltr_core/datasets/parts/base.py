"""`DataSet`: one entry of the registry of generated data sets, and what the generators share."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import RankingData
from ...errors import ParameterError
from ...params import Param


@dataclass(frozen=True)
class DataSet:
    """A data set that is generated from a seed.

    Attributes
    ----------
    name : str
        Its key in `DATASETS`.
    label : str
        What to call it on screen.
    summary : str
        One sentence: what is in it.
    description : str
        How it is drawn; where it stands for a paper's set, what it shares with it and what it does not.
    params : tuple of Param
        Sizes and noise.
    generate : callable
        ``generate(seed, **values) -> RankingData``; values are checked and complete.
    paper : str
        The paper whose data it is shaped as, if any.
    split : tuple of float
        The shares of queries for training, validation and test that suit it.
    top_grade : float or None
        The highest grade of its scale, if it has one; with a parameter `n_grades` that says it.
    """

    name: str
    label: str
    summary: str
    description: str
    params: tuple[Param, ...]
    generate: Callable[..., RankingData]
    paper: str = ""
    split: tuple[float, float, float] = (0.6, 0.2, 0.2)
    top_grade: float | None = None

    def checked(self, size: dict[str, Any]) -> dict[str, Any]:
        """Return all its parameters, given ones in their proper types and the others' defaults."""
        known = {p.name: p for p in self.params}
        unknown = sorted(set(size) - set(known))
        if unknown:
            what = f"The data set {self.name} has no parameter {unknown[0]!r}"
            raise ParameterError(f"{what}. It has {', '.join(known)}.")
        return {name: p.check(size.get(name, p.default), self.name) for name, p in known.items()}

    def make(self, seed: int = 0, **size: Any) -> RankingData:
        """Generate it."""
        values = self.checked(size)
        data = self.generate(SEED.check(seed, self.name), **values)
        data.top_grade = values["n_grades"] - 1.0 if "n_grades" in values else self.top_grade
        return data


SEED = Param("seed", "int", 0, 0, 2**32 - 1, 1, help="The seed of everything drawn at random.")


def rng_for(name: str, seed: int, stream: str = "") -> np.random.Generator:
    """Return the generator of one stream of a data set: streams do not disturb one another."""
    return np.random.default_rng([seed, zlib.crc32(name.encode()), zlib.crc32(stream.encode())])


def cut_points(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the values at which to cut so that grade k gets about shares[k] of the documents."""
    return np.quantile(values, np.cumsum(shares)[:-1])


def halving_shares(n_grades: int) -> np.ndarray:
    """Return shares of the grades, each half of the one below: 52/26/13/6/3 % for five."""
    shares = 0.5 ** np.arange(n_grades)
    return shares / shares.sum()


def queries_param(default: int, high: int = 100_000) -> Param:
    """Return the parameter that counts queries."""
    return Param("n_queries", "int", default, 1, high, 10, log=True, help="Number of queries.")


def docs_param(default: int, high: int = 10_000) -> Param:
    """Return the parameter that counts the documents of a query."""
    return Param("n_docs", "int", default, 1, high, 5, log=True, help="Documents of each query.")


def noise_param(default: float, help: str) -> Param:
    """Return the parameter that says how noisy a set is."""
    return Param("noise", "float", default, 0.0, 10.0, 0.1, help=help)
