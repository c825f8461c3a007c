"""The network under the gradient models: its scores, its pull, Adam, standardising; against plain numpy."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import threads
from ltr_core.engines.network.kernels import (
    Adam,
    Net,
    _pull_hidden,
    _pull_linear,
    _score_hidden,
    _step_adam,
    n_decayed,
    n_weights,
    score_documents,
    sum_losses,
)
from ltr_core.engines.network.mean_loss import as_queries
from ltr_core.engines.network.scaling import standardiser
from tests import naive

HIDDEN = (0, 1, 5)


def network(hidden: int, n: int = 23, d: int = 7, seed: int = 0):
    """Return features (one of them constant), a network with random weights, and its inputs standardised."""
    rng = np.random.default_rng(seed)
    X = rng.normal(3, 5, (n, d)).astype(np.float32)
    X[:, 2] = 4.25
    X.flags.writeable = False
    mean, scale = standardiser(X)
    net = Net(hidden, mean, scale, rng.normal(size=n_weights(d, hidden)))
    return X, net, naive.standardise(X)


def three_queries(seed: int = 0, n_features: int = 4) -> ltr.RankingData:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(17, n_features))
    return ltr.RankingData(X, rng.integers(0, 3, 17), np.repeat([1, 2, 3], [6, 1, 10]))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 23])
@pytest.mark.parametrize("hidden", HIDDEN)
def test_scores_are_numpys(hidden, n):
    X, net, Z = network(hidden, n)
    out, shared = np.empty((2, n))
    score_documents(X, net, out)
    with threads.parallel_always():
        score_documents(X, net, shared)
    assert np.array_equal(out, shared)
    np.testing.assert_allclose(out, naive.network_scores(Z, net.weights, hidden), rtol=1e-12, atol=1e-12)


def test_losses_are_the_queries_on_one_thread_and_on_two():
    data, scores = three_queries(), np.random.default_rng(2).normal(size=17)
    visits, losses = np.array([0, 2]), []
    for twins in (threads.serial_only, threads.parallel_always):
        with twins():
            losses.append(sum_losses(ltr.ListMLE.loss, 0.0, as_queries(data), visits, scores))
    parts = [ltr.ListMLE.loss(scores[own], data.y[own])[0] for own in (slice(0, 6), slice(7, 17))]
    assert losses[0] == losses[1] == pytest.approx(sum(parts), rel=1e-12)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_pull_on_the_weights_is_the_finite_difference(hidden):
    X, net, Z = network(hidden)
    slope = np.random.default_rng(1).normal(size=len(X))
    out, scores, units = np.empty(len(net.weights)), np.empty(len(X)), np.empty((len(X), hidden))
    if hidden:
        _score_hidden(X, net, units, scores)
        _pull_hidden(X, net, units, slope, out)
    else:
        _pull_linear(X, net, slope, out)
    expected = naive.finite_differences(lambda w: slope @ naive.network_scores(Z, w, hidden), net.weights)
    np.testing.assert_allclose(out, expected, rtol=1e-6, atol=1e-6)
    assert (out[2 * max(1, hidden) : 3 * max(1, hidden)] == 0).all(), "a constant feature is not learnt"


@pytest.mark.parametrize("hidden", HIDDEN)
def test_adam_is_the_papers(hidden):
    _, net, _ = network(hidden)
    rng = np.random.default_rng(2)
    gradients = rng.normal(size=(30, len(net.weights)))
    first = net.weights.copy()
    decayed = np.arange(len(first)) < n_decayed(7, hidden)
    free = np.arange(len(first)) < len(first) - 1
    path = naive.adam_steps(
        lambda w, t: gradients[t - 1] + 0.3 * np.where(decayed, w, 0.0), first, 30, 0.05, free
    )
    adam = Adam(np.zeros(len(first)), np.zeros(len(first)))
    for t in range(30):
        _step_adam(gradients[t], net, adam, len(first) - 1, int(decayed.sum()), 0.05, 0.3, t + 1)
        np.testing.assert_allclose(net.weights, path[t + 1], rtol=1e-10, atol=1e-12)


def test_standardiser_takes_mean_and_deviation():
    X = np.random.default_rng(0).normal(1e4, 3, (500, 3)).astype(np.float32)
    mean, scale = standardiser(X)
    np.testing.assert_allclose(mean, X.astype(float).mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(scale, 1 / X.astype(float).std(axis=0), rtol=1e-9)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e38, -3.4e38, 1e-38])
def test_a_constant_feature_is_left_out_whatever_its_value(value):
    X = np.full((1001, 1), value, dtype=np.float32)
    mean, scale = standardiser(X)
    assert mean[0] == np.float32(value) and scale[0] == 0.0


@pytest.mark.parametrize("hidden", HIDDEN)
def test_one_query_is_trained_as_plain_numpy_does(hidden):
    """An epoch of one query is one step, whatever the order: the whole path can be followed."""
    data = three_queries().select([2])
    model = ltr.ListNet(hidden=hidden, epochs=20, step_size=0.03, l2=0.01, random_state=5).fit(data)
    Z = naive.standardise(data.X)
    decayed = np.arange(model.weights_.shape[1]) < n_decayed(4, hidden)

    def gradient(w, t):
        loss = lambda v: naive.listnet_loss(naive.network_scores(Z, v, hidden), data.y)  # noqa: E731
        return naive.finite_differences(loss, w) + 0.01 * np.where(decayed, w, 0.0)

    first = model.weights_[0]
    path = naive.adam_steps(gradient, first, 20, 0.03, np.arange(len(first)) < len(first) - 1)
    np.testing.assert_allclose(model.weights_, path, rtol=1e-4, atol=1e-6)
    assert (first == 0).all() == (hidden == 0)


def test_an_output_bias_that_the_loss_cannot_see_is_not_trained():
    for cls in (ltr.RankNet, ltr.LambdaRank, ltr.ListNet, ltr.ListMLE):
        assert (cls(hidden=3, epochs=3).fit(three_queries()).weights_[:, -1] == 0).all()


@pytest.mark.parametrize("hidden", (0, 4))
def test_seed_decides_everything_drawn(hidden):
    data = three_queries()
    one, same, other = (ltr.ListMLE(hidden=hidden, random_state=s, epochs=4).fit(data) for s in (3, 3, 4))
    assert np.array_equal(one.weights_, same.weights_)
    assert not np.array_equal(one.weights_[-1], other.weights_[-1])


def test_linear_contributions_are_weights_times_standardised_features():
    data = three_queries()
    model = ltr.RankNet(epochs=5).fit(data)
    weights = model.weights_[-1, :-1]
    np.testing.assert_allclose(model.explain(data), naive.standardise(data.X) * weights, rtol=1e-9)
    np.testing.assert_allclose(model.feature_importances_, abs(weights) / abs(weights).sum())


def test_a_hidden_layer_has_importances_but_no_contributions(tmp_path):
    data = three_queries()
    model = ltr.RankNet(hidden=6, epochs=5).fit(data)
    assert ltr.RankNet().additive and not model.additive
    model.save(tmp_path / "m.json")
    for fitted in (model, ltr.load_model(tmp_path / "m.json").set_params(hidden=0)):
        with pytest.raises(ltr.ParameterError, match="hidden=0"):
            fitted.explain(data)
    norms = np.linalg.norm(model.weights_[-1, : 4 * 6].reshape(4, 6), axis=1)
    np.testing.assert_allclose(model.feature_importances_, norms / norms.sum())


def test_l2_pulls_weights_to_zero():
    data = three_queries()
    models = [ltr.ListNet(epochs=200, step_size=0.01, l2=l2).fit(data) for l2 in (0.0, 0.1, 10.0)]
    sizes = [np.linalg.norm(model.weights_[-1]) for model in models]
    assert sizes[0] > 1.1 * sizes[1] > 5 * sizes[2] > 0


def test_a_pairwise_loss_needs_a_pair():
    data = ltr.RankingData([[1.0], [2.0], [3.0]], [1, 1, 0], [1, 1, 2])
    for cls in (ltr.RankNet, ltr.LambdaRank):
        with pytest.raises(ltr.DataError, match="different grades"):
            cls().fit(data)


def test_with_nothing_to_teach_training_ends_at_once():
    data = ltr.RankingData([[1.0], [2.0], [3.0]], [1, 0, 2], [1, 2, 3])
    model = ltr.ListNet().fit(data)
    assert (model.n_iter_, model.stopped_) == (0, "no gain")
    assert (model.predict(data) == 0).all()
