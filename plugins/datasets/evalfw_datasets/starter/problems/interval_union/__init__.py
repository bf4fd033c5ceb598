"""Length of a union of intervals."""
