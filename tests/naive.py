"""The oracles: slow plain Python straight from the papers, sharing no code with the package."""

from .oracles.binning import bin_of, bin_thresholds, quantile_thresholds  # noqa: F401
