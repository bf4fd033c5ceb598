"""Vowels."""
