"""What was read from a large file, kept on disk beside it: the next start maps it and reads no text."""
