"""Defects of the KRaft controller at its larger bounds: a shortest run is as long as published, or has a reason."""

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.manifest import recorded
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.everything import EVERYTHING
from fencepost.model.kraft.explored import EXPLORED
from fencepost.model.museum import Entry, Expected
from fencepost.model.museum.kraft import KRAFT_MUSEUM
from tests.museum.runs import check_told_in_short

ENTRIES = {entry.name: entry for entry in KRAFT_MUSEUM if entry.within is None}
EXPECTED = {(entry.name, one.property): one for entry in ENTRIES.values() for one in entry.expected}

CHANGES = (
    "J3 P7", "J7 P7", "J1 P8", "J27 K3", "A13- P16", "A13- P7", "A8- P16", "fence-order P7r", "unfence-order P7r",
)  # fmt: skip
"""What `changes` can show, each by a run as long as the published one."""

ALL_REGISTER = "every broker has registered before there is a topic, and there are three"
NO_WISH = f"{ALL_REGISTER}; no heartbeat asks for a fence, so that a session has to run out first"
PAIR: dict[str, tuple[int, str]] = {
    "E7 P7": (8, ALL_REGISTER),
    "J3 P7": (5, ALL_REGISTER),
    "J7 P7": (9, ALL_REGISTER),
    "J1 P8": (7, NO_WISH),
    "J32 P7": (7, ALL_REGISTER),
    "A13- P16": (10, f"{NO_WISH}; a leader proposes only who is active then and not in the ISR yet"),
    "A13- P7": (10, f"{NO_WISH}; a leader proposes only who is active then and not in the ISR yet"),
    "A8- P16": (9, ALL_REGISTER),
    "fence-order P7r": (7, NO_WISH),
    "unfence-order P7r": (8, NO_WISH),
}
"""What `pair` can show, with the rows of a shortest run there, and why these are more than at the published bound."""

COMBINED: dict[str, tuple[int, str]] = {
    "J3 P7": (4, ""),
    "J7 P7": (8, ""),
    "J1 P8": (5, ""),
    "J32 P7": (6, ""),
    "A13- P16": (8, "a leader proposes only who is active then and not in the ISR yet"),
    "A13- P7": (8, "a leader proposes only who is active then and not in the ISR yet"),
    "A8- P16": (8, ""),
    "fence-order P7r": (6, "no heartbeat asks for a fence, so that a session has to run out first"),
    "unfence-order P7r": (6, ""),
}
"""The same of `combined`; where there is no reason the run is as long as the published one."""

OLDER = "its clusters have an older metadata.version, and those of the bound the newest"
ALWAYS_READ = "brokers have always read the whole log"
SAME_PROCESS = "no broker comes back as a new process"
UNSEEN = {
    "combined": {
        "E7 P7": "explored to the end it has the states that it has without the edit, and none breaks the claim",
        "J9 K11": ALWAYS_READ,
        "J10 K12": "brokers have always read the whole log, and only the first shuts down",
        "J18 C1": "no configuration is asked for",
        "J20 P15": OLDER,
        "J27 K3": "no process registers twice",
        "J27 P7": "no process registers twice",
        "J28 P8r": OLDER,
    },
    "changes": {
        "E7 P7": SAME_PROCESS,
        "J9 K11": ALWAYS_READ,
        "J10 K12": "a counter keeps controlled shutdowns from beginning",
        "J18 C1": "no configuration is asked for",
        "J20 P15": OLDER,
        "J27 P7": SAME_PROCESS,
        "J28 P8r": OLDER,
        "J32 P7": SAME_PROCESS,
    },
    "pair": {
        "J9 K11": ALWAYS_READ,
        "J10 K12": "no controlled shutdown begins",
        "J18 C1": "no configuration is asked for",
        "J20 P15": OLDER,
        "J27 K3": "no process registers twice",
        "J27 P7": "no process registers twice",
        "J28 P8r": OLDER,
    },
}
"""What a bound cannot show, with what keeps it from that."""

CASES = [("changes", case, EXPECTED[(*case.split(),)].length) for case in CHANGES]  # type: ignore[index]
CASES += [("pair", case, length) for case, (length, _) in PAIR.items()]
CASES += [("combined", case, length) for case, (length, _) in COMBINED.items()]


def alone(case: str) -> tuple[Entry, Expected]:
    """Return a museum entry and what is expected of one of its properties."""
    name, id = case.split()
    return ENTRIES[name], EXPECTED[name, id]


@pytest.mark.representative("changes-J3 P7")
@pytest.mark.slow
@pytest.mark.parametrize(("bound", "case", "length"), [pytest.param(*one, id=f"{one[0]}-{one[1]}") for one in CASES])
def test_the_search_finds_the_defect_at_a_larger_bound(bound: str, case: str, length: int) -> None:
    """With the entry's edit the property falls at the larger bound after as many rows as are stated here."""
    entry, expected = alone(case)
    edited = entry.edit(EVERYTHING if bound == "combined" else EXPLORED)
    asked = replace(edited, properties=(edited.property(expected.property),))
    found = explore(asked, bound, stop_at_first=True, deadlock=False).property(expected.property)
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    assert len(found.trace.steps) == length, "\n".join(found.trace.lines())
    check_told_in_short(found.trace)


@pytest.mark.parametrize("bound", ["changes", "pair", "combined"])
def test_every_defect_is_found_at_a_larger_bound_or_it_is_told_why_not(bound: str) -> None:
    """Of each entry and each property that it breaks a bound has a length, or the reason why it cannot show it."""
    shown = {case for at, case, _ in CASES if at == bound}
    assert not shown & set(UNSEEN[bound])
    assert {f"{name} {id}" for name, id in EXPECTED} == shown | set(UNSEEN[bound])


TOLD = "tests/museum/test_kraft_large.py::test_every_defect_is_found_at_a_larger_bound_or_it_is_told_why_not[combined]"


@pytest.mark.nightly(TOLD)
def test_an_edit_that_changes_nothing_at_a_bound_is_explored_to_the_end() -> None:
    """`combined` with the edit of E7 closes with the counts that are recorded without it, and the claim holds."""
    entry, expected = alone("E7 P7")
    edited = entry.edit(EVERYTHING)
    asked = replace(edited, properties=(edited.property(expected.property),))
    found = explore(asked, "combined", deadlock=False)
    assert found.property(expected.property).verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == recorded("kraft")["combined"].counts


def test_runs_are_longer_only_where_it_is_told_why() -> None:
    """No run at a larger bound is shorter than the published one, and each that is longer has its reason."""
    for case, (length, why) in (*PAIR.items(), *COMBINED.items()):
        assert (length > alone(case)[1].length) == bool(why)
        assert length >= alone(case)[1].length
