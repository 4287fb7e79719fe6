"""AlterPartition at the edges of its fields: epochs at the end of an int32, a recovery state that is none."""

from typing import Any

import pytest

from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.records import Message

from .bench import Bench


def test_epochs_wrap_as_int32() -> None:
    """Behind 2147483647 both epochs are -2147483648, without an error, and the next proposal is accepted (4.4.0)."""
    bench = Bench()
    bench.start(1, 2)
    topic = bench.create("t", [1, 2], min_isr="1")
    last: dict[str, Any] = {"leaderEpoch": 2**31 - 1, "partitionEpoch": 2**31 - 1}
    last["directories"] = list(bench.partition(topic).directories)
    told = {"partitionId": 0, "topicId": topic, "replicas": [1, 2], "isr": [1, 2], "leader": 1, **last}
    bench.replay(Message("PARTITION_RECORD", 2, {**told, "removingReplicas": [], "addingReplicas": []}))
    bench.fence(1)
    partition = bench.partition(topic)
    assert (partition.leader_epoch, partition.partition_epoch) == (-(2**31), -(2**31))
    bench.start(1)
    assert bench.propose(topic, 0, [1, 2]).error is Errors.NONE
    assert bench.partition(topic).partition_epoch == -(2**31) + 1


def test_an_unknown_leader_recovery_state_writes_nothing() -> None:
    """A byte that is no state throws, as LeaderRecoveryState.of does: no record with it is ever written (4.4.0)."""
    bench = Bench()
    bench.start(1, 2)
    topic = bench.create("t", [1, 2])
    before = bench.partition(topic)
    with pytest.raises(ValueError, match="recovery state 7"):
        bench.propose(topic, 0, [1, 2], recovery=7)
    assert bench.partition(topic) == before
