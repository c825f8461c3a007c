"""Plain slow oracles, one file for each topic, straight from the papers: no code of the package in them."""
