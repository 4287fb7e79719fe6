"""The coverage of a log as a picture: an SVG with a block for every table and a cell for every row."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from fencepost.checkers.unexplained import UNEXPLAINED

if TYPE_CHECKING:
    from fencepost.checkers.conformance.explain.coverage import Coverage, RowCoverage, Seen, TableCoverage

COLUMNS = 14
"""Cells in a line of a block."""

CELL, HEIGHT, GAP, MARGIN = 64, 40, 4, 32
HEADER, TITLE, LEGEND, BETWEEN = 104, 28, 56, 14
WIDTH = 2 * MARGIN + COLUMNS * (CELL + GAP) - GAP

INK, PALE, PAPER = "#1f2933", "#667380", "#ffffff"
SHADES = {
    "certain": ("#c9e4d6", "#94ccb0", "#5aad88", "#2b8763", "#125c42"),
    "ambiguous": ("#fce9bd", "#f8d585", "#efbb4c", "#d99a20", "#b0760b"),
}
"""From few to many; a step is a factor of about four."""

STEPS = (1, 4, 16, 64, 256)
"""The counts from which on the next shade is taken."""

FONT = "font-family: 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"


def picture(coverage: Coverage) -> str:
    """Return the coverage as an SVG document."""
    blocks = [table for table in coverage.tables if table.rows]
    height = HEADER + sum(_block_height(table) for table in blocks) + LEGEND + MARGIN
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": str(WIDTH),
            "height": str(height),
            "viewBox": f"0 0 {WIDTH} {height}",
            "role": "img",
            "style": FONT,
        },
    )
    ElementTree.SubElement(root, "title").text = f"Rows that explain {coverage.judged.path}"
    _box(root, 0, 0, WIDTH, height, PAPER)
    _header(root, coverage)
    top = HEADER
    for table in blocks:
        _block(root, table, top)
        top += _block_height(table)
    _legend(root, top + 8)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _header(root: ElementTree.Element, coverage: Coverage) -> None:
    rows, name = coverage.rows, "/".join(PurePath(coverage.judged.path).parts[-2:])
    shown = coverage.count("certain") + coverage.count("ambiguous")
    possible = len(rows) - coverage.count("silent")
    _text(root, MARGIN, 42, f"Rows that explain {name}", 22, INK, weight="600")
    _text(
        root,
        MARGIN,
        66,
        f"{shown} of the {possible} rows that write records are shown, {coverage.count('certain')} of them for "
        f"certain; {coverage.count('silent')} more rows write nothing and are in no log.",
        13,
        PALE,
    )
    parts = [f"{coverage.judged.records} records, {coverage.results} results"]
    parts += [f"{coverage.ambiguous_results} of them ambiguous"] if coverage.ambiguous_results else []
    parts += [f"{coverage.unexplained} records {UNEXPLAINED}"] if coverage.unexplained else []
    parts += [f"{coverage.passed_through} records passed through"] if coverage.passed_through else []
    _text(root, MARGIN, 86, ", ".join(parts) + f"; the log's verdict: {coverage.judged.verdict.value}.", 13, PALE)


def _block_height(table: TableCoverage) -> int:
    return TITLE + math.ceil(len(table.rows) / COLUMNS) * (HEIGHT + GAP) + BETWEEN


def _block(root: ElementTree.Element, table: TableCoverage, top: int) -> None:
    group = ElementTree.SubElement(root, "g", {"data-table": table.table})
    possible = len(table.rows) - table.count("silent")
    shown = table.count("certain") + table.count("ambiguous")
    _text(group, MARGIN, top + 18, table.table, 14, INK, weight="600")
    told = f"{shown} of {possible} shown" if possible else "no row writes a record"
    _text(group, WIDTH - MARGIN, top + 18, told, 12, PALE, anchor="end")
    for at, row in enumerate(table.rows):
        left = MARGIN + at % COLUMNS * (CELL + GAP)
        _cell(group, row, left, top + TITLE + at // COLUMNS * (HEIGHT + GAP))


def _cell(group: ElementTree.Element, row: RowCoverage, left: int, top: int) -> None:
    cell = ElementTree.SubElement(group, "g", {"data-row": row.row, "data-seen": row.seen})
    about = f"{row.row} ({row.event}): {row.certain} for certain, {row.ambiguous} as one of several"
    ElementTree.SubElement(cell, "title").text = about if row.writes else f"{row.row} ({row.event}): writes no record"
    fill, ink = colours(row.seen, row.certain or row.ambiguous)
    _swatch(cell, row.seen, fill, left, top, CELL, HEIGHT)
    middle = left + CELL // 2
    _text(cell, middle, top + 17, row.row, 12 if len(row.row) <= 7 else 9, ink, weight="600", anchor="middle")
    _text(cell, middle, top + 32, _counts(row), 10.5, ink, anchor="middle")


def _counts(row: RowCoverage) -> str:
    if row.certain and row.ambiguous:
        return f"{row.certain} + {row.ambiguous}"
    return str(row.certain or row.ambiguous) if row.seen in ("certain", "ambiguous") else "–"


def colours(seen: Seen, count: int) -> tuple[str, str]:
    """Return the colours of a cell and of what is written on it, by how the row is seen and how often."""
    shades = SHADES.get(seen)
    if shades is None:
        return PAPER, INK if seen == "never" else PALE
    step = max(at for at, least in enumerate(STEPS) if count >= least)
    return shades[step], PAPER if step >= 3 else INK


def _swatch(
    parent: ElementTree.Element, seen: Seen, fill: str, left: float, top: float, width: float, height: float
) -> None:
    edges = {"never": {"stroke": "#52606d"}, "silent": {"stroke": "#c5cdd5", "stroke-dasharray": "3 3"}}
    box = _box(parent, left, top, width, height, fill, {"rx": "4"})
    if seen in edges:
        # A line of one pixel is sharp where its middle lies between two of them.
        box.attrib.update({"x": str(left + 0.5), "y": str(top + 0.5), "width": str(width - 1)})
        box.attrib.update({"height": str(height - 1), **edges[seen]})


def _legend(root: ElementTree.Element, top: int) -> None:
    left: float = MARGIN
    kinds: tuple[tuple[Seen, str], ...] = (("certain", "for certain"), ("ambiguous", "only as one of several"))
    for seen, label in kinds:
        for shade in SHADES[seen]:
            _swatch(root, seen, shade, left, top, 26, 16)
            left += 28
        _text(root, left + 6, top + 13, label, 12, INK)
        left += 34 + 6.4 * len(label)
    others: tuple[tuple[Seen, str], ...] = (("never", "never"), ("silent", "writes no record"))
    for seen, label in others:
        _swatch(root, seen, PAPER, left, top, 26, 16)
        _text(root, left + 34, top + 13, label, 12, INK)
        left += 62 + 6.4 * len(label)
    steps = ", ".join(map(str, STEPS))
    note = f"Shades begin at {steps} results. A second number counts the results that other rows may have written, too."
    _text(root, MARGIN, top + 38, note, 12, PALE)


def _box(
    parent: ElementTree.Element,
    left: float,
    top: float,
    width: float,
    height: float,
    fill: str,
    more: dict[str, str] | None = None,
) -> ElementTree.Element:
    place = {"x": str(left), "y": str(top), "width": str(width), "height": str(height), "fill": fill}
    return ElementTree.SubElement(parent, "rect", {**place, **(more or {})})


def _text(
    parent: ElementTree.Element,
    left: float,
    base: float,
    text: str,
    size: float,
    fill: str,
    weight: str = "400",
    anchor: str = "start",
) -> None:
    attributes = {"x": str(left), "y": str(base), "font-size": str(size), "fill": fill, "text-anchor": anchor}
    ElementTree.SubElement(parent, "text", {**attributes, "font-weight": weight}).text = text
