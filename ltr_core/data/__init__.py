"""Data: reading, checking, splitting and writing sets of queries."""

from .ranking_data import RankingData

__all__ = ["RankingData"]
