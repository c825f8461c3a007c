"""What each format writes: LETOR text, and tables."""
