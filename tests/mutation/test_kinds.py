"""Each kind of mutant: the protocol that it makes takes another step than the base, the one that it says."""

from collections.abc import Mapping
from typing import Any

import pytest

from fencepost.checkers.mutation import KINDS, Mutant, Population, diff, drawn
from fencepost.checkers.mutation.mutants import changed
from fencepost.checkers.mutation.terms import edits, places
from fencepost.model.language import BOOL, Protocol, Valuation, World, cell, run, satisfying
from fencepost.model.language.interpreter import Evaluation
from tests.examples.shelves import LIBRARY

POPULATION = Population(LIBRARY)
MUTANTS = {one.id: one for one in POPULATION.all()}
WORLD = World.of({"Reader": 2, "Copy": 2, "epoch": 5}, LIBRARY.kinds)

Cells = Mapping[tuple[str, int] | str, Any]
Outcome = tuple[str, str, dict[Any, Any]]


def state_of(cells: Cells) -> Valuation:
    """Return a state: cells by the name of their variable, and their key."""
    states = {one.name: one for one in LIBRARY.states}
    return Valuation(
        {(states[k[0]], (k[1],)) if isinstance(k, tuple) else (states[k], ()): v for k, v in cells.items()}
    )


def outcome(protocol: Protocol, event: str, parameters: Mapping[str, Any], cells: Cells) -> Outcome | None:
    """Return the row that applies, its answer, and the cells it changes; None where none applies."""
    state = state_of(cells)
    for row in protocol.rows:
        if row.event.name != event:
            continue
        binding = {var: parameters[var.name] for var in row.params}
        if Evaluation(WORLD, state).value(protocol.guard(row), binding):
            done = run(row, binding, state, WORLD)
            cells_of = {*state, *done.after}
            after = {
                (s.name, *keys): done.after.read(s, keys)
                for s, keys in cells_of
                if state.read(s, keys) != done.after.read(s, keys)
            }
            return row.id, "" if done.answer is None else done.answer.name, after
    return None


MEMBER: Cells = {("member", 0): True, ("epoch", 0): 1, "last": 1}
LENT: Cells = {**MEMBER, ("holder", 0): 0, ("loans", 0): 1}
AWAY: Cells = {**MEMBER, ("holder", 0): 1, ("loans", 0): 1}
JOIN: Mapping[str, Any] = {"r": 0}
LEND: Mapping[str, Any] = {"r": 0, "e": 1, "c": 0}

CASES: dict[str, tuple[str, Mapping[str, Any], Cells, Outcome | None, Outcome | None]] = {
    "BO1:conjunct-dropped:may_borrow/1": (
        "Borrow", LEND, {**MEMBER, ("barred", 0): True},
        ("BO1", "UNKNOWN", {}), ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1, ("asked", 0): frozenset({0})}),
    ),
    "JO1:conjunct-negated:when/only": (
        "Join", JOIN, {}, ("JO1", "OK", {("member", 0): True, ("epoch", 0): 1, ("last",): 1}), None,
    ),
    "BO3:disjunct-dropped:when/0": (
        "Borrow", LEND, AWAY, ("BO3", "TAKEN", {}), ("BO4", "OK", {("loans", 0): 2, ("asked", 0): frozenset({0})}),
    ),
    "BO2:case-dropped:say/else": (
        "Borrow", {**LEND, "e": 0}, MEMBER, ("BO2", "LATE", {}), ("BO2", "UNKNOWN", {}),
    ),
    "BO4:operand-dropped:effects.1.value/right": (
        "Borrow", LEND, {**MEMBER, "lost": frozenset({0})},
        ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1}),
        ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1, ("asked", 0): frozenset({0})}),
    ),
    "BO2:comparison-shifted:when/equal": (
        "Borrow", LEND, MEMBER,
        ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1, ("asked", 0): frozenset({0})}), ("BO2", "LATE", {}),
    ),
    "BO2:shifted-by-one:when/right": (
        "Borrow", LEND, MEMBER,
        ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1, ("asked", 0): frozenset({0})}), ("BO2", "LATE", {}),
    ),
    "BO3:literal-altered:when/1/0/up": (
        "Borrow", LEND, {**MEMBER, ("loans", 0): 2},
        ("BO3", "TAKEN", {}), ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 3, ("asked", 0): frozenset({0})}),
    ),
    "BO4:value-altered:effects.1.value/empty": (
        "Borrow", LEND, MEMBER,
        ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1, ("asked", 0): frozenset({0})}),
        ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1}),
    ),
    "JO1:bump-removed:effects.2.value/+": (
        "Join", JOIN, {},
        ("JO1", "OK", {("member", 0): True, ("epoch", 0): 1, ("last",): 1}),
        ("JO1", "OK", {("member", 0): True, ("last",): 1}),
    ),
    "LE1:scope-widened:effects.0.when/0": (
        "Leave", JOIN, AWAY, ("LE1", "", {("member", 0): False}),
        ("LE1", "", {("member", 0): False, ("holder", 0): None}),
    ),
    "LE1:scope-altered:effects.0.when/0": (
        "Leave", JOIN, LENT, ("LE1", "", {("member", 0): False, ("holder", 0): None}),
        ("LE1", "", {("member", 0): False}),
    ),
    "JO1:effect-dropped:effects.3": (
        "Join", JOIN, {},
        ("JO1", "OK", {("member", 0): True, ("epoch", 0): 1, ("last",): 1}),
        ("JO1", "OK", {("member", 0): True, ("epoch", 0): 1}),
    ),
    "BO4:record-dropped:effects.0": (
        "Borrow", LEND, MEMBER,
        ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1, ("asked", 0): frozenset({0})}),
        ("BO4", "OK", {("asked", 0): frozenset({0})}),
    ),
    "BO4:field-dropped:effects.0.loans": (
        "Borrow", LEND, MEMBER,
        ("BO4", "OK", {("holder", 0): 0, ("loans", 0): 1, ("asked", 0): frozenset({0})}),
        ("BO4", "OK", {("holder", 0): 0, ("asked", 0): frozenset({0})}),
    ),
    "JO2:answer-altered:say/next": ("Join", JOIN, MEMBER, ("JO2", "TAKEN", {}), ("JO2", "OK", {})),
    "JO2:row-dropped": ("Join", JOIN, MEMBER, ("JO2", "TAKEN", {}), None),
    "BO1:rows-swapped:BO2": (
        "Borrow", {**LEND, "e": 0}, {("epoch", 0): 1}, ("BO1", "UNKNOWN", {}), ("BO2", "LATE", {}),
    ),
}  # fmt: skip
"""By mutant: an event with its parameters in a state, and what the base and the mutant make of it."""

UNSEEN = {"condition dropped"}
"""Kinds of which the library has none; a test of their own shows them."""


@pytest.mark.parametrize("id", CASES)
def test_a_mutant_takes_the_step_that_it_says(id: str) -> None:
    """The interpreter runs base and mutant on the same input, and they differ just so."""
    event, parameters, cells, before, after = CASES[id]
    assert outcome(LIBRARY, event, parameters, cells) == before
    assert outcome(MUTANTS[id].of(LIBRARY), event, parameters, cells) == after
    assert POPULATION.fresh(MUTANTS[id]) in ("", "the same as another")


def test_every_kind_is_shown() -> None:
    """Each kind has a case above, except those of a further test."""
    assert {MUTANTS[id].kind for id in CASES} | UNSEEN == set(KINDS)


def test_a_condition_is_dropped() -> None:
    """Of "if this then that" the condition is dropped."""
    left, right = cell("left", BOOL), cell("right", BOOL)
    term = left.implies(right)
    found = {one.kind: one.node for path, node, role in places(term, "inner") for one in edits(node, role)}
    assert found["condition dropped"] is right


def test_a_mutant_changes_its_row_alone() -> None:
    """Every other row is the very same; of a first-match table the effective guards of those behind it may change."""
    for mutant in MUTANTS.values():
        made = mutant.of(LIBRARY)
        others = {row.id for row in changed(LIBRARY, made)} - {mutant.row}
        assert all(made.row(id) is LIBRARY.row(id) for id in others)
        assert not others or mutant.row.startswith("BO")


ALIKE = {
    "BO2:case-dropped:say/then",
    "BO2:answer-altered:say/1/next",
    "BO4:conjunct-dropped:effects.0.holder.said/only",
}
"""Mutants that do the same in every state: BO1 answers a barred reader, and BO3 asks already who holds the copy."""


def test_mutants_show_a_difference() -> None:
    """All but those that are named take another step in some small state: they are no copies of the base."""
    states = [{}, MEMBER, LENT, AWAY, {**MEMBER, ("barred", 0): True}, {("epoch", 0): 1}]
    states += [{**MEMBER, "lost": frozenset({0})}, {**MEMBER, ("loans", 0): 1}, {**MEMBER, ("loans", 0): 2}]
    states += [{**LENT, ("loans", 0): 0}, {**MEMBER, ("asked", 0): frozenset({1})}, {("barred", 0): True}]
    inputs = [
        ("Join", JOIN),
        ("Leave", JOIN),
        ("Borrow", LEND),
        ("Borrow", {**LEND, "e": 0}),
        ("Borrow", {**LEND, "e": 2}),
    ]
    same = set()
    for mutant in MUTANTS.values():
        made = mutant.of(LIBRARY)
        if all(_all(LIBRARY, *one, cells) == _all(made, *one, cells) for one in inputs for cells in states):
            same.add(mutant.id)
    assert same == ALIKE


def _all(protocol: Protocol, event: str, parameters: Mapping[str, Any], cells: Cells) -> list[Any]:
    """Return what every row that applies does: of a disjoint table that is a mutant, two may apply."""
    state = state_of(cells)
    found = []
    for row in protocol.rows:
        if row.event.name == event:
            binding = {var: parameters[var.name] for var in row.params}
            if Evaluation(WORLD, state).value(protocol.guard(row), binding):
                done = run(row, binding, state, WORLD)
                found.append((row.id, done.answer, done.after, done.records))
    return found


def test_a_name_is_altered_in_one_row_only() -> None:
    """What a definition means is changed in the row that is mutated, with any arguments, and nowhere else."""
    made = MUTANTS["BO1:conjunct-dropped:may_borrow/0"].of(LIBRARY)
    assert str(made.row("BO1").when) == "not may_borrow(r)"
    assert [row.id for row in made.rows if row is not LIBRARY.row(row.id)] == ["BO1"]


def test_a_diff_shows_the_row() -> None:
    """The diff of a mutant is that of the row's text."""
    lines = diff(LIBRARY, MUTANTS["JO2:answer-altered:say/next"])
    assert lines == ["-  answers TAKEN", "+  answers OK"]
    assert all(line.startswith("-") for line in diff(LIBRARY, MUTANTS["JO2:row-dropped"]))


def test_a_sample_is_repeated_and_even() -> None:
    """A seed draws the same mutants, another seed others; every row has its share, and no kind is left out."""
    one, again, other = (drawn(Population(LIBRARY), None, 30, seed) for seed in (1, 1, 2))
    assert [m.id for m in one.mutants] == [m.id for m in again.mutants] != [m.id for m in other.mutants]
    rows = [sum(m.row == row.id for m in one.mutants) for row in LIBRARY.rows]
    assert len(one.mutants) == 30
    assert max(rows) - min(rows) <= 2
    assert len({m.kind for m in one.mutants}) >= 12


def test_what_is_no_protocol_of_its_own_is_left_out() -> None:
    """All that are drawn differ from the base and from each other, and those left out are counted with the reason."""
    everything = drawn(Population(LIBRARY), None, None, 1)
    assert everything.total == len(MUTANTS) == len(everything.mutants) + sum(everything.left_out.values())
    assert everything.left_out["the same as another"] > 0
    population = Population(LIBRARY)
    row = LIBRARY.row("JO1")
    assert population.fresh(Mutant("JO1", "effect dropped", "", "nothing", lambda _: row)) == "the same tables"


def test_satisfying_is_what_a_guard_means() -> None:
    """A mutant's effective guard in a first-match table denies the altered guards before it."""
    made = MUTANTS["BO2:row-dropped"].of(LIBRARY)
    late = dict(zip(made.row("BO4").params, (0, 0, 0), strict=True))
    base = list(satisfying(LIBRARY.guard(LIBRARY.row("BO4")), LIBRARY.row("BO4").params, state_of(MEMBER), WORLD))
    assert late not in base
    assert late in list(satisfying(made.guard(made.row("BO4")), made.row("BO4").params, state_of(MEMBER), WORLD))
