"""Tests of the project itself."""
