"""Networks trained by gradient."""
