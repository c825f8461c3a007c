"""One small network for every gradient model: linear, or one layer of tanh units, trained query by query."""
