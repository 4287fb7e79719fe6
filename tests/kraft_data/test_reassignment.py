"""Reassignments in the data: removed replicas delete their logs; no record is lost where none of them is eligible."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.kraft_data.any_controller import any_controller
from fencepost.model.kraft_data.reassignment import LEMMAS
from fencepost.model.kraft_data.slices import CLAIMS
from fencepost.model.language import Protocol
from fencepost.model.museum import MUSEUM, Entry, Expected
from tests import edited_rows
from tests.museum.runs import check_the_run
from tests.unbroken import unbroken

REASSIGNING = any_controller(KRAFT_DATA)
WHY = "a rule of reassignments is left out"
RUNS = [
    pytest.param(entry, expected, id=f"{entry.name.partition('+')[2]}-{expected.length}")
    for entry in MUSEUM
    if entry.name.startswith("any-controller+")
    for expected in entry.expected
]


def searched(tables: Protocol, expected: Expected) -> Exploration:
    """Explore for the claim that falls, a row deeper than its run."""
    alone = replace(tables, properties=(tables.property(expected.property),))
    return explore(alone, expected.at(alone), max_depth=expected.length + 1, deadlock=False)


@pytest.mark.representative("keeps-the-removed-8", "joins-when-added-7", "keeps-the-epoch-14")
@pytest.mark.parametrize(("entry", "expected"), RUNS)
def test_a_reassignment_loses_a_record(entry: Entry, expected: Expected) -> None:
    """D15b among them: the claim falls after exactly as many rows as declared, in a run that was replayed."""
    found = searched(entry.explored(CLAIMS), expected).property(expected.property)
    assert found.verdict is Verdict.VIOLATED
    check_the_run(found.trace, expected)


@pytest.mark.representative("keeps-the-removed-8")
@pytest.mark.parametrize(("entry", "expected"), RUNS)
def test_it_loses_none_with_the_rule(entry: Entry, expected: Expected) -> None:
    """At the same bound and deeper than the run the rows without the edit keep the claim."""
    assert unbroken(searched(entry.grounded(CLAIMS), expected).property(expected.property))


def edited(name: str) -> Callable[[Protocol], Protocol]:
    """Return the edit of an entry."""
    [entry] = [one for one in MUSEUM if one.name == f"any-controller+{name}"]
    return entry.edit


EDITS: dict[str, tuple[str, Callable[[Protocol], Protocol]]] = {
    "LR1": ("DC23", edited("keeps-the-removed")),
    "LR2": ("DC21", edited("keeps-the-epoch")),
    "LR3": ("DM2", lambda base: base.but("DM2", effects=KRAFT_DATA.row("DM2").effects, why=WHY)),
    "LR4": ("DF4", lambda base: base.but("DF4", when=KRAFT_DATA.row("DF4").when, why=WHY)),
    "LR5": ("DC23", edited("keeps-the-removed")),
    "LR6": ("DC18", lambda base: base.but("DC18", effects=KRAFT_DATA.row("DC18").effects, why=WHY)),
    "LJ8": ("DC21", edited("joins-when-added")),
}
"""By lemma an edited row that it refutes."""


@pytest.mark.representative("LR2", "LR4", "LJ8")
@pytest.mark.parametrize("lemma", EDITS)
def test_a_lemma_refutes_an_edit(lemma: str) -> None:
    """The edited row gets a counterexample to induction, which the interpreter has replayed."""
    row, edit = EDITS[lemma]
    failed = edited_rows.failed(edit(REASSIGNING), row, [lemma], lemma)
    assert [one.property for one in failed if one.refuted] == [lemma]


def test_every_lemma_refutes_an_edit() -> None:
    """No lemma on reassignments is without one."""
    assert {one.id for one in LEMMAS} <= set(EDITS)


def test_rows_of_reassignments_keep_the_lemmas_on_them() -> None:
    """The rows of brokers that read who the replicas are, and one that elects, keep them, for any number of brokers."""
    for row in ("DM5", "DM6", "DM2", "DF4", "DC23"):
        assert edited_rows.failed(REASSIGNING, row, [one.id for one in LEMMAS]) == (), row
