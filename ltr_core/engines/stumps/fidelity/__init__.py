"""FRank's pairs, weighed query by query, and the search for the stump of least exact loss."""
