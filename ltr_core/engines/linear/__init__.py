"""Linear models of standardised features, fitted to pairs of documents without writing the pairs down."""
