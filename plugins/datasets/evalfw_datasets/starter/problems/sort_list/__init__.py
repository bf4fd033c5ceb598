"""Sort a linked list."""
