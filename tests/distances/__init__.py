"""Tests of the distances and losses."""
