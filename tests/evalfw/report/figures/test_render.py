"""Figures as files: what they are, and how large."""

from __future__ import annotations

import csv
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import altair as alt
import pytest

from evalfw.report.figures.catalogue import figures
from evalfw.report.figures.figure import Figure
from evalfw.report.figures.forest import ablation_forest
from evalfw.report.figures.render import FORMATS, write
from evalfw.report.figures.style import STYLES
from evalfw.report.runs import Run
from tests.evalfw.report.figures.tables import everything, settings

HOSTILE = ["</script><script>alert(1)</script>", "a & b <i>", "模型 é \"'\\", "x" * 300]

# Width and height on screen. They depend on no machine, since the letters come with vl-convert.
SIZES = {
    "pass-against-mis": (338, 299),
    "mis-by-model": (298, 164),
    "mis-by-temperature": (354, 387),
    "mis-by-size": (356, 387),
    "dmpd-against-npd": (341, 284),
    "association": (331, 178),
    "similarity": (135, 200),
    "ablation": (236, 101),
}


def drawn(run: Run) -> list[Figure]:
    return [figure for group in figures([run]) for figure in group.figures]


@pytest.fixture(scope="module")
def all_figures() -> dict[str, Figure]:
    """Each kind of figure once."""
    found = [*drawn(everything(["m"])), *ablation_forest([settings()])]
    return {figure.name: figure for figure in found if isinstance(figure, Figure)}


def svg_size(path: Path) -> tuple[float, float]:
    root = ElementTree.parse(path).getroot()
    return float(root.attrib["width"].removesuffix("pt")), float(root.attrib["height"].removesuffix("pt"))


def png_size(path: Path) -> tuple[int, int]:
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", content[16:24])
    return int(width), int(height)


def pdf_size(path: Path) -> tuple[float, float]:
    content = path.read_bytes()
    assert content.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == 1
    (box,) = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", content)
    left, bottom, right, top = map(float, box.split())
    return right - left, top - bottom


def test_every_figure_has_its_size(all_figures: dict[str, Figure], tmp_path: Path) -> None:
    found = {}
    for figure in all_figures.values():
        write(figure, tmp_path, ["svg"], "light")
        found[figure.name] = svg_size(tmp_path / f"{figure.name}.svg")
    assert found == SIZES
    assert max(width for width, _ in found.values()) <= 361.5  # a column of a paper, at two thirds


def test_on_paper_a_figure_is_two_thirds_as_large_in_every_format(
    all_figures: dict[str, Figure], tmp_path: Path
) -> None:
    figure = all_figures["mis-by-model"]
    width, height = SIZES[figure.name]
    written = write(figure, tmp_path, FORMATS, "paper")
    assert [path.name for path in written] == [f"mis-by-model.{kind}" for kind in ("pdf", "svg", "png", "csv")]
    expected = pytest.approx((width * 2 / 3, height * 2 / 3), abs=0.01)
    assert svg_size(tmp_path / "mis-by-model.svg") == expected
    assert pdf_size(tmp_path / "mis-by-model.pdf") == expected
    pixels = pytest.approx((width * 2 / 3 / 72 * 300, height * 2 / 3 / 72 * 300), abs=1)
    assert png_size(tmp_path / "mis-by-model.png") == pixels


def test_on_screen_a_png_has_two_pixels_for_one(all_figures: dict[str, Figure], tmp_path: Path) -> None:
    figure = all_figures["mis-by-model"]
    write(figure, tmp_path, ["png"], "dark")
    assert png_size(tmp_path / "mis-by-model.png") == tuple(2 * side for side in SIZES[figure.name])


def test_the_rows_are_the_csv_file(all_figures: dict[str, Figure], tmp_path: Path) -> None:
    figure = all_figures["mis-by-temperature"]
    write(figure, tmp_path, [], "paper")
    with (tmp_path / "mis-by-temperature.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert read == [{name: "" if value is None else str(value) for name, value in row.items()} for row in figure.rows]


def test_every_specification_is_valid_and_says_nothing_of_colours(all_figures: dict[str, Figure]) -> None:
    for figure in all_figures.values():
        # Without its rows, which are most of it and could be anything.
        alt.Chart.from_dict({key: value for key, value in figure.spec.items() if key != "datasets"}, validate=True)
        assert "config" not in figure.spec
        assert figure.description and figure.caption and figure.title


@pytest.mark.parametrize("style", STYLES)
def test_files_are_set_in_the_family_that_is_always_there(
    style: str, all_figures: dict[str, Figure], tmp_path: Path
) -> None:
    write(all_figures["ablation"], tmp_path, ["pdf", "svg"], style)
    fonts = re.findall(rb"/BaseFont\s*/(\S+)", (tmp_path / "ablation.pdf").read_bytes())
    assert fonts
    assert all(b"LiberationSans" in font for font in fonts)
    assert set(re.findall(r'font-family="([^",]*)', (tmp_path / "ablation.svg").read_text())) == {"Liberation Sans"}


def test_hostile_names_are_only_text(tmp_path: Path) -> None:
    found = drawn(everything(HOSTILE))
    names = [figure.name for figure in found]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9.-]{1,120}", name) for name in names)
    # The first of each kind: the others differ in the model only.
    kinds = {re.sub(r"-(script|a-b|x{9}|[0-9a-f]{8}).*", "", figure.name): figure for figure in reversed(found)}
    for figure in kinds.values():
        write(figure, tmp_path, ["svg"], "paper")
        root = ElementTree.parse(tmp_path / f"{figure.name}.svg").getroot()
        assert not [element for element in root.iter() if element.tag.endswith(("script", "foreignObject"))]
        assert svg_size(tmp_path / f"{figure.name}.svg")[0] <= 250
