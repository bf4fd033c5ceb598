"""Sums of the levels of a tree."""
