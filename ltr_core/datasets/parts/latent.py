"""What the web-shaped sets share: hidden factors, a target, features that look at the factors.

A document has hidden factors z, standard normal. Its relevance is a polynomial of them: a linear part,
products of two factors, and humps (best at a middle value). A feature sees one or two factors, something of
its query, and noise of its own. So features are correlated and noisy, a query shifts many features, linear
models miss the products and humps, and noise on the relevance keeps every model from being perfect.

Only sums, products and roundings are used, term by term: a seed gives the same bits on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ROWS_AT_A_TIME = 2_048  # × 1,779 features: temporaries of 15 MB


class Target(NamedTuple):
    """Relevance as a function of the factors; its variance is 1."""

    linear: np.ndarray  # (m,) weights
    products: np.ndarray  # (p, 2) factors
    product_weights: np.ndarray
    humps: np.ndarray  # (h,) factors
    hump_weights: np.ndarray

    def values(self, z: np.ndarray) -> np.ndarray:
        """Return the relevance of documents with the factors `z`."""
        columns = np.ascontiguousarray(z.T, dtype=np.float64)
        total = np.zeros(len(z))
        for k, weight in enumerate(self.linear):
            total += weight * columns[k]
        for (a, b), weight in zip(self.products, self.product_weights, strict=True):
            total += weight * columns[a] * columns[b]
        for k, weight in zip(self.humps, self.hump_weights, strict=True):
            total += weight * (1.0 - columns[k] * columns[k])
        return total


def draw_target(
    draw: np.random.Generator, n_factors: int, shares: tuple[float, float, float] = (0.45, 0.25, 0.3)
) -> Target:
    """Draw a target; `shares` are the parts of its variance that are linear, products and humps."""
    half = max(1, n_factors // 2)
    # even weights: no factor is the whole target, none is nothing
    linear = draw.choice([-1.0, 1.0], n_factors) * (0.5 + draw.random(n_factors))
    linear *= np.sqrt(shares[0] / (linear**2).sum())
    products = np.array([draw.permutation(n_factors)[[0, -1]] for _ in range(half)])
    weights = draw.choice([-1.0, 1.0], half) * (0.5 + draw.random(half))
    weights *= np.sqrt(shares[1] / (weights**2).sum())
    n_humps = max(1, n_factors // 4)
    humps = draw.permutation(n_factors)[:n_humps]
    return Target(linear, products, weights, humps, np.full(n_humps, np.sqrt(shares[2] / (2 * n_humps))))


class Views(NamedTuple):
    """How each feature looks at its document and its query; `noise` is the deviation of what it adds."""

    factor: np.ndarray
    weight: np.ndarray
    other: np.ndarray
    other_weight: np.ndarray
    query_factor: np.ndarray
    query_weight: np.ndarray
    noise: np.ndarray

    def look(self, z: np.ndarray, query: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Return raw feature values (rows × features), about standard normal; `noise` is overwritten."""
        noise *= self.noise
        noise += z[:, self.factor] * self.weight
        noise += z[:, self.other] * self.other_weight
        noise += query[:, self.query_factor] * self.query_weight
        return noise


def draw_views(
    draw: np.random.Generator, n_features: int, n_factors: int, n_query_factors: int, n_constant: int
) -> Views:
    """Draw views; the last `n_constant` features see their query only, without noise.

    The others keep between a tenth and two thirds of their variance for the document's factors: single
    features are weak, many together are not.
    """
    shown = 0.1 + 0.55 * draw.random(n_features) ** 2
    first = 0.5 + 0.5 * draw.random(n_features)
    of_query = 0.3 * draw.random(n_features) * (draw.random(n_features) < 0.5)
    signs = draw.choice([-1.0, 1.0], (3, n_features))
    weight, other_weight = np.sqrt(shown * first) * signs[0], np.sqrt(shown * (1 - first)) * signs[1]
    query_weight = np.sqrt((1 - shown) * of_query) * signs[2]
    noise = np.sqrt((1 - shown) * (1 - of_query))
    constant = slice(n_features - n_constant, n_features)
    weight[constant], other_weight[constant], noise[constant] = 0.0, 0.0, 0.0
    query_weight[constant] = 1.0
    as_small = np.float32
    return Views(
        draw.integers(0, n_factors, n_features),
        weight.astype(as_small),
        draw.integers(0, n_factors, n_features),
        other_weight.astype(as_small),
        draw.integers(0, n_query_factors, n_features),
        query_weight.astype(as_small),
        noise.astype(as_small),
    )


def as_share(raw: np.ndarray, out: np.ndarray) -> None:
    """Map raw values to [0, 1], increasing, with three digits."""
    np.absolute(raw, out=out)
    out += 1
    np.divide(raw, out, out=out)
    out *= 500
    out += 500
    np.rint(out, out=out)
    out /= 1000


def as_tail(raw: np.ndarray, out: np.ndarray) -> None:
    """Map raw values to [0, 1] with many zeros and a long tail, as counts of rare words have."""
    np.subtract(raw, np.float32(0.3), out=out)
    np.maximum(out, 0, out=out)
    out *= out
    out *= np.float32(62.5)  # 4 deviations above reach 1
    np.rint(out, out=out)
    np.minimum(out, 1000, out=out)
    out /= 1000


def draw_sizes(draw: np.random.Generator, n_queries: int, mean: float, spread: float = 0.5) -> np.ndarray:
    """Return documents per query: between (1 ± spread) times the mean, at least 1, on average the mean."""
    shares = 1 - spread + 2 * spread * draw.random(n_queries)
    ends = np.cumsum(shares) / shares.sum() * round(n_queries * mean)
    return np.maximum(np.diff(np.r_[0, np.rint(ends)]).astype(np.int64), 1)
