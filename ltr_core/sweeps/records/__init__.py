"""What came of it: the finished fits, in a file if wanted, the tables made of them, what these say."""
