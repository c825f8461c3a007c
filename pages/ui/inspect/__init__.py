"""The room of the page Inspect."""
