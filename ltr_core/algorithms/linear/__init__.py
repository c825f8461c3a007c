"""Linear models."""
