"""Pairs that are not gone through: skeletons, cells, and sums equal to those of plain loops."""

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import stopping, threads
from ltr_core.distances import FittedDistance
from ltr_core.engines.skeleton import cells, far
from ltr_core.engines.skeleton.cells import Frame, cut_query
from ltr_core.engines.skeleton.skeletons import find_skeleton, solve
from ltr_core.engines.stumps import direct
from ltr_core.engines.stumps.layout import PairLayout
from ltr_core.engines.stumps.ordering import order_columns
from tests import naive
from tests.algorithms.test_mpboost import check_against_oracle, curve

DISTANCES = [("binary", 0.7), ("ldd", 0.5), ("logdd", 0.7), ("logdd", 8.0), ("logitdd", 1.0)]
named = pytest.mark.parametrize("name, value", DISTANCES, ids=str)


def distance(name, value):
    return FittedDistance(name, value, np.zeros(1))


@pytest.fixture
def small(monkeypatch):
    """Let links be taken in queries of thirty documents, whose pairs plain loops can go through."""
    monkeypatch.setattr(direct, "_KEPT_BYTES", 0)
    monkeypatch.setattr(far, "LONG", dict.fromkeys(far.LONG, 30))
    monkeypatch.setattr(far, "_PAYS", np.inf)
    monkeypatch.setattr(cells, "MOST_NEAR", 4)


def weight(name, value, better, worse):
    """w of two documents (grade, score), as the paper has it."""
    d = naive.pair_distance(name, better[0], worse[0], value)
    return np.exp(-d * (better[1] - worse[1]))


# Skeletons --------------------------------------------------------------------------------------------------


@named
@pytest.mark.parametrize("apart", [1, 3])
@pytest.mark.parametrize("window", [0.1, 1.0, 2.0])
def test_a_skeleton_gives_every_weight_of_its_window(name, value, window, apart):
    width, rng = 0.5 if value < 2.0 else 0.125, np.random.default_rng(0)
    found = find_skeleton(distance(name, value), width, apart, window)
    better, worse = (rng.uniform((0.0, -window), (1.0, window), (40, 2)) for _ in range(2))

    def towards(documents, points, gap):
        return np.array([[weight(name, value, a, b) for b in gap(points)] for a in gap(documents, 1)])

    def place(points, up=0):
        return np.c_[width * (points[:, 0] + up * apart), points[:, 1]]

    left, right = towards(better, found.worse, place), towards(found.better, worse, place)
    exact = towards(better, worse, place)
    scale = found.middle * (found.better[:, 1, None] - worse[:, 1])
    shares = solve(found.columns, right * np.exp(scale))
    left = left * np.exp(found.middle * (better[:, 1, None] - found.worse[:, 1]))
    back = np.exp(-found.middle * (better[:, 1, None] - worse[:, 1]))
    np.testing.assert_allclose((left[:, :, None] * shares).sum(axis=1) * back, exact, rtol=1e-11)
    assert np.abs(shares).max() < 10.0 and len(found.better) < 90


def test_binary_needs_one_point_and_wider_windows_need_more():
    sizes = [len(find_skeleton(distance("binary", 2.0), 1.0, 1, w).better) for w in (0.1, 1.0, 5.0)]
    assert sizes == [1, 1, 1]
    sizes = [len(find_skeleton(distance("ldd", 0.5), 1.0, 1, w).better) for w in (0.1, 1.0, 5.0)]
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize(
    "name, value, window", [("ldd", 300.0, 1.0), ("logdd", 1e6, 1.0), ("ldd", 1.0, 40.0)]
)
def test_weights_that_are_too_uneven_have_no_skeleton(name, value, window):
    assert find_skeleton(distance(name, value), 1.0, 1, window) is None


# Cells ------------------------------------------------------------------------------------------------------

GRADES = {
    "even": lambda rng: rng.uniform(0, 4, 300),
    "crowded": lambda rng: np.r_[rng.uniform(2.0, 2.0 + 1e-9, 200), 0.0, 4.0, rng.uniform(0, 1e-14, 30)],
    "ties": lambda rng: rng.integers(0, 40, 300) / 10.0,
    "two": lambda rng: rng.integers(0, 2, 300) * 1.0,
}


@pytest.mark.parametrize("grades", GRADES)
@pytest.mark.parametrize("refused", [(), ((1, 1),), ((1, 1), (2, 1), (2, 2))], ids=["none", "one", "more"])
def test_every_pair_is_in_one_link_or_one_leaf(grades, refused):
    y = -np.sort(-GRADES[grades](np.random.default_rng(1)))
    places = Frame(float(y.min()), float(np.ptp(y))).places(y)
    links, leaves = cut_query(places, 0, len(y), lambda *kind: None if kind in refused else True)
    times = np.zeros((len(y), len(y)), dtype=int)
    for link in links:
        times[slice(*link.better), slice(*link.worse)] += 1
    for first, last in zip(leaves, [*leaves[1:], len(y)], strict=True):
        times[first:last, first:last] += 1
    better = y[:, None] > y
    assert (times[better] == 1).all()
    assert leaves[0] == 0 and (np.diff(leaves) > 0).all()
    assert not {link.kind for link in links} & set(refused)
    starts = np.flatnonzero(np.r_[True, np.diff(y) != 0])
    assert set(leaves) <= set(starts.tolist())


def test_a_query_with_a_link_that_has_no_skeleton_has_none():
    y = np.linspace(4.0, 0.0, 200)
    places = Frame(0.0, 4.0).places(y)
    assert cut_query(places, 0, 200, lambda level, apart: None if apart == 1 else True) is None


# Sums -------------------------------------------------------------------------------------------------------


def draw(seed=0, spread=1.0, sizes=(60, 20, 35)):
    """Queries, the first and last of them long; grades in order, some of them equal; scores that follow."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([-np.sort(-rng.uniform(0, 4, n).round(2)) for n in sizes])
    scores = spread * (0.3 * y + rng.uniform(-0.5, 0.5, len(y)))
    return y, np.r_[0, np.cumsum(sizes)], scores


def far_list(y, offsets, leaves):
    """The pairs that are not within a leaf."""
    leaf = np.searchsorted(leaves, np.arange(len(y)), side="right")
    query = np.searchsorted(offsets, np.arange(len(y)), side="right")
    return [(i, j) for i, j in naive.pairs_of(y.tolist(), query.tolist()) if leaf[i] != leaf[j]]


@named
@pytest.mark.parametrize("power", [0, 2])
@pytest.mark.parametrize("spread", [0.0, 1.0, 2.5])
def test_sums_are_those_of_the_pairs(name, value, power, spread, small):
    y, offsets, scores = draw(spread=spread)
    held = far.far_pairs(y, offsets, distance(name, value), power, scores)
    held.weigh(scores)
    pairs = far_list(y, offsets, held.leaves)
    assert len(pairs) > 1500 and (len(held.leaves) > 10)
    d = [naive.pair_distance(name, y[i], y[j], value) for i, j in pairs]
    w = [weight(name, value, (y[i], scores[i]), (y[j], scores[j])) for i, j in pairs]
    assert held.total == pytest.approx(np.sum(w), rel=1e-13)
    pulls, found = np.zeros(len(y)), np.zeros(len(y))
    for (i, j), dij, wij in zip(pairs, d, w, strict=True):
        pulls[i] += wij * dij
        pulls[j] -= wij * dij
    held.pull(found)
    np.testing.assert_allclose(found, pulls, rtol=1e-11, atol=1e-12 * np.abs(pulls).max())
    above = (np.random.default_rng(1).random(len(y)) < 0.4).astype(np.uint8)
    for step in (0.6, -0.6):
        losses, bound, N, D = np.zeros(len(y)), np.zeros(len(y)), 0.0, 0.0
        for (i, j), dij, wij in zip(pairs, d, w, strict=True):
            side = int(above[i]) - int(above[j])
            N, D = N + side * wij * dij, D + abs(side) * wij * dij**power
            if side * step > 0:
                losses[[i, j]] += wij * dij**power * (1 - np.exp(-dij * abs(step)))
        assert held.split(above, step, bound) == pytest.approx((N, D), rel=1e-11, abs=1e-12 * np.sum(w))
        assert (bound >= losses * (1 - 1e-11)).all() and bound.sum() < 2.5 * losses.sum()


@named
@pytest.mark.parametrize("power", [0, 2])
def test_a_sweep_gives_d_at_every_threshold(name, value, power, small):
    y, offsets, scores = draw()
    held = far.far_pairs(y, offsets, distance(name, value), power, scores)
    held.weigh(scores)
    pairs = far_list(y, offsets, held.leaves)
    mass = [
        weight(name, value, (y[i], scores[i]), (y[j], scores[j]))
        * naive.pair_distance(name, y[i], y[j], value) ** power
        for i, j in pairs
    ]
    layout = PairLayout(y, offsets)
    bins = np.random.default_rng(2).integers(0, 7, (4, len(y))).astype(np.uint8)
    chosen, orders = np.array([3, 1]), np.zeros(bins.shape, dtype=np.uint8)
    order_columns(layout, bins, chosen, 7, orders)
    changes = np.zeros((2, 7))
    held.sweep(bins, orders, chosen, changes)
    for k, found in zip(chosen, changes.cumsum(axis=1), strict=True):
        above = bins[k][:, None] > np.arange(7)
        exact = [sum(m for m, (i, j) in zip(mass, pairs, strict=True) if a[i] != a[j]) for a in above.T]
        np.testing.assert_allclose(found, exact, rtol=1e-11, atol=1e-12 * np.sum(mass))


def test_scores_outside_the_window_are_told(small):
    y, offsets, scores = draw()
    held = far.far_pairs(y, offsets, distance("ldd", 0.5), 0, scores)
    assert held.holds(scores) and held.holds(scores + 100.0) and not held.holds(10.0 * scores)


def test_what_does_not_fit_into_memory_is_left_to_be_weighed_pair_by_pair(small, monkeypatch):
    y, offsets, scores = draw()
    whole = far.far_pairs(y, offsets, distance("ldd", 0.5), 0, scores)
    assert {0, 60, 80} < set(whole.leaves.tolist())
    monkeypatch.setattr(far, "_MOST_BYTES", 16 * whole._weights.size - 1)
    assert set(range(60, 116)) & set(
        far.far_pairs(y, offsets, distance("ldd", 0.5), 0, scores).leaves.tolist()
    ) == {60, 80, 115}
    monkeypatch.setattr(far, "_MOST_BYTES", 16)
    assert far.far_pairs(y, offsets, distance("ldd", 0.5), 0, scores) is None


@pytest.mark.parametrize("name", ["ldd", "table"])
def test_short_queries_and_tables_have_no_links(name):
    y, offsets, scores = draw()
    table = np.array([[0.0, -1.0], [1.0, 0.0]]) if name == "table" else None
    assert far.far_pairs(y, offsets, FittedDistance(name, 0.5, np.zeros(1), table), 0, scores) is None


# Models -----------------------------------------------------------------------------------------------------


def long_query(seed=0, n=90, short=25):
    """A long query of continuous grades and a short one; few feature values, so that loops end."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n + short, 3)).astype(float)
    y = (X[:, 0] + X[:, 1] * X[:, 2] / 4 + rng.normal(size=len(X))).round(3)
    return X, y - y.min(), np.repeat([0, 1], [n, short])


@pytest.mark.parametrize("step", ["paper", "newton"])
@pytest.mark.parametrize("ddf", ["binary", "ldd", "logdd", "logitdd"])
def test_mpboost_on_a_long_query_is_the_oracles(ddf, step, small, monkeypatch):
    laid = []
    built = direct.far_pairs
    monkeypatch.setattr(direct, "far_pairs", lambda *a: laid.append(built(*a)) or laid[-1])
    X, y, qid = long_query()
    check_against_oracle(ltr.MPBoost(ddf=ddf, step=step, n_rounds=8), X, y, qid, 8, ddf=ddf, step=step)
    assert len(laid) > 1 and all(laid)


@pytest.fixture
def early(monkeypatch):
    """Let links be taken in queries of 600 documents."""
    monkeypatch.setattr(direct, "_KEPT_BYTES", 0)
    monkeypatch.setattr(far, "LONG", dict.fromkeys(far.LONG, 600))


def wide(seed, sizes=(700, 900, 30), d=8):
    """Two queries long enough for links then, and a short one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(sum(sizes), d)).astype(np.float32)
    y = 4.0 / (1.0 + np.exp(-X[:, 0] - X[:, 1] * X[:, 2] - rng.normal(size=len(X))))
    return ltr.RankingData(X, y, np.repeat(np.arange(len(sizes)), sizes))


MODELS = {
    "binary": lambda n: ltr.MPBoost(ddf="binary", n_rounds=n),
    "ldd": lambda n: ltr.MPBoost(ddf="ldd", n_rounds=n),
    "logdd": lambda n: ltr.MPBoost(ddf="logdd", n_rounds=n),
    "logdd, much bent": lambda n: ltr.MPBoost(ddf="logdd", lam=20.0, shrinkage=0.5, n_rounds=n),
    "logitdd, newton": lambda n: ltr.MPBoost(ddf="logitdd", step="newton", n_rounds=n),
    "RankBoost r": lambda n: ltr.RankBoost("r", n_rounds=n),
    "RankBoost z": lambda n: ltr.RankBoost("z", n_rounds=n),
}


@pytest.mark.parametrize("name", MODELS)
def test_links_give_the_model_that_pairs_give(name, early, monkeypatch):
    data, other = wide(0), wide(1, (650, 40))
    with monkeypatch.context() as kept:
        kept.setattr(direct, "_KEPT_BYTES", 1 << 40)
        pairs = MODELS[name](30).fit(data, eval_set={"valid": other}, measures=())
    laid = []
    built = direct.far_pairs
    monkeypatch.setattr(direct, "far_pairs", lambda *a: laid.append(built(*a)) or laid[-1])
    links = MODELS[name](30).fit(data, eval_set={"valid": other}, measures=())
    assert sum(one is not None for one in laid) > 2
    assert links.stump_features_.tolist() == pairs.stump_features_.tolist()
    assert links.stump_thresholds_.tolist() == pairs.stump_thresholds_.tolist()
    np.testing.assert_allclose(links.stump_values_, pairs.stump_values_, rtol=1e-9)
    for split in ("train", "valid"):
        np.testing.assert_allclose(curve(links, "loss", split), curve(pairs, "loss", split), rtol=1e-10)
        assert np.array_equal(curve(links, "misorder", split), curve(pairs, "misorder", split))
    np.testing.assert_allclose(curve(links, "bound"), curve(pairs, "bound"), rtol=1e-10)


def test_links_give_the_same_bits_with_one_thread_and_two(early):
    data = wide(0)
    with threads.parallel_always():
        parallel = ltr.MPBoost(n_rounds=12).fit(data, eval_set={"valid": wide(1, (650, 40))})
    with threads.serial_only():
        serial = ltr.MPBoost(n_rounds=12).fit(data, eval_set={"valid": wide(1, (650, 40))})
    assert parallel.rounds_.equals(serial.rounds_) and parallel.history_.equals(serial.history_)


@pytest.mark.parametrize("alpha", [0.5, 300.0])
def test_scores_that_lie_too_far_apart_for_links_are_weighed_pair_by_pair(alpha, early):
    data = wide(0, (620,))
    model = ltr.MPBoost(ddf="ldd", alpha=alpha, n_rounds=4).fit(data, measures=())
    weights = direct.DirectWeights(PairLayout(data.y, data.offsets), distance("ldd", alpha), np.ones_like)
    assert weights._far is not None
    weights.start_over(np.linspace(0.0, 400.0 / alpha, data.n_docs))
    assert weights._far is None and np.isfinite(weights.log_loss)
    assert not np.isnan(curve(model, "loss")).any()


def test_sums_over_links_end_when_they_are_told_to(small):
    y, offsets, scores = draw()
    flag = ltr.StopFlag()
    with stopping.stoppable(flag):
        held = far.far_pairs(y, offsets, distance("ldd", 0.5), 0, scores)
        held.weigh(scores)
        flag.set()
        for call in (
            lambda: held.weigh(scores),
            lambda: far.far_pairs(y, offsets, distance("ldd", 0.5), 0, scores),
        ):
            with pytest.raises(stopping.Stopped):
                call()
