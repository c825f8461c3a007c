"""Growing one tree, best leaf first, a split at a time.

`TreeGrower` grows it in a `GrowingSpace`; `split_next` makes one split, so that a test or a page can watch.
Python handles nodes, kernels handle rows and bins.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import stopping
from .balance import Balance
from .moving import join_leaves
from .packing import Packing, pack
from .partition import _number_rows, add_leaves, gather_packed, move_rows, split_rows, sum_leaves
from .space import GrowingSpace, HandedOn, Leaf
from .splitting import Node, choose_best, split_node, split_siblings
from .tree import Tree

_ALL_ROWS = np.empty(0, np.uint32)


class TreeGrower:
    """One tree being grown.

    Parameters
    ----------
    space : GrowingSpace
        Shared buffers; a grower owns them until the next one starts.
    pull : float64 array
        For each document its weight times the target: the slope that the tree is to follow.
    weight : float64 array, optional
        Weights of the documents, not negative; needed when the space is weighted and has none.
    min_leaf : int
        The fewest documents of a leaf.
    balance, output
        The outputs whose pulls add up to 0 with these, and which of them this is.
    """

    def __init__(
        self,
        space: GrowingSpace,
        pull: np.ndarray,
        weight: np.ndarray | None = None,
        min_leaf: int = 1,
        balance: Balance | None = None,
        output: int = 0,
    ) -> None:
        self.space, self.min_leaf = space, max(1, min_leaf)
        lightest, heaviest = (1, 1) if space.whole is None else space.whole.ends
        self._surely = (max(1, self.min_leaf * lightest), self.min_leaf * heaviest)
        n_docs = len(pull)
        self._feature, self._bin, self._gain = [-1], [-1], [0.0]
        self._left, self._right, self._n_docs = [-1], [-1], [n_docs]
        known = self._pack(pull, weight) if balance is None else self._pack_in(balance, output)
        _number_rows(space.rows)
        root = Leaf(0, 0, n_docs, 0)
        self.leaves = [root]
        if space.n_leaves > 1 and self._splittable(root):
            self._search(root, _ALL_ROWS, space.packed[:0] if known else space.packed)
            if balance is not None:
                balance.note(output, space.histograms[0])

    def split_next(self) -> bool:
        """Split the leaf that gains most; False when the tree is as large as it may be or nothing gains."""
        stopping.look()
        place = choose_best(np.array([leaf.gain for leaf in self.leaves]))
        parent = self.leaves[place]
        if len(self.leaves) >= self.space.n_leaves or parent.gain <= 0.0:
            return False
        space = self.space
        node_rows = space.rows[parent.start : parent.stop]
        n_left = split_rows(space.bins[parent.feature], parent.split_bin, space.spare, node_rows)
        middle = parent.start + n_left
        node = self._record(parent, n_left)
        left = Leaf(node, parent.start, middle, parent.slot)
        right = Leaf(node + 1, middle, parent.stop, parent.slot)
        self.leaves[place] = left
        self.leaves.append(right)
        if len(self.leaves) < space.n_leaves and (self._splittable(left) or self._splittable(right)):
            self._search_siblings(*_by_size(left, right))
        return True

    def grow(self) -> TreeGrower:
        """Split until nothing more is allowed or gains."""
        while self.split_next():
            pass
        return self

    def leaf_sums(self, pull: np.ndarray, curvature: np.ndarray | None) -> np.ndarray:
        """Return for each leaf the float64 sums of its pulls and its curvatures (its size without them)."""
        return sum_leaves(self.space.rows, _ends(self.leaves), pull, curvature)

    def in_order(self, sums: np.ndarray, values_of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Return the leaves' values, brought in between bounds so that the tree follows the features' signs.

        `sums` are the leaves', and `values_of` makes values of sums. At a split on a feature with a sign
        everything on one side has the mean of both sides' values as its upper bound, and everything on the
        other has it as its lower one; bounds are handed down, a side's own value brought between them first.
        Where the two stand against the sign, as they may when leaves weigh documents otherwise than the
        search did, both become their mean.
        """
        leaves = [leaf.node for leaf in self.leaves]
        every = np.zeros((len(self._feature), sums.shape[1]))
        every[leaves] = sums
        for node in range(len(every) - 1, -1, -1):  # children come after their parent
            if self._feature[node] >= 0:
                every[node] = every[self._left[node]] + every[self._right[node]]
        values = values_of(every)
        low, high = np.full(len(values), -np.inf), np.full(len(values), np.inf)
        for node, feature in enumerate(self._feature):
            values[node] = min(max(values[node], low[node]), high[node])
            if feature >= 0:
                children = self._left[node], self._right[node]
                for child in children:
                    low[child], high[child] = low[node], high[node]
                if sign := self.space.signs[feature]:
                    middle = 0.5 * sum(min(max(values[child], low[node]), high[node]) for child in children)
                    worse, better = children if sign > 0 else children[::-1]
                    high[worse] = low[better] = middle
        return values[leaves]

    def add_to(self, values: np.ndarray, out: np.ndarray) -> None:
        """Add the leaves' values to the scores of the training documents: slices, no traversal."""
        add_leaves(self.space.rows, _ends(self.leaves), values, out)

    def hand_on(self, values: np.ndarray) -> None:
        """Let the next tree of the space go on from this one: each pull has fallen by its leaf's value.

        That tree is then grown from what this one leaves, to rounding that `Packing.bears`, and not from the
        pulls it is given. Where that is not allowed, or not worth it, this does nothing.
        """
        if self.space.hands_on and len(self.leaves) > 1 and self._packing.bears(1):
            steps = self._packing.steps(values)
            self.space.before = None if steps is None else HandedOn(self.leaves, self._packing, steps)

    def tree(self, values: np.ndarray) -> Tree:
        """Return the tree, with these values for the leaves in the order of `leaves`."""
        pairs = zip(self._feature, self._bin, strict=True)
        cuts = [float(self.space.thresholds[k][b]) if k >= 0 else 0.0 for k, b in pairs]
        columns = (self._feature, cuts, self._bin, self._left, self._right)
        feature, threshold, split_bin, left, right = map(np.array, columns)
        gain, n_docs = np.array(self._gain) * self._packing.gain_unit, np.array(self._n_docs)
        bare = Tree(feature, threshold, split_bin, left, right, np.zeros(len(feature)), gain, n_docs)
        return bare.with_leaf_values(np.array([leaf.node for leaf in self.leaves]), values)

    # Inside -----------------------------------------------------------------------------------------------

    def _pack(self, pull: np.ndarray, weight: np.ndarray | None) -> bool:
        """Bring the pulls into fixed point; return whether the root's histogram is there too."""
        before, self.space.before = self.space.before, None
        moved = before and self._go_on(before)
        whole = self.space.whole
        self._packing = moved or pack(pull, weight if whole is None else None, self.space.packed, whole=whole)
        return moved is not None

    def _pack_in(self, balance: Balance, output: int) -> bool:
        """Do the same for one of several outputs."""
        self._packing = balance.pack(output, self.space.packed)
        if known := balance.knows(output):
            balance.fill(self._packing.shift, self.space.histograms[0])
        return known

    def _splittable(self, leaf: Leaf) -> bool:
        return leaf.stop - leaf.start >= 2 * self.min_leaf

    def _record(self, parent: Leaf, n_left: int) -> int:
        """Write down a split and return the left child's node; the right one's is the next."""
        node = len(self._feature)
        self._feature[parent.node], self._bin[parent.node] = parent.feature, parent.split_bin
        self._gain[parent.node] = parent.gain
        self._left[parent.node], self._right[parent.node] = node, node + 1
        for n_docs in (n_left, parent.stop - parent.start - n_left):
            self._feature.append(-1)
            self._bin.append(-1)
            self._gain.append(0.0)
            self._left.append(-1)
            self._right.append(-1)
            self._n_docs.append(n_docs)
        return node

    def _search(self, leaf: Leaf, rows: np.ndarray, packed: np.ndarray) -> None:
        """Make a leaf's histograms from its rows and find its best split."""
        space = self.space
        histogram = space.histograms[leaf.slot : leaf.slot + 1] if space.keeps else space.histograms
        node = Node(rows, packed, _ALL_ROWS, self._packing.shift, self.min_leaf, self._surely)
        out = (histogram, space.gains[0], space.best[0])
        split_node(space.table, node, space.keeps, out)
        self._note_best(leaf, 0)

    def _search_siblings(self, small: Leaf, large: Leaf) -> None:
        """Find the best splits of two new leaves, scanning the documents of the smaller one only."""
        wanted = self._splittable(small), self._splittable(large)
        if self.space.keeps:
            self._part(small, large, len(self.leaves) - 1, wanted)
        for i, leaf in enumerate((small, large)):
            if wanted[i] and self.space.keeps:
                self._note_best(leaf, i)
            elif wanted[i]:
                self._search(leaf, *self._gather(leaf))

    def _part(self, small: Leaf, large: Leaf, slot: int, wanted: tuple[bool, bool]) -> None:
        """Give the smaller of two leaves a histogram, leave it out of the other's; scan those wanted."""
        space, small.slot = self.space, slot
        others = space.rows[large.start : large.stop]
        node = Node(*self._gather(small), others, self._packing.shift, self.min_leaf, self._surely)
        out = (space.histograms[slot], space.histograms[large.slot], space.gains, space.best)
        split_siblings(space.table, node, wanted, out)

    def _go_on(self, before: HandedOn) -> Packing | None:
        """Bring pulls and the root's histogram to where they stand after a tree, if they stay precise."""
        space, shift, held = self.space, before.packing.shift, dict[int, Leaf]()
        self._packing = before.packing
        free = sorted(set(range(len(space.histograms))) - {leaf.slot for leaf in before.leaves})
        for leaf in before.leaves:
            other = held.setdefault(leaf.slot, leaf)
            if other is not leaf:  # nobody searched these two: they have their parent's histogram
                self._part(*_by_size(other, leaf), free.pop(), (False, False))
        size = move_rows(space.rows, _ends(before.leaves), before.steps, shift, space.packed)
        moved = before.packing.moved(size)
        if not moved.bears(0):
            return None
        slots = np.array([leaf.slot for leaf in before.leaves])
        join_leaves(space.table, slots, before.steps, shift, space.histograms)
        return moved

    def _gather(self, leaf: Leaf) -> tuple[np.ndarray, np.ndarray]:
        """Bring a leaf's packed numbers into node order; return its rows and the numbers."""
        rows = self.space.rows[leaf.start : leaf.stop]
        packed = self.space.gathered[: len(rows)]
        gather_packed(self.space.packed, rows, packed)
        return rows, packed

    def _note_best(self, leaf: Leaf, row: int) -> None:
        leaf.feature = choose_best(self.space.gains[row])
        leaf.gain = float(self.space.gains[row, leaf.feature])
        leaf.split_bin = int(self.space.best[row, leaf.feature])


def _ends(leaves: list[Leaf]) -> np.ndarray:
    """Return where each leaf's slice starts and stops, leaf by leaf."""
    return np.array([(leaf.start, leaf.stop) for leaf in leaves])


def _by_size(left: Leaf, right: Leaf) -> tuple[Leaf, Leaf]:
    """Return two leaves, the one of fewer documents first, the left one of equals."""
    return (left, right) if left.stop - left.start <= right.stop - right.start else (right, left)
