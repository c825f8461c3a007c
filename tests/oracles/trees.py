"""Boosted trees, straight from the papers: loops over documents, pairs and values, nothing clever."""

from __future__ import annotations

import math

import numpy as np

__all__ = [
    "bound_leaves",
    "dcg_error_bound",
    "gbt",
    "grow_tree",
    "lambdamart",
    "lambdas",
    "line_minimum",
    "mcrank",
    "mcrank_probabilities",
    "preferences",
    "qbrank",
    "tree_leaves",
    "tree_predict",
    "true_dcg_error",
]

LARGER = 1 + 1e-9  # gains closer than this count as equal: the lowest feature, then threshold, keeps it


def mean_pull(pull, weight, rows):
    """The value of a leaf with these documents; 0 where nothing weighs."""
    total = sum(weight[i] for i in rows)
    return sum(pull[i] for i in rows) / total if total > 0 else 0.0


def best_split(X, pull, weight, rows, min_leaf, signs=None):
    """The best (gain, feature, threshold) of a node, None without one; sides follow the features' signs."""
    best = None
    all_pull, all_weight = sum(pull[i] for i in rows), sum(weight[i] for i in rows)
    for k in range(X.shape[1]):
        for threshold in sorted({X[i, k] for i in rows})[:-1]:
            below = [i for i in rows if not X[i, k] > threshold]
            above = [i for i in rows if X[i, k] > threshold]
            if len(below) < min_leaf or len(above) < min_leaf:
                continue
            gain = -(all_pull**2) / all_weight if all_weight > 0 else 0.0
            for side in (below, above):
                side_weight = sum(weight[i] for i in side)
                if side_weight > 0:
                    gain += sum(pull[i] for i in side) ** 2 / side_weight
            rise = mean_pull(pull, weight, above) - mean_pull(pull, weight, below)
            if signs is not None and signs[k] * rise < 0:
                continue
            if gain > 1e-12 * (1 + all_pull**2) and (best is None or gain > best[0] * LARGER):
                best = (gain, k, threshold)
    return best


def grow_tree(X, pull, weight, n_leaves, min_leaf, signs=None):
    """Best-first growth: nested dicts; a leaf has "rows", an inner node "feature" and so on."""
    X = np.asarray(X, dtype=np.float64)

    def leaf(rows):
        return {"rows": rows, "split": best_split(X, pull, weight, rows, min_leaf, signs)}

    root = leaf(list(range(len(X))))
    leaves = [root]
    while len(leaves) < n_leaves:
        able = [node for node in leaves if node["split"] is not None]
        if not able:
            break
        chosen = able[0]
        for node in able[1:]:
            if node["split"][0] > chosen["split"][0] * LARGER:
                chosen = node
        chosen["gain"], k, threshold = chosen["split"]
        chosen["feature"], chosen["threshold"] = k, threshold
        chosen["left"] = leaf([i for i in chosen["rows"] if not X[i, k] > threshold])
        chosen["right"] = leaf([i for i in chosen["rows"] if X[i, k] > threshold])
        place = next(i for i, node in enumerate(leaves) if node is chosen)
        leaves[place] = chosen["left"]
        leaves.append(chosen["right"])
    return root


def bound_leaves(tree, pull, weight, signs, low=-math.inf, high=math.inf):
    """Values for the leaves, each between its bounds: a split on a feature with a sign sets them."""
    tree["value"] = min(max(mean_pull(pull, weight, tree["rows"]), low), high)
    if "left" not in tree:
        return
    sides = [mean_pull(pull, weight, tree[side]["rows"]) for side in ("left", "right")]
    middle = sum(min(max(value, low), high) for value in sides) / 2
    bounds = {
        0: ((low, high), (low, high)),
        1: ((low, middle), (middle, high)),
        -1: ((middle, high), (low, middle)),
    }[signs[tree["feature"]]]
    bound_leaves(tree["left"], pull, weight, signs, *bounds[0])
    bound_leaves(tree["right"], pull, weight, signs, *bounds[1])


def tree_leaves(tree):
    """All leaves of a tree."""
    return tree_leaves(tree["left"]) + tree_leaves(tree["right"]) if "left" in tree else [tree]


def tree_predict(tree, x):
    """The value of the leaf that a document falls into."""
    while "left" in tree:
        tree = tree["right"] if x[tree["feature"]] > tree["threshold"] else tree["left"]
    return tree["value"]


def apply(tree, X):
    return np.array([tree_predict(tree, [float(v) for v in x]) for x in X])


def gbt(X, y, X_new, target, n_trees, n_leaves, learning_rate, min_leaf, start=None):
    """Scores of X_new and the mean squared error on X, one entry an iteration from 0."""
    goal = [2.0**r - 1.0 for r in y] if target == "gain" else [float(r) for r in y]
    first = sum(goal) / len(goal) if start is None else start
    h, h_new = np.full(len(y), first), np.full(len(X_new), first)
    stages, losses = [h_new.copy()], [np.mean((goal - h) ** 2)]
    for _ in range(n_trees):
        residual = goal - h
        tree = grow_tree(X, residual, np.ones(len(y)), n_leaves, min_leaf)
        if "left" not in tree:
            break
        for leaf in tree_leaves(tree):
            leaf["value"] = learning_rate * sum(residual[i] for i in leaf["rows"]) / len(leaf["rows"])
        h = h + apply(tree, X)
        h_new = h_new + apply(tree, X_new)
        stages.append(h_new.copy())
        losses.append(np.mean((goal - h) ** 2))
    return stages, losses


# McRank -----------------------------------------------------------------------------------------------------


def softmax(F):
    """Class probabilities of one document."""
    top = max(F)
    parts = [math.exp(f - top) for f in F]
    return [p / sum(parts) for p in parts]


def boost_classes(
    X,
    classes,
    K,
    X_new,
    n_trees,
    n_leaves,
    learning_rate,
    min_leaf,
    splits="residual",
    start="zero",
    in_turn=False,
):
    """Algorithm 1 of the paper: lists of F (n × K) on X and on X_new, one entry an iteration."""
    n = len(X)
    F, F_new = np.zeros((n, K)), np.zeros((len(X_new), K))
    if start == "prior":
        for k in range(K):
            # Classes of two: half the log odds, as their outputs mirror each other.
            logs = [math.log(sum(c == j for c in classes) / n) for j in range(K)]
            F[:, k] = F_new[:, k] = logs[k] - sum(logs) / K
    stages, stages_new = [F.copy()], [F_new.copy()]
    for _ in range(n_trees):
        p = [softmax(F[i]) for i in range(n)]
        trees, F_round = [], F.copy()
        for k in range(K):
            if in_turn:  # line 4, as printed
                p = [softmax(F_round[i]) for i in range(n)]
            pull = np.array([(1.0 if classes[i] == k else 0.0) - p[i][k] for i in range(n)])
            curves = np.array([p[i][k] * (1.0 - p[i][k]) for i in range(n)])
            tree = grow_tree(X, pull, curves if splits == "newton" else np.ones(n), n_leaves, min_leaf)
            for leaf in tree_leaves(tree):
                down = max(sum(p[i][k] * (1.0 - p[i][k]) for i in leaf["rows"]), 1e-10)
                leaf["value"] = learning_rate * (K - 1) / K * sum(pull[i] for i in leaf["rows"]) / down
            trees.append(tree)
            F_round[:, k] += apply(tree, X)
        if all("left" not in tree for tree in trees):
            break
        for k, tree in enumerate(trees):
            F[:, k] += apply(tree, X)
            F_new[:, k] += apply(tree, X_new)
        stages.append(F.copy())
        stages_new.append(F_new.copy())
    return stages, stages_new


def mcrank_probabilities(
    X,
    y,
    X_new,
    mode,
    n_trees,
    n_leaves,
    learning_rate,
    min_leaf,
    splits="residual",
    start="zero",
    in_turn=False,
):
    """Class probabilities (documents × grades) on X and X_new after each iteration, and the grades."""
    grades = sorted(set(float(r) for r in y))
    K = len(grades)
    shape = (n_trees, n_leaves, learning_rate, min_leaf, splits, start)
    if mode == "classification":
        classes = [grades.index(r) for r in y]
        stages, stages_new = boost_classes(X, classes, K, X_new, *shape, in_turn)
        return (
            [np.array([softmax(f) for f in F]) for F in stages],
            [np.array([softmax(f) for f in F]) for F in stages_new],
            grades,
        )
    below, below_new = [], []  # per threshold and iteration: Pr(r <= grade)
    for k in range(K - 1):
        # Class 0 of the binary problem is r <= grades[k].
        classes = [0 if r <= grades[k] else 1 for r in y]
        stages, stages_new = boost_classes(X, classes, 2, X_new, *shape)
        below.append([np.array([softmax(f)[0] for f in F]) for F in stages])
        below_new.append([np.array([softmax(f)[0] for f in F]) for F in stages_new])

    def differences(tables, m):
        columns = [np.zeros(len(tables[0][0]))] + [table[min(m, len(table) - 1)] for table in tables]
        columns.append(np.ones(len(tables[0][0])))
        return np.array([b - a for a, b in zip(columns[:-1], columns[1:], strict=True)]).T

    rounds = max(len(table) for table in below)
    return (
        [differences(below, m) for m in range(rounds)],
        [differences(below_new, m) for m in range(rounds)],
        grades,
    )


def mcrank(X, y, X_new, mode, score, **shape):
    """Scores of X_new and mean negative log-likelihood on X, one entry an iteration from 0."""
    p, p_new, grades = mcrank_probabilities(X, y, X_new, mode, **shape)
    worth = [g if score == "relevance" else 2.0**g - 1.0 for g in grades]
    stages = [np.array([sum(a * t for a, t in zip(row, worth, strict=True)) for row in P]) for P in p_new]
    losses = []
    for P in p:
        if mode == "classification":
            total = sum(-math.log(P[i][grades.index(y[i])]) for i in range(len(y)))
        else:  # the sum of the binary problems' losses
            total = 0.0
            for i in range(len(y)):
                for k in range(len(grades) - 1):
                    at_most = sum(P[i][: k + 1])
                    total -= math.log(at_most if y[i] <= grades[k] else 1.0 - at_most)
        losses.append(total / len(y))
    return stages, losses


def dcg_error_bound(y, guess, qid, L=None):
    """Lemma 1's right-hand side, per query, averaged; ranks beyond L count nothing."""
    total = 0.0
    queries = sorted(set(qid))
    for q in queries:
        rows = [i for i in range(len(y)) if qid[i] == q]
        n = len(rows)
        c = [1.0 / math.log2(1 + i) if i <= (L or n) else 0.0 for i in range(1, n + 1)]
        spread = sum(x * x for x in c) - n * math.prod(x ** (2.0 / n) for x in c)
        wrong = sum(1 for i in rows if y[i] != guess[i])
        total += (2.0 ** max(y) - 1.0) * math.sqrt(2.0) * math.sqrt(max(spread, 0.0)) * math.sqrt(wrong)
    return total / len(queries)


def true_dcg_error(y, guess, qid, L=math.inf):
    """DCG of the ideal order minus DCG of the order by guess, the mean over orders of equal guesses."""
    total = 0.0
    queries = sorted(set(qid))
    for q in queries:
        rows = [i for i in range(len(y)) if qid[i] == q]
        gains = sorted((2.0 ** y[i] - 1.0 for i in rows), reverse=True)
        ideal = sum(g / math.log2(1 + j) for j, g in enumerate(gains, 1) if j <= L)
        place, got = 0, 0.0
        for level in sorted({guess[i] for i in rows}, reverse=True):
            tied = [i for i in rows if guess[i] == level]
            ranks = range(place + 1, place + len(tied) + 1)
            weights = [1.0 / math.log2(1 + j) if j <= L else 0.0 for j in ranks]
            got += sum(2.0 ** y[i] - 1.0 for i in tied) * sum(weights) / len(weights)
            place += len(tied)
        total += ideal - got
    return total / len(queries)


# QBRank -----------------------------------------------------------------------------------------------------


def preferences(y, qid, margin):
    """All (i, j, τ) with i preferred to j."""
    found = []
    for i in range(len(y)):
        for j in range(len(y)):
            if qid[i] == qid[j] and y[i] > y[j]:
                found.append((i, j, float(y[i] - y[j]) if margin == "grade" else float(margin)))
    return found


def labelled_rows(y, qid, labelled):
    """Documents that count as labelled data."""
    if labelled == "all":
        return list(range(len(y)))
    return [i for i in range(len(y)) if len({y[j] for j in range(len(y)) if qid[j] == qid[i]}) == 1]


def qbrank_risk(h, y, pairs, rows, w):
    pair_part = sum(max(0.0, h[j] - h[i] + tau) ** 2 for i, j, tau in pairs)
    return 0.5 * w * pair_part + 0.5 * (1.0 - w) * sum((y[i] - h[i]) ** 2 for i in rows)


def line_minimum(h, g, y, pairs, rows, w):
    """The smallest s that minimises the risk at h + s g: the derivative's zero between two break points."""

    def derivative(s):
        total = 0.0
        for i, j, tau in pairs:
            total += w * max(0.0, h[j] - h[i] + tau + s * (g[j] - g[i])) * (g[j] - g[i])
        for i in rows:
            total += (1.0 - w) * (h[i] + s * g[i] - y[i]) * g[i]
        return total

    breaks = {0.0}
    for i, j, tau in pairs:
        slope = g[j] - g[i]
        if slope != 0.0:
            breaks.add(-(h[j] - h[i] + tau) / slope)
    breaks = sorted(b for b in breaks if b >= 0.0)
    flat = 1e-13 * abs(derivative(0.0))
    low = 0.0
    for high in breaks[1:] + [None]:
        if high is None or derivative(high) >= -flat:
            # The derivative is a straight line from low to high.
            end = low + 1.0 if high is None else high
            a, b = derivative(low), derivative(end)
            return low - a * (end - low) / (b - a)
        low = high
    raise AssertionError


def qbrank(
    X,
    y,
    qid,
    X_new,
    preference_weight,
    margin,
    labelled,
    line_search,
    n_trees,
    n_leaves,
    learning_rate,
    min_leaf,
    start=0.0,
):
    """Scores of X_new and the risk on X by iteration. A document has one row for each pair and label."""
    w = preference_weight
    pairs, rows = preferences(y, qid, margin), labelled_rows(y, qid, labelled)
    h, h_new = np.full(len(y), float(start)), np.full(len(X_new), float(start))
    stages, losses = [h_new.copy()], [qbrank_risk(h, y, pairs, rows, w)]
    for _ in range(n_trees):
        training = []  # (document, target, weight)
        for i, j, tau in pairs:
            d = max(0.0, h[j] - h[i] + tau)
            training += [(i, d, w), (j, -d, w)]
        training += [(i, y[i] - h[i], 1.0 - w) for i in rows]
        pull, weight = np.zeros(len(y)), np.zeros(len(y))
        for i, target, row_weight in training:
            pull[i] += row_weight * target
            weight[i] += row_weight
        tree = grow_tree(X, pull, weight, n_leaves, min_leaf)
        if "left" not in tree:
            break
        for leaf in tree_leaves(tree):
            total = sum(weight[i] for i in leaf["rows"])
            leaf["value"] = sum(pull[i] for i in leaf["rows"]) / total if total > 0 else 0.0
        g = apply(tree, X)
        s = line_minimum(h, g, y, pairs, rows, w) if line_search else 1.0
        h = h + learning_rate * s * g
        h_new = h_new + learning_rate * s * apply(tree, X_new)
        stages.append(h_new.copy())
        losses.append(qbrank_risk(h, y, pairs, rows, w))
    return stages, losses


# LambdaMART -------------------------------------------------------------------------------------------------


def lambdas(h, y, qid, k, normalise=False):
    """Pull and curvature of all pairs in the current order, and 1 - NDCG@k of the queries that have pairs."""
    pull, curvature, missing = np.zeros(len(y)), np.zeros(len(y)), []
    for q in sorted(set(qid)):
        rows = [i for i in range(len(y)) if qid[i] == q]
        ideal = sorted((2.0 ** y[i] - 1.0 for i in rows), reverse=True)[:k]
        best = sum(g / math.log2(1 + j) for j, g in enumerate(ideal, 1))
        order = sorted(rows, key=lambda i: -h[i])  # stable: equal scores in file order
        discount = {i: (1.0 / math.log2(1 + j) if j <= k else 0.0) for j, i in enumerate(order, 1)}
        forces, distinct = 0.0, len({h[i] for i in rows}) > 1
        for i in rows:
            for j in rows:
                if y[i] > y[j]:
                    delta = abs((2.0 ** y[i] - 2.0 ** y[j]) * (discount[i] - discount[j])) / best
                    d = h[i] - h[j]
                    if normalise and distinct:
                        delta /= 0.01 + abs(d)
                    rho = 1.0 / (1.0 + math.exp(min(d, 700.0)))
                    pull[i] += delta * rho
                    pull[j] -= delta * rho
                    curvature[i] += delta * rho * (1.0 - rho)
                    curvature[j] += delta * rho * (1.0 - rho)
                    forces += 2.0 * delta * rho
        if normalise and forces > 0.0:
            for i in rows:
                pull[i] *= math.log2(1.0 + forces) / forces
                curvature[i] *= math.log2(1.0 + forces) / forces
        if len({y[i] for i in rows}) > 1:
            missing.append(1.0 - sum((2.0 ** y[i] - 1.0) * discount[i] for i in rows) / best)
    return pull, curvature, sum(missing) / max(1, len(missing))


def lambdamart(X, y, qid, X_new, k, n_trees, n_leaves, learning_rate, min_leaf, normalise=False):
    """Scores of X_new and the loss on X, one entry an iteration from 0."""
    h, h_new = np.zeros(len(y)), np.zeros(len(X_new))
    pull, curvature, value = lambdas(h, y, qid, k, normalise)
    stages, losses = [h_new.copy()], [value]
    for _ in range(n_trees):
        tree = grow_tree(X, pull, curvature, n_leaves, min_leaf)
        if "left" not in tree:
            break
        for leaf in tree_leaves(tree):
            total = sum(curvature[i] for i in leaf["rows"])
            step = sum(pull[i] for i in leaf["rows"]) / total if total > 0 else 0.0
            leaf["value"] = learning_rate * step
        h = h + apply(tree, X)
        h_new = h_new + apply(tree, X_new)
        pull, curvature, value = lambdas(h, y, qid, k, normalise)
        stages.append(h_new.copy())
        losses.append(value)
    return stages, losses
