"""Processes that work for the server, and the folder for what lies on disk meanwhile."""
