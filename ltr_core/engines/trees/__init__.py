"""Regression trees on binned features: one engine for every algorithm that boosts trees."""

from .balance import Balance
from .explain import contributions, expected
from .forest import Forest, add_binned
from .grower import TreeGrower
from .packing import WholeWeights, whole_weights
from .space import GrowingSpace
from .text import forest_frame, tree_dot, tree_text
from .tree import Tree

__all__ = [
    "Balance",
    "Forest",
    "GrowingSpace",
    "Tree",
    "TreeGrower",
    "WholeWeights",
    "add_binned",
    "contributions",
    "expected",
    "forest_frame",
    "tree_dot",
    "tree_text",
    "whole_weights",
]
