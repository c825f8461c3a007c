"""What things look like and what they are called."""
