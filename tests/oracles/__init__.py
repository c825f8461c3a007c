"""Plain slow oracles, one file for each topic, straight from the papers; they share no code with the package."""
