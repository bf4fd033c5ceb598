"""A plugin built for an evalfw of the past."""

from evalfw import Metric, NoOptions


class Outdated(Metric[NoOptions]):
    """A metric of old."""
