"""Drawings of results, each with the rows it is drawn from."""
