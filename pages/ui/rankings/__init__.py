"""The room of the page Rankings."""
