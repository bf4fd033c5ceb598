"""The problems, one folder each."""
