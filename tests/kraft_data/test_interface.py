"""What `kraft-data` takes of the controller for granted is proved of the controller's own tables."""

from pathlib import Path

import pytest

from fencepost.checkers.proof import prove
from fencepost.model.kraft.builder import change
from fencepost.model.kraft.state import electable, isr, m, p, wanted_recovery
from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.kraft_data.interface import CONTROLLER_TABLES, INTERFACE
from fencepost.model.language import Always, Step

CLAIMS = tuple(dict.fromkeys(id for one in INTERFACE for id in one.claims))
ROOT = Path(__file__).resolve().parents[2]


def claimed(id: str) -> Always | Step:
    """Return a claim of `kraft` on states or steps."""
    one = CONTROLLER_TABLES.property(id)
    assert isinstance(one, (Always, Step))
    return one


@pytest.mark.slow
@pytest.mark.representative("some")
@pytest.mark.parametrize("rows", [("A14", "BA1", "EL3", "RA3"), None], ids=["some", "all"])
def test_every_row_of_kraft_keeps_what_is_taken_for_granted(rows: tuple[str, ...] | None) -> None:
    """Each claim is proved of the rows, those apart that a finding is declared for."""
    proof = prove(CONTROLLER_TABLES, properties=CLAIMS, rows=rows, assumptions=False)
    assert [one for one in proof.failed if not one.declared] == []
    assert proof.unknown == 0
    fallen = {one.property for one in proof.failed}
    declared = {id for id in CLAIMS if claimed(id).expected == "violated"}
    assert fallen == declared if rows is None else fallen <= declared


def test_what_is_violated_is_a_finding() -> None:
    """Where `kraft` declares a claim violated, the interface names the finding."""
    for one in INTERFACE:
        found = {claimed(id).finding for id in one.claims if claimed(id).expected == "violated"}
        assert found == set(one.besides), one.about


def test_every_row_of_the_controller_relies_on_something() -> None:
    """Each row of the controller's table is named, and no row that there is not."""
    [table] = [one for one in KRAFT_DATA.tables if one.name == "controller"]
    assert {row for one in INTERFACE for row in one.rows} == {row.id for row in table.rows}


def test_the_page_lists_the_interface() -> None:
    """`spec/data-evidence.md` has a line for each thing that is taken for granted, with its rows and claims."""
    page = (ROOT / "spec" / "data-evidence.md").read_text(encoding="utf-8")
    for one in INTERFACE:
        assert f"| {one.about} | {', '.join([*one.claims, *one.besides])} |" in page


EDITED = {
    "P42": (
        "EL3",
        CONTROLLER_TABLES.redefine(
            "isr2", lambda old: isr[p], why="the ISR stays beside a leader from the ELR", rows=("EL3",)
        ),
    ),
    "P43": (
        "A14",
        CONTROLLER_TABLES.but(
            "A14",
            effects=change(p, isr[p], electable(p), target_recovery=wanted_recovery[m]),
            why="the proposal is not written",
        ),
    ),
}


@pytest.mark.representative("P42")
@pytest.mark.parametrize("id", EDITED)
def test_a_claim_of_the_interface_refutes_an_edit(id: str) -> None:
    """Where the controller does otherwise, the claim that only the interface needs is refuted."""
    row, edited = EDITED[id]
    proof = prove(edited, properties=[id], rows=[row], assumptions=False)
    assert [one.property for one in proof.failed if one.refuted] == [id]
