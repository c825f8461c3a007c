"""How it is done: the fits that are missing, handed out to threads, processes or a cluster, and taken in."""
