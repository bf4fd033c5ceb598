"""Partners of brackets."""
