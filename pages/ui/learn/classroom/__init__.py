"""A class in the server's memory: who is in it, what they have finished, what they predict."""
