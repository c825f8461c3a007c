"""Features cut into bins."""
