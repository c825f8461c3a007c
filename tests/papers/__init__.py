"""Tests of the papers' exhibits."""
