"""Palindrome."""
