"""Boosters of regression trees."""
