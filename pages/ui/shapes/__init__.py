"""The room of the page Shapes."""
