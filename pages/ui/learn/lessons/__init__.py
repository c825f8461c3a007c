"""The lessons: what each asks, how its numbers come about, and its pictures."""
