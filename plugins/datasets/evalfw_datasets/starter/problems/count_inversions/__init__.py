"""Inversions of a list."""
