"""Pairwise boosters of stumps."""
