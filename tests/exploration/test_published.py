"""Other people's specifications at the counts that were published for them."""

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from tests.examples.kip320 import KIP320
from tests.examples.paxos import PAXOS
from tests.examples.two_phase import TWO_PHASE

PUBLISHED = [
    (TWO_PHASE, "three", 288, 1_146, 11),
    (TWO_PHASE, "seven", 296_448, None, None),
    (TWO_PHASE, "eight", 1_745_408, None, None),
    (PAXOS, "example", 3_921, None, 17),
    (KIP320, "3112", 97_531, 241_543, 22),
    (KIP320, "3222", 737_794, 1_967_560, 26),
]


@pytest.mark.representative(
    "protocol0-three-288-1146-11", "protocol3-example-3921-None-17", "protocol4-3112-97531-241543-22"
)
@pytest.mark.parametrize(("protocol", "bound", "distinct", "generated", "depth"), PUBLISHED)
def test_a_restated_specification_has_its_published_counts(
    protocol: Protocol, bound: str, distinct: int, generated: int | None, depth: int | None
) -> None:
    """Restated in the table language a specification has the states that TLC counts on the published module.

    The published `generated` has no stuttering step a state; ours has, so it is compared with `transitions`. Of Paxos
    it is 23,563, since TLC takes the quorums and promises apart by which a value is safe: docs/explore.md.
    """
    found = explore(protocol, bound)
    assert found.verdict is Verdict.CLOSED
    assert found.distinct == distinct
    assert found.generated == found.transitions + found.distinct
    if generated is not None:
        assert found.transitions == generated
    if depth is not None:
        assert found.depth == depth
