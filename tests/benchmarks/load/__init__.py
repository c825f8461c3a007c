"""People at their browsers, many at once: what `load_sessions` opens and measures."""
