"""How figures look: on screen in light and dark, and on paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# Okabe and Ito's colours for all kinds of colour vision (https://jfly.uni-koeln.de/color/), those first that have
# enough contrast on white; on dark ground they are made lighter.
_ON_WHITE: Final = ("#0072b2", "#d55e00", "#007a5a", "#b3508a", "#8f6a00", "#2b6e99", "#555555", "#a33f00")
_ON_DARK: Final = ("#56b4e9", "#e69f00", "#2fc49a", "#e08cbb", "#f0e442", "#8fc7ef", "#bbbbbb", "#ff9256")

_SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

# The one family that vl-convert brings along. Where a family is not installed, a file has other letters than elsewhere,
# and with a serif family of a machine that has none, no letters at all.
_ALWAYS = "Liberation Sans, Arial, Helvetica, sans-serif"


_SCHEME = {"scheme": "viridis"}


def _config(ink: str, muted: str, grid: str, colours: tuple[str, ...], font: str, size: int) -> Mapping[str, Any]:
    text = {"labelColor": muted, "titleColor": ink, "labelFontSize": size, "titleFontSize": size}
    return {
        "background": "transparent",
        "font": font,
        "range": {
            "category": list(colours),
            "heatmap": _SCHEME,
            "ramp": _SCHEME,
            "ordinal": _SCHEME,
            "diverging": {"scheme": "blueorange"},
        },
        "axis": {**text, "gridColor": grid, "domainColor": muted, "tickColor": muted, "titleFontWeight": "normal"},
        "legend": {**text, "titleFontWeight": "normal"},
        "header": text,
        "title": {"color": ink, "subtitleColor": muted, "fontSize": size + 1, "anchor": "start"},
        "view": {"stroke": None},
        "mark": {"color": colours[0], "tooltip": True},
        "rule": {"color": muted},
        "text": {"color": ink, "fontSize": size},
        "line": {"strokeWidth": 2},
        "point": {"size": 60, "filled": True},
    }


LIGHT: Final = _config("#1b1b1f", "#55555e", "#e3e3e8", _ON_WHITE, _SANS, 12)
DARK: Final = _config("#ececf1", "#b0b0ba", "#3a3a42", _ON_DARK, _SANS, 12)

PAPER: Final = {**_config("#000000", "#333333", "#e0e0e0", _ON_WHITE, _ALWAYS, 12), "background": "white"}
"""For a paper, where figures stand at two thirds of their size on screen: 12 pixels become 8 points."""

PAPER_SCALE: Final = 2 / 3
"""Points of a paper for a pixel on screen: a figure of 360 pixels fits a column of 241 points, one of 759 a page."""

STYLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "paper": PAPER,
    "light": {**LIGHT, "font": _ALWAYS, "background": "white"},
    "dark": {**DARK, "font": _ALWAYS, "background": "#17171b"},
}
"""Of files, by name as on the command line: they look the same whatever is installed, and wherever they are put."""
