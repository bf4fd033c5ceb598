"""One step of the game of life."""
