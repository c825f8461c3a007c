"""Sizes that people have: a set in the shape of MSLR-WEB30K, and what each step on it takes."""
