"""Sums over the pairs of long queries with many grades, without going through them."""
