"""What a feature draws with: panels, forms, pieces of HTML, the player."""
