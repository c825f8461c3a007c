"""The room of the page History."""
