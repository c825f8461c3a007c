"""The room of the page Compare."""
