"""What every ranker shares: the base class, its arguments, the round loop, the model file."""
