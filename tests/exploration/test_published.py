"""Other people's specifications at the counts that were published for them."""

from __future__ import annotations

from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft import EXPLORED
from fencepost.model.language import Protocol
from tests.examples.kip320 import KIP320
from tests.examples.two_phase import TWO_PHASE

PUBLISHED = [
    (TWO_PHASE, "three", 288, 1_146, 11),
    (TWO_PHASE, "seven", 296_448, None, None),
    (TWO_PHASE, "eight", 1_745_408, None, None),
    (KIP320, "3112", 97_531, 241_543, 22),
    (KIP320, "3222", 737_794, 1_967_560, 26),
]


@pytest.mark.parametrize(("protocol", "bound", "distinct", "generated", "depth"), PUBLISHED)
def test_a_restated_specification_has_its_published_counts(
    protocol: Protocol, bound: str, distinct: int, generated: int | None, depth: int | None
) -> None:
    """Restated in the table language a specification has the states that TLC counts on the published module.

    The published `generated` has no stuttering step a state; ours has, so it is compared with `transitions`.
    """
    found = explore(protocol, bound)
    assert found.verdict is Verdict.CLOSED
    assert found.distinct == distinct
    assert found.generated == found.transitions + found.distinct
    if generated is not None:
        assert (found.transitions, found.depth) == (generated, depth)


KRAFT = [("tiny", 8_639, 113_091, 18), ("restart", 427_733, 4_477_103, 23)]

NEVER = {"HB9": "a broker that shuts down gives up all its partitions in the same result and leads none later"}
"""Rows that fire at no bound, with what keeps them from it."""


@cache
def explored(bound: str) -> Exploration:
    """The explored slice of KRaft at a bound, explored once."""
    return explore(EXPLORED, bound)


@pytest.mark.parametrize(("bound", "distinct", "generated", "depth"), KRAFT)
def test_kraft_has_its_pinned_counts(bound: str, distinct: int, generated: int, depth: int) -> None:
    """The explored slice of KRaft has as many states as when it was last looked at, and nothing is violated."""
    found = explored(bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == (distinct, generated, depth)
    assert all(one.as_declared for one in found.properties)


def test_every_row_fires_at_some_bound_or_is_listed() -> None:
    """No row is there for nothing: each fires at a bound, or is listed with what keeps it from firing."""
    never = set.intersection(*(set(explored(bound).rows_never_fired) for bound, *_ in KRAFT))
    assert never == set(NEVER)
