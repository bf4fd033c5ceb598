"""Writes figures as files: drawings for papers and slides, and their data. No browser is needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final

from evalfw.report.figures.figure import Figure
from evalfw.report.figures.style import PAPER_SCALE, STYLES
from evalfw.report.texts import as_csv

_SIZE = re.compile(r'\b(width|height)="([0-9.]+)"')


def write(figure: Figure, folder: Path, formats: Collection[str], style: str) -> list[Path]:
    """Write a figure in some formats, and its rows as CSV.

    In the style `paper` a figure is two thirds as large as on screen; PNG files have 300 pixels an inch there, and
    in other styles two for each pixel on screen.

    Args:
        figure: The figure.
        folder: Where to; it has to be there.
        formats: Some of `FORMATS`.
        style: One of `STYLES`.

    Returns:
        The files written.
    """
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(dict(figure.spec), config=dict(STYLES[style]), allowed_base_urls=[])
    written = []
    for kind in formats:
        written.append(folder / f"{figure.name}.{kind}")
        written[-1].write_bytes(_CONVERTED[kind](drawn, style == "paper"))
    written.append(folder / f"{figure.name}.csv")
    written[-1].write_text(as_csv(figure.rows), encoding="utf-8")
    return written


def _svg(drawn: str, paper: bool) -> bytes:
    return (_sized(drawn, PAPER_SCALE, "pt") if paper else drawn).encode()


def _pdf(drawn: str, paper: bool) -> bytes:
    import vl_convert

    return vl_convert.svg_to_pdf(_sized(drawn, PAPER_SCALE) if paper else drawn)


def _png(drawn: str, paper: bool) -> bytes:
    import vl_convert

    return vl_convert.svg_to_png(_sized(drawn, PAPER_SCALE) if paper else drawn, ppi=300 if paper else 144)


def _sized(drawn: str, scale: float, unit: str = "") -> str:
    """An SVG image in another size. For what makes PDF and PNG of it, a length without a unit is one in points."""
    head, tag, rest = drawn.partition(">")
    return _SIZE.sub(lambda size: f'{size[1]}="{float(size[2]) * scale:g}{unit}"', head) + tag + rest


_CONVERTED: Final[Mapping[str, Callable[[str, bool], bytes]]] = {"pdf": _pdf, "svg": _svg, "png": _png}

FORMATS: Final = tuple(_CONVERTED)
"""Of drawings, by name as on the command line."""
