"""A plugin whose entry point has a typing error."""


class Present:
    """No metric either."""
