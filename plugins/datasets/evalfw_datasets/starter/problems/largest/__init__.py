"""Largest number."""
