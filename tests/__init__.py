"""The suite: it mirrors the package, one test file for each module."""
