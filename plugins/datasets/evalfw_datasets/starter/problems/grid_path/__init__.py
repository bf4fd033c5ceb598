"""Shortest way through a grid."""
