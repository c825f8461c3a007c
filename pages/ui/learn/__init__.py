"""The course: eleven short lessons, each one idea, one task, one sentence to take away."""
