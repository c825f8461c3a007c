"""Models and systems against data: values per query, differences, significance."""
