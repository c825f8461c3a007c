"""Two notebooks with their outputs, and how they are run: ``python -m tests.notebooks`` runs them anew."""
