"""The room of the page Data."""
