"""The room of the page Papers."""
