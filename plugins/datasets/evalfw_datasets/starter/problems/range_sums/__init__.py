"""Sums of ranges."""
