"""Classes are distinguished by the cells that a query has read, and by no others."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fencepost.checkers.conformance.classes.classes import Classes
from fencepost.checkers.conformance.classes.projection import Projection

SLOTS = {7: 0, 8: 1, 9: 2}
"""The tables of a sort, each with its slot."""

rows = st.lists(st.tuples(*[st.integers(0, 2)] * len(SLOTS)), min_size=1, max_size=8)
read = st.sets(st.tuples(st.booleans(), st.sampled_from(sorted(SLOTS))))


@given(st.lists(st.tuples(rows, read), min_size=1, max_size=4))
def test_two_have_one_number_where_all_that_was_read_is_the_same(
    parts: list[tuple[list[tuple[int, ...]], set[tuple[bool, int]]]],
) -> None:
    """Classes, and ways between them, have one number just where their values at the places read are the same."""
    classes = Classes("partition", (False,) * len(SLOTS), (None,) * len(SLOTS))
    projection, known = Projection(classes, SLOTS), set[tuple[bool, int]]()
    for some, more in parts:
        for row in some:
            classes.number(row)
        generation = projection.generation
        projection.note(more)
        assert (projection.generation == generation) == (more <= known)
        known |= more
        everyone = np.arange(len(classes.rows))
        numbers = projection.of(everyone).tolist()
        ways = [(one, other) for one in everyone.tolist() for other in everyone.tolist()]
        numbers_of_ways = [projection.of_way(*way, ()) for way in ways]
        slots = {SLOTS[table] for _, table in known}
        of_class = [tuple(classes.rows[one][slot] for slot in sorted(slots)) for one in everyone.tolist()]
        of_way = [tuple(classes.rows[way[after]][SLOTS[table]] for after, table in sorted(known)) for way in ways]
        for found, told in ((numbers, of_class), (numbers_of_ways, of_way)):
            pairs = set(zip(found, told, strict=True))
            assert len(pairs) == len(set(found)) == len(set(told))
        assert set(numbers).isdisjoint(numbers_of_ways)
        assert max(*numbers, *numbers_of_ways) < len(projection)


def test_ways_are_told_apart_by_what_was_counted() -> None:
    """Of two ways between the same classes that count up by more and by less each has its number."""
    projection = Projection(Classes("partition", (False,), (None,)), {7: 0})
    assert projection.of_way(0, 0, (1,)) != projection.of_way(0, 0, (2,))
