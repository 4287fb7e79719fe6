"""Altered recordings are found, at the altered place."""

import pytest

from fencepost.checkers.conformance.zk.alter import LINES, WRITES, Altered, altered
from fencepost.checkers.conformance.zk.sensitivity import in_place, measured
from fencepost.model.zk import ZK
from fencepost.traces.zk import read_recording
from tests.cases import each

from . import RECORDED, judge, recorded

KINDS = (*WRITES, *LINES, "a line dropped", "a pair of lines swapped")
EACH = 6


def _altered(name: str, kind: str, each: int) -> list[Altered]:
    return [one for one in altered(*recorded(name), each) if one.kind == kind]


def _places(one: Altered, alone: bool = False) -> list[tuple[str, int]]:
    result = judge().told("altered", one.records, None if alone else one.transactions)
    return [(violation.segment, violation.offset) for violation in result.violations]


@pytest.mark.representative(
    "a write by an old epoch", "a line with a leader outside the ISR", "a change that no table has"
)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "dropped" not in kind])
def test_every_alteration_is_found_where_it_was_made(kind: str) -> None:
    """One altered write or line, wherever it is, is reported at its zxid or line."""
    made = _altered("first-boot", kind, EACH)
    assert made
    for one in made:
        assert in_place(one, _places(one)), f"{one.kind} at {one.segment}:{one.offset}"


@pytest.mark.nightly("test_every_alteration_is_found_where_it_was_made")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "dropped" not in kind])
def test_alterations_of_a_reassignment_are_found(kind: str) -> None:
    """The same in a cluster with reassignments, failovers and several epochs; at the place in nearly all cases."""
    made = _altered("reassignment", kind, 3)
    found = [_places(one) for one in made]
    assert made
    assert all(found)
    assert sum(in_place(one, places) for one, places in zip(made, found, strict=True)) >= len(made) - 1


def test_a_dropped_write_is_found_in_place() -> None:
    """A write that is missing shows in the zxids, in the versions, and in the line that claims it."""
    for one in _altered("kill-nine", "a write dropped", 2):
        assert in_place(one, _places(one))


@pytest.mark.nightly("test_a_dropped_write_is_found_in_place")
def test_most_dropped_lines_are_found() -> None:
    """A missing line shows in the next line of its entity, in its write, or in the count of its batch or request."""
    made = _altered("first-boot", "a line dropped", 20)
    assert sum(bool(_places(one)) for one in made) >= len(made) - 4


@pytest.mark.nightly("test_every_alteration_is_found_where_it_was_made")
@each(
    "kind",
    [
        "a line with a stranger in the ISR",
        "a line whose leader epoch goes back",
        "a change that no table has",
        "a change from another state",
        "a request under an older controller epoch",
    ],
)
def test_logs_alone_show_alterations_of_lines(kind: str) -> None:
    """Without a history an altered line is found by the lines around it."""
    for one in _altered("first-boot", kind, EACH):
        assert _places(one, alone=True), f"{one.kind} at {one.segment}:{one.offset}"


@pytest.mark.nightly("test_every_alteration_is_found_where_it_was_made")
def test_the_measure_counts_by_class() -> None:
    """Sensitivity reports for every class how many alterations were made and found."""
    found = measured(read_recording(RECORDED / "first-boot"), ZK, each=1)
    assert set(found.classes) == set(KINDS)
    assert found.unaltered == 0
    assert all(one.made == 1 for one in found.classes.values())
    assert all(len(line) <= 100 for line in found.text())
