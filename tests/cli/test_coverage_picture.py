"""The picture of the rows that a log exercised."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from fencepost.checkers.cli.coverage_picture import SHADES, picture
from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.conformance.explain.coverage import Coverage, coverage
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import read_log

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def rolling(recorded: Path) -> Coverage:
    """The coverage of a recorded log that conforms."""
    return coverage(Monitor(KRAFT, Options(PASSED_THROUGH)), read_log(recorded / "rolling-restart"))


def test_the_picture_has_a_cell_for_every_row(rolling: Coverage) -> None:
    """The picture is XML with a block a table and a cell a row, labelled with its id and its counts."""
    root = ElementTree.fromstring(picture(rolling))
    assert root.tag == f"{SVG}svg"
    blocks = {group.get("data-table"): group for group in root.iter(f"{SVG}g") if group.get("data-table")}
    assert list(blocks) == [table.name for table in KRAFT.tables]
    for table in rolling.tables:
        cells = [cell for cell in blocks[table.table] if cell.get("data-row")]
        assert [cell.get("data-row") for cell in cells] == [row.row for row in table.rows]
        for cell, row in zip(cells, table.rows, strict=True):
            label, counts = (text.text for text in cell.iter(f"{SVG}text"))
            assert label == row.row
            assert cell.get("data-seen") == row.seen
            assert counts is not None
            assert int(counts.replace("–", "0").split(" + ")[0]) == (row.certain or row.ambiguous)


def test_cells_are_shaded_by_count_and_lie_apart(rolling: Coverage) -> None:
    """More results are never paler, the two kinds have shades of their own, and no two cells overlap."""
    root = ElementTree.fromstring(picture(rolling))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    counts = {row.row: row for row in rolling.rows}
    shades: dict[str, list[tuple[int, int]]] = {"certain": [], "ambiguous": []}
    boxes: list[tuple[float, float, float, float]] = []
    for cell in root.iter(f"{SVG}g"):
        if not cell.get("data-row"):
            continue
        (box,) = cell.iter(f"{SVG}rect")
        left, top = float(box.get("x", 0)), float(box.get("y", 0))
        boxes.append((left, top, left + float(box.get("width", 0)), top + float(box.get("height", 0))))
        row, fill = counts[str(cell.get("data-row"))], str(box.get("fill"))
        if row.seen in shades:
            shades[row.seen].append((row.certain or row.ambiguous, SHADES[row.seen].index(fill)))
    for seen in shades.values():
        assert seen
        steps = [step for _, step in sorted(seen)]
        assert steps == sorted(steps)
    assert len({step for _, step in shades["certain"]}) > 2
    assert all(a >= 0 and b >= 0 and c <= width and d <= height for a, b, c, d in boxes)
    for at, (a, b, c, d) in enumerate(boxes):
        assert not any(a < g and e < c and b < h and f < d for e, f, g, h in boxes[at + 1 :])
