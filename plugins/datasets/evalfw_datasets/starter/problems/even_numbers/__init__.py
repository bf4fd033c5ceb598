"""Even numbers."""
