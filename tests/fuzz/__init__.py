"""Mutated input for every reader, beside slow readers that share no code with the package: `make fuzz`."""
