"""Numbers in order."""
