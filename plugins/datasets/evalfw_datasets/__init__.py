"""Bundled datasets, one module each, named as in an experiment file."""
