"""Every oracle under one name: ``from tests import naive; ref = naive.f(…)``."""

from tests.oracles.binning import *  # noqa: F403
from tests.oracles.data import *  # noqa: F403
from tests.oracles.datasets import *  # noqa: F403
from tests.oracles.gradient import *  # noqa: F403
from tests.oracles.linear import *  # noqa: F403
from tests.oracles.listwise import *  # noqa: F403
from tests.oracles.measures import *  # noqa: F403
from tests.oracles.pairwise import *  # noqa: F403
from tests.oracles.steps import *  # noqa: F403
from tests.oracles.trees import *  # noqa: F403
from tests.oracles.verdicts import *  # noqa: F403
