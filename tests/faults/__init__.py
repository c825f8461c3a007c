"""What may go wrong around the program: killed, crowded, a full disk, a clock set back, read-only folders."""
