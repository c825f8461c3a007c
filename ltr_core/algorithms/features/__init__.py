"""Weak rankers that are a feature each."""
