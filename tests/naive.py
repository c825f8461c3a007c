"""Every oracle under one name: ``from tests import naive; ref = naive.f(…)``."""

from tests.oracles.binning import *  # noqa: F403
