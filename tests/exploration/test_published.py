"""Other people's specifications at the counts that were published for them."""

from __future__ import annotations

import pytest

from fencepost.checkers.exploration import explore
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


KRAFT = [("tiny", 8_639, 113_091, 18)]


@pytest.mark.parametrize(("bound", "distinct", "generated", "depth"), KRAFT)
def test_kraft_has_its_pinned_counts(bound: str, distinct: int, generated: int, depth: int) -> None:
    """The explored slice of KRaft has as many states as when it was last looked at, and nothing is violated."""
    found = explore(EXPLORED, bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == (distinct, generated, depth)
    assert all(one.as_declared for one in found.properties)
