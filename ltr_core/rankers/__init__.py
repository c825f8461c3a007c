"""What every ranker shares: the base class, its arguments, the round loop, the model file.

`Ranker` is the base of every algorithm and `Trainer` what an algorithm hands to the round loop; `State` is a
model file's state, which checks what it gives. The arguments of `fit` and the loop itself are the room's own.
"""

from . import model_file
from .base import EARLY_STOPPING, RANDOM_STATE, Ranker
from .effort import Effort
from .model_file import State
from .training import Follower, RoundInfo, Trainer

__all__ = ["EARLY_STOPPING", "RANDOM_STATE"]
__all__ += ["Effort", "Follower", "Ranker", "RoundInfo", "State", "Trainer", "model_file"]
