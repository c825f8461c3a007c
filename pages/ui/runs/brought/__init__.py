"""Runs that nobody trained here: rankings that were brought along as files."""
