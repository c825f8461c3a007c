"""What several algorithms train with: binning, stumps, trees, boosting, linear models, networks."""
