"""Readings of KIP-631's second version: what they break is found by its shortest trace, and not without them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import fencepost.model
from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import LeadsTo, Protocol
from fencepost.model.museum import MUSEUM, Entry, Expected
from fencepost.model.registry import FAMILIES
from tests.museum.runs import check_the_run
from tests.unbroken import unbroken

ENTRIES = {entry.name: entry for entry in MUSEUM if entry.base == "kip631-v2"}
CASES = [
    pytest.param(entry, expected, id=f"{entry.name}-{expected.property}")
    for entry in ENTRIES.values()
    for expected in entry.expected
]


def searched(entry: Entry) -> Protocol:
    """Return the slice in which an entry is searched."""
    return entry.within or FAMILIES["kip631-v2"].explored


def alone(protocol: Protocol, id: str) -> Protocol:
    """Return the protocol with one of its properties only."""
    return replace(protocol, properties=(protocol.property(id),), base=protocol.base or protocol)


@pytest.mark.representative("log_end-K11r", "one_too_few-K4", "fence_first-K9")
@pytest.mark.parametrize(("entry", "expected"), CASES)
def test_exploration_finds_it_by_its_shortest_trace(entry: Entry, expected: Expected) -> None:
    """The property falls after exactly as many rows as declared, by the row declared, and not without the defect."""
    edited, base = entry.edited(searched(entry)), entry.grounded(searched(entry))
    faulty, sound = (alone(one, expected.property) for one in ((base, edited) if entry.repairs else (edited, base)))
    runs_on = isinstance(faulty.properties[0], LeadsTo)  # which needs every state
    found = (
        explore(faulty, expected.at(faulty), engine="numpy")
        if runs_on
        else explore(faulty, expected.at(faulty), max_depth=expected.length + 2, stop_at_first=True, deadlock=False)
    )
    verdict = found.property(expected.property)
    assert verdict.verdict is Verdict.VIOLATED
    check_the_run(verdict.trace, expected)
    assert verdict.trace.initial
    depth = None if runs_on else expected.length + 1
    other = explore(sound, expected.at(sound), max_depth=depth, deadlock=False)
    assert unbroken(other.property(expected.property))


def test_each_contradiction_that_concerns_version_two_is_an_entry_or_explained() -> None:
    """8, 9, 12 to 14, 28, 30, 37, 38, 41 and S-g are entries; 10, 11, 39 and 42 are said to decide nothing here."""
    known = " ".join(entry.known_as for entry in ENTRIES.values())
    for number in ("#8", "#9", "#12", "#13", "#14", "#27", "#28", "#30", "#37", "#38", "#41", "S-g", "S-e", "K13"):
        assert number in known, number


def test_the_page_has_every_entry() -> None:
    """`spec/kip631-v2.md` names every variant, with what falls and the length of the trace, or what it repairs."""
    page = (Path(fencepost.model.__file__).parents[1] / "spec" / "kip631-v2.md").read_text(encoding="utf-8")
    for entry in ENTRIES.values():
        (line,) = [line for line in page.splitlines() if line.startswith("| ") and f"`{entry.name}`" in line]
        for expected in entry.expected:
            assert expected.property in line
            assert f"{expected.length} rows" in line or f"in {expected.length}" in line
