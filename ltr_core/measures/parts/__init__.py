"""What measures are made of: the base class, gains and discounts, orders, pairs."""
