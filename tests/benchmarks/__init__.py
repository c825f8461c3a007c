"""Timings beside the peers: every bench_*.py here is what `make bench` runs."""
