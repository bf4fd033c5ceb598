"""Runs case folders of `case.json` files through the public API of evalfw."""
