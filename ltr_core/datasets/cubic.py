"""McRank's artificial set: documents graded by a random cubic polynomial, noise-free.

Paper 004, §6.1 (there after Burges et al. 2005 and 2006): random cubic polynomials, 50 features, 50 documents
per query, 10,000/5,000/10,000 queries, five grades, no variance from features or labels.

    f(x) = Σ_t c_t · (a product of 1, 2 or 3 features),  x uniform in [-1, 1]^d,  c_t normal

The papers do not print the polynomial. Decisions: d terms of each degree, features of a term drawn with
replacement (so squares and cubes occur), each degree scaled to a third of the variance; grades are cut from f
at fixed values, the same for all queries, each grade half as frequent as the one below (52/26/13/6/3 % for
five: "a label distribution corresponding to real data sets"). Cuts come from a reference sample, so that one
seed is one target whatever the number of queries, and more queries only append to fewer.
"""

from __future__ import annotations

import numpy as np

from ..data import RankingData
from ..params import Param
from .parts.base import DataSet, cut_points, docs_param, halving_shares, noise_param, queries_param, rng_for

_ROWS_AT_A_TIME = 16_384  # × 50 features fit a core's cache: 500,000 documents take 0.5 s instead of 1.5
_REFERENCE_ROWS = 16_384


def generate(
    seed: int, n_queries: int, n_docs: int, n_features: int, n_grades: int, noise: float
) -> RankingData:
    """Draw the set."""
    features, coefficients = _draw_polynomial(rng_for("cubic", seed, "polynomial"), n_features)
    draw_noise = rng_for("cubic", seed, "noise")
    reference = _draw_rows(rng_for("cubic", seed, "reference"), _REFERENCE_ROWS, n_features)
    target = _values(reference, features, coefficients)
    spread = noise * target.std()
    target += spread * rng_for("cubic", seed, "reference noise").standard_normal(len(target))
    cuts = cut_points(target, halving_shares(n_grades))

    n = n_queries * n_docs
    draw = rng_for("cubic", seed, "documents")
    X, y = np.empty((n, n_features), dtype=np.float32), np.empty(n)
    for start in range(0, n, _ROWS_AT_A_TIME):
        rows = slice(start, min(n, start + _ROWS_AT_A_TIME))
        X[rows] = _draw_rows(draw, rows.stop - start, n_features)
        target = _values(X[rows], features, coefficients)
        if noise:
            target += spread * draw_noise.standard_normal(len(target))
        y[rows] = np.searchsorted(cuts, target, side="left")
    qid = np.repeat(np.arange(1, n_queries + 1), n_docs)
    return RankingData(X, y, qid, name="cubic")


def _draw_rows(draw: np.random.Generator, n: int, n_features: int) -> np.ndarray:
    """Return documents, uniform in [-1, 1)."""
    return draw.random((n, n_features), dtype=np.float32) * np.float32(2) - np.float32(1)


def _draw_polynomial(draw: np.random.Generator, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the features of each term, -1 where there is none, and the terms' coefficients."""
    features = np.full((3 * n_features, 3), -1)
    coefficients = draw.standard_normal(3 * n_features)
    sample = draw.random((4096, n_features)) * 2 - 1
    for degree in (1, 2, 3):
        terms = slice((degree - 1) * n_features, degree * n_features)
        features[terms, :degree] = draw.integers(0, n_features, (n_features, degree))
        if degree == 1:
            features[terms, 0] = np.arange(n_features)
        coefficients[terms] /= _values(sample, features[terms], coefficients[terms]).std()
    return features, coefficients


def _values(X: np.ndarray, features: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Return the polynomial at some documents, summed term by term: the same bits on every machine."""
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    total = np.zeros(columns.shape[1])
    product = np.empty_like(total)
    for term, coefficient in zip(features, coefficients, strict=True):
        np.multiply(columns[term[0]], coefficient, out=product)
        for k in term[1:]:
            if k >= 0:
                product *= columns[k]
        total += product
    return total


CUBIC = DataSet(
    name="cubic",
    label="Cubic polynomial",
    summary="Uniform features; the grade is a random cubic polynomial of them, cut into five steps.",
    description=(
        "McRank's artificial set: 50 features, 50 documents per query, five grades from a random cubic "
        "polynomial, noise-free, so that all differences are the methods' own. The paper has 10,000 training "
        "queries; the default here is 200 so that a training takes a moment. The paper does not print its "
        "polynomial: here it has one linear, one quadratic and one cubic term for each feature, each degree "
        "with a third of the variance."
    ),
    params=(
        queries_param(200),
        docs_param(50),
        Param("n_features", "int", 50, 1, 2_000, 5, log=True, help="Number of features."),
        Param("n_grades", "int", 5, 2, 20, 1, help="Number of grades, from 0 up."),
        noise_param(0.0, "Standard deviation of what is added to the polynomial, in units of its own."),
    ),
    generate=generate,
    paper="McRank (NIPS 2007), §6.1",
)
