"""What the matrix and the museum tell of tables is what these are declared to keep and to break."""

from fencepost.model.matrix import CELLS
from fencepost.model.matrix.cell import Cell
from fencepost.model.matrix.cell import Finding as Answer
from fencepost.model.museum import MUSEUM
from fencepost.model.registry import find


def test_a_cell_says_what_the_tables_are_declared_to_do() -> None:
    """A cell with a trace is of a property that its own tables are declared to break, one without of one that they
    keep."""

    def agrees(cell: Cell) -> bool:
        name = cell.protocol or cell.design
        family = find(name)
        tables = family.bounds[cell.bound] if cell.bound else family.whole
        is_broken = getattr(tables.property(cell.claim), "expected", "holds") == "violated"
        # A variant may show a violation of what the tables without the edit keep.
        return is_broken == (cell.finding is Answer.VIOLATED) or ("+" in name and not is_broken)

    assert [(one.guarantee, one.design) for one in CELLS if one.claim and not agrees(one)] == []


def test_a_repaired_defect_is_declared_of_the_tables_that_have_it() -> None:
    """Where a museum entry repairs its base, the base is declared to break what the entry keeps, if it claims that."""
    for entry in (one for one in MUSEUM if one.repairs):
        base = find(entry.base).whole
        if entry.grounded(base).hash != base.hash:
            continue  # it repairs another variant, not the tables
        claims = {p.id: p for p in base.properties}
        added = {p.id for p in entry.claims}
        for expected in entry.expected:
            if expected.property in claims and expected.property not in added:
                assert getattr(claims[expected.property], "expected", "holds") == "violated", entry.name
