"""Words by frequency."""
