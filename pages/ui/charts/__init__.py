"""Charts: pure functions from a tidy DataFrame to a plotly figure, one family to a file."""
