"""Runs as plain data, their trainings, their store."""
