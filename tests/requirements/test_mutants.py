"""The mutants of requirements: where a row is edited so that a sentence is broken, the property that it cites falls."""

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.requirements import Mutant, Requirement, Source, read, sources
from fencepost.checkers.verdicts import Refusal
from fencepost.model.zk import ZK
from tests.cases import each
from tests.requirements.mutants import fate, mutants, mutated, protocol_of, unbroken

BROKEN = ("S0", "S1", "S2", "S3", "S4")
"""The sources whose every cited property is shown to fall: one more here, once all its demands have mutants."""


@cache
def source(name: str) -> Source:
    """Return the requirements of a source."""
    return read(sources()[name])


ALL = [(name, one, mutant) for name in sources() for one, mutant in mutants(source(name))]
DRAWN = {
    name: random.Random(4).sample(
        [each for each in ALL if each[0] == name and not each[2].bound and not each[2].variant], 3
    )
    for name in BROKEN
}
"""Three of each source, drawn once."""
SAMPLE = [
    *(drawn[0] for drawn in DRAWN.values()),
    next(case for case in ALL if case[0] == "S4" and case[2].bound),
    next(case for case in ALL if case[0] == "S4" and case[2].variant),
]
"""The first of each source, with one that only an exploration shows and one of a variant's tables."""


def check(cases: list[tuple[str, Requirement, Mutant]]) -> list[str]:
    """Return which of the mutants survive, each asked once."""
    found = {}
    for name, one, mutant in cases:
        if mutant not in found:
            found[mutant] = fate(source(name), one, mutant)
    return [f"{one.demand}: {one.mutant}: {one.said}" for one in found.values() if not one.fell]


@each("name", BROKEN)
def test_every_cited_property_has_a_mutant_that_breaks_it(name: str) -> None:
    """A demand cites a property because it falls with the sentence: a mutant of a row that it names shows so."""
    assert unbroken(source(name)) == []


@each("name", BROKEN)
def test_what_has_no_property_says_so(name: str) -> None:
    """A demand that rows carry, and no property, and so no mutant, says that it holds by test only, and why."""
    carried = [one for one in source(name).requirements if one.rows]
    assert [one.id for one in carried if not one.mutants and not one.unclaimed] == []


def test_a_sample_of_mutants_breaks_what_they_say() -> None:
    """Of each mutant that was drawn some row that it changes breaks what the demand cites, or an exploration does."""
    assert check(SAMPLE) == []


@pytest.mark.nightly("test_a_sample_of_mutants_breaks_what_they_say")
def test_a_larger_sample_of_mutants_breaks_what_they_say() -> None:
    """So it is of two more of each source."""
    assert check([case for drawn in DRAWN.values() for case in drawn[1:]]) == []


@pytest.mark.nightly("test_a_sample_of_mutants_breaks_what_they_say")
def test_every_mutant_breaks_what_it_says() -> None:
    """The same of every mutant of every source, those that only an exploration shows among them."""
    assert len(ALL) >= 700
    assert check(ALL) == []


def test_a_mutant_of_something_else_survives() -> None:
    """A mutant that does not break the property that it names is reported, with what was checked instead."""
    one = source("S4").requirement("S4-16b")
    found = fate(source("S4"), one, Mutant("ZP3r", "ZI18s", change="moving_to", to="anyone"))
    assert not found.fell
    assert found.said == "every row that it changes keeps ZI18s"


def test_what_falls_without_the_edit_shows_nothing() -> None:
    """K13 of kip631-v2 is violated by the row itself: that it falls where the row deletes no logs is no proof."""
    one = source("S2").requirement("S2-74b")
    mutant = Mutant("BA1", "K13", without="logs[b] := logs[b] ∖ removed_meanwhile")
    found = fate(source("S2"), one, mutant)
    assert not found.fell
    assert found.said == "K13 falls without the edit"


@each(
    ("one", "changed"),
    [
        (Mutant("ZP4", "ZI8", without="to = OFFLINE"), ("ZP4",)),
        (Mutant("ZP4", "ZI8", without="partition_state[c, p] := OFFLINE"), ("ZP4",)),
        (Mutant("ZP4", "ZI8", change="OFFLINE", to="NEW"), ("ZP4",)),
        (Mutant("ZC4d", "ZI8", without="subjects[c] := brokers"), ("ZC4d",)),
        (Mutant("SE1", "ZI8", without="elected = c"), ("SE1",)),
    ],
)
def test_a_mutant_differs_in_its_row_and_nowhere_else(one: Mutant, changed: tuple[str, ...]) -> None:
    """Conditions and effects go wherever they stand in the row, in procedures and scopes too; other rows stay."""
    edited = mutated(ZK, one)
    assert tuple(a.id for a, b in zip(ZK.rows, edited.rows, strict=True) if a is not b) == changed
    (row,) = (row for row in edited.rows if row.id in changed)
    before = ZK.row(row.id)
    assert row.when is not before.when or row.stages != before.stages


def test_a_row_is_dropped() -> None:
    """A mutant without a row has all others."""
    edited = mutated(ZK, Mutant("ZP0", "ZI8", dropped=True))
    assert [row.id for row in ZK.rows if row.id not in {each.id for each in edited.rows}] == ["ZP0"]


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (Mutant("ZP4", "ZI8", without="to = NEW"), "mutant of ZP4: it has no condition and no effect 'to = NEW'"),
        (Mutant("ZP4", "ZI8", change="isr[p]", to="∅"), "mutant of ZP4: it speaks of no 'isr[p]'"),
        (Mutant("ZP3p", "ZI8", change="isr[p]", to="no term at all"), "mutant of ZP3p: the tables speak nowhere of"),
    ],
    ids=str,
)
def test_a_mutant_of_what_is_not_there_is_refused(one: Mutant, said: str) -> None:
    """One sentence says which row has nothing of the kind, so that a renamed term is noticed."""
    with pytest.raises(Refusal) as refused:
        mutated(ZK, one)
    assert str(refused.value).startswith(said)


def test_a_row_of_no_protocol_is_refused() -> None:
    """A mutant names a row of the tables that carry the demand."""
    one = source("S4").requirement("S4-16b")
    with pytest.raises(Refusal, match="S4-16b: no tables that carry it have a row HB2"):
        protocol_of(source("S4"), one, Mutant("HB2", "ZI8", dropped=True))


def test_a_property_without_a_mutant_is_told() -> None:
    """So are a mutant of a property that the demand does not cite, and one of a row that it does not name."""
    s4 = source("S4")
    one = s4.requirement("S4-16b")
    poor = replace(one, properties=("ZI18s", "ZI2"), mutants=(*one.mutants, Mutant("ZP3p", "ZI7", dropped=True)))
    assert unbroken(replace(s4, requirements=(poor,))) == [
        "S4-16b: no mutant shows that ZI2 falls",
        "S4-16b: a mutant breaks ZI7, which it does not cite",
        "S4-16b: a mutant is of ZP3p, which it does not cite",
    ]


@pytest.mark.parametrize(
    "edit", ["", 'without = "x", dropped = true', 'change = "x"', 'to = "x"', 'without = "x", change = "y", to = "z"']
)
def test_a_mutant_is_edited_in_one_way(tmp_path: Path, edit: str) -> None:
    """A mutant that is edited in no way, in two, or by half is refused with its place."""
    text = sources()["S4"].read_text(encoding="utf-8")
    made = '{ row = "ZP3r", ' + (edit + ", " if edit else "") + 'falls = "ZI18s" }'
    path = tmp_path / "s4.toml"
    old = '{ row = "ZP3r", change = "isr[p]", to = "in_sync(c, p)", falls = "ZI18s" }'
    assert old in text
    path.write_text(text.replace(old, made), encoding="utf-8")
    with pytest.raises(Refusal, match="mutants 1: an edit is"):
        read(path)


def test_a_variant_may_be_the_mutant() -> None:
    """An entry of the museum breaks what it is said to break, by the row that it edits; it is given by its name."""
    one = source("S3").requirement("S3-65c")
    found = fate(source("S3"), one, Mutant("QK4", "QL4r", variant="reverts-too-little"))
    assert found.fell
    assert str(found.mutant) == "QK4 as in reverts-too-little"
    assert not fate(source("S3"), one, Mutant("QK4", "QL6", variant="reverts-too-little")).fell
