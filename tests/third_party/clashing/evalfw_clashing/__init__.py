"""A plugin whose name is taken."""

from evalfw import Metric, NoOptions


class Dmpd(Metric[NoOptions]):
    """Another metric of the same name."""
