"""Every trace that a finding or the matrix has: no property that the same tables are declared to keep is broken along
it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.walks import Walker
from fencepost.checkers.verdicts import Verdict
from fencepost.model.findings import FINDINGS
from fencepost.model.findings.finding import Finding
from fencepost.model.kraft import KRAFT
from fencepost.model.language import TRUE
from fencepost.model.matrix import CELLS
from fencepost.model.matrix.cell import Cell
from fencepost.model.matrix.cell import Finding as Answer
from fencepost.model.museum import MUSEUM
from fencepost.model.registry import find


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda one: one.id)
def test_the_trace_of_a_finding_breaks_nothing_that_is_declared_to_hold(finding: Finding) -> None:
    """Today's rows have the trace, so that whatever it breaks is declared violated of them, the claim among it."""
    part = finding.faithful()
    judged = explore(part, "smallest", engine="numpy", stop_at_first=True, deadlock=False).property(finding.claim.id)
    assert judged.verdict is Verdict.VIOLATED
    assert judged.trace is not None
    assert tuple(one.row.id for one in judged.trace.steps) == finding.trace
    sizes = {**dict.fromkeys(KRAFT.sized_kinds(), 1), **part.bounds["smallest"].sizes}
    assert Walker(replace(KRAFT, start=TRUE), sizes).broken_along(judged.trace) is None


@pytest.mark.parametrize("cell", [one for one in CELLS if one.claim], ids=lambda one: f"{one.guarantee}-{one.design}")
def test_a_cell_says_what_the_tables_are_declared_to_do(cell: Cell) -> None:
    """A cell with a trace is of a property that its own tables are declared to break, one without of one that they
    keep."""
    family = find(cell.protocol or cell.design)
    tables = family.bounds[cell.bound] if cell.bound else family.whole
    expected = getattr(tables.property(cell.claim), "expected", "holds")
    if "+" not in (cell.protocol or cell.design):
        assert (expected == "violated") == (cell.finding is Answer.VIOLATED)
    elif cell.finding is not Answer.VIOLATED:
        assert expected == "holds"


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
