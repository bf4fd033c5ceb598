"""Bundled metrics, one module each, named as in an experiment file."""
