"""A set of queries: grouped rows, cut by query, described."""
