"""Primes up to a limit."""
