"""The pairwise stump boosters' one engine: pairs, their weights, and the search for the best stump."""
