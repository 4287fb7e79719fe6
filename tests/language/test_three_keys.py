"""Variables with three keys, and variables that are forgotten."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.model.language import TableError, Valuation, World, run
from fencepost.model.language.vocabulary import *


class Room(Entity):
    """Where something may be."""


class Shelf(Entity):
    """The contents of a room."""


class Book(Entity):
    """The contents of a shelf."""


ROOM, SHELF, BOOK = sort(Room), sort(Shelf), sort(Book)
r, s, b = ROOM.var("r"), SHELF.var("s"), BOOK.var("b")
stands = per3(ROOM, SHELF, BOOK, "stands", BOOL)
dusty = per2(ROOM, SHELF, "dusty", BOOL)
seen = per(BOOK, "seen", BOOL)
there = stands[r, s, b]
put = event("Put", r, s, b, source="made up for the test")
clear = event("Clear", r, environment=True, source="made up for the test")
WORLD = World({"Room": (0, 1), "Shelf": (0, 1), "Book": (0, 1)}, {})


def library() -> Protocol:
    """Return a protocol with variables of one, two and three keys, of which only the one of three is read."""
    return protocol(
        "library",
        table(
            "library",
            put(
                "P1", ~stands[r, s, b], stands[r, s, b].becomes(TRUE), dusty[r, s].becomes(TRUE), seen[b].becomes(TRUE)
            ),
            put("P2", TRUE),
            clear(
                "C1",
                exists(s, exists(b, stands[r, s, b])),
                every(s, TRUE, every(b, TRUE, stands[r, s, b].becomes(FALSE))),
            ),
            mode="first match",
        ),
        properties=(
            always("kept", forall(b, forall(r, forall(s, stands[r, s, b].implies(seen[b]))))),
            always("read", forall(r, forall(s, forall(b, stands[r, s, b].implies(dusty[r, s]))))),
        ),
    )


@given(st.sets(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1))))
def test_three_keys_tell_values_apart(places: set[tuple[int, int, int]]) -> None:
    """A thing that is put somewhere is there and nowhere else; clearing a room clears that room only."""
    one, state = library(), Valuation()
    for place in sorted(places):
        state = run(one.row("P1"), dict(zip((r, s, b), place, strict=True)), state, WORLD).after
    found = {place for place in itertools.product((0, 1), repeat=3) if state.read(stands.state, place)}
    assert found == places
    if any(room == 0 for room, _, _ in places):
        after = run(one.row("C1"), {r: 0}, state, WORLD).after
        assert {place for place in itertools.product((0, 1), repeat=3) if after.read(stands.state, place)} == {
            place for place in places if place[0]
        }


def test_what_no_row_reads_is_forgotten_with_its_claims() -> None:
    """Updates of forgotten variables go, claims that speak of them too, and the rest stays as it was."""
    one = library().forgetting(seen, dusty)
    assert [state.name for state in one.states] == ["stands"]
    assert one.properties == ()
    kept = library().forgetting(seen)
    assert [p.id for p in kept.properties] == ["read"]
    assert {state.name for state in kept.states} == {"stands", "dusty"}


def test_what_a_row_reads_is_not_forgotten() -> None:
    """A variable that a guard reads stays, whatever the number of its keys."""
    with pytest.raises(TableError, match=r"\bstands cannot be forgotten"):
        library().forgetting(stands)
