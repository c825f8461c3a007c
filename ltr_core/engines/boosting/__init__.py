"""The general boosting method: a risk is all that an algorithm has to give."""

from .risk import Risk
from .trainer import BoostingTrainer
from .tree_ranker import TreeRanker, tree_params

__all__ = ["BoostingTrainer", "Risk", "TreeRanker", "tree_params"]
