"""The models that come with evalfw."""
