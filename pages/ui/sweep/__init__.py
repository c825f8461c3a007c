"""The room of the page Sweep."""
