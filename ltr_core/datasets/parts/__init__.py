"""What data sets are made of: the entry itself, hidden factors, the tiny web with its words and features."""
