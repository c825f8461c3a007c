"""The README's pictures, and the command that takes them from the running app."""
