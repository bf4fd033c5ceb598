"""List backwards."""
