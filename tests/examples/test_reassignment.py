"""Reassignment and cancel, as far as recorded logs and section 7.10 tell them."""

from typing import Any

import pytest

from fencepost.checkers.counterexample import Trace
from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import ReplayFailed, Verdict
from fencepost.model.kraft.state import *

from .reassignment import FAITHFUL, REPAIRED, Answer
from .scenario import Step, cell, play, wrote

SIZES = {
    "Broker": 5, "Partition": 1, "Topic": 1, "Incarnation": 1, "Directory": 1, "Range": 1, "Name": 1, "copies": 2,
    "offset": 0, "level": 33, "index": 0, "leader epoch": 9, "partition epoch": 9, "size": 5,
}  # fmt: skip
JOINED: tuple[Step, ...] = tuple(("JO1", {"b": broker}) for broker in range(5))


def scenario(*steps: Step, protocol: Any = FAITHFUL, elr: int = 1, allow_unclean: bool = False) -> Trace:
    """Run the steps after five brokers have joined, at the newest metadata version."""
    first = {cell(mv): 33, cell(elr_level): elr, cell(unclean[t], 0): allow_unclean}
    return play(protocol, SIZES, first, *JOINED, *steps)


def created(*on: int) -> Step:
    """The partition is created on these brokers."""
    return "CR1", {"p": 0, "target": on}


def to(*target: int, row: str = "RA1") -> Step:
    """An operator wants the partition on these brokers."""
    return row, {"p": 0, "target": target}


def in_sync(*proposal: int) -> Step:
    """The leader proposes this ISR."""
    return "AL1", {"p": 0, "proposal": frozenset(proposal)}


def of(trace: Trace, variable: Any) -> Any:
    """Return what a variable of the partition holds at the end."""
    return trace.end.read(*cell(variable[p], 0))


@pytest.mark.parametrize(
    ("old", "new", "merged"), [((0, 1, 2), (0, 1, 3), (0, 1, 3, 2)), ((1, 2, 3), (2, 3, 4), (2, 3, 4, 1))]
)
def test_the_merged_list_has_the_target_first(
    old: tuple[int, ...], new: tuple[int, ...], merged: tuple[int, ...]
) -> None:
    """The recorded orders: the target as it was asked for, then the removed replicas ascending."""
    trace = scenario(created(*old), to(*new))
    assert of(trace, replicas) == merged
    assert of(trace, removing) == set(old) - set(new)
    assert of(trace, adding) == set(new) - set(old)
    assert of(trace, leader) == old[0]


def test_a_reassignment_completes_when_the_new_replicas_are_in_sync() -> None:
    """[1,2,3]→[2,3,4] with ISR [1,4] completes with ISR [4]: the new ones are in sync, and the target is no smaller."""
    trace = scenario(created(1, 2, 3), in_sync(1), to(2, 3, 4), in_sync(1, 4))
    assert (of(trace, replicas), of(trace, isr), of(trace, leader)) == ((2, 3, 4), (4,), 4)
    assert of(trace, removing) == of(trace, adding) == frozenset()


def test_a_shrinking_target_waits_for_all_its_members() -> None:
    """[1,2,3]→[2,4] with ISR [1,4] waits for 2."""
    trace = scenario(created(1, 2, 3), in_sync(1), to(2, 4), in_sync(1, 4))
    assert of(trace, replicas) == (2, 4, 1, 3)
    assert of(trace, removing) == {1, 3}


def test_a_shrink_completes_in_the_same_record() -> None:
    """A target that only drops replicas needs no replica to catch up: one record says the end."""
    trace = scenario(created(0, 1, 2), to(0, 1))
    (record,) = wrote(trace)[-1]
    assert record == "PartitionChange(partition=0, isr=[0, 1], leader=0, replicas=[0, 1], directories=[0, 0])"
    assert of(trace, leader_epoch) == 1


def test_errors_of_a_reassignment_write_nothing() -> None:
    """No partition, an empty target and an unknown broker are refused with their errors."""
    for steps, row, answer in (
        ((), "RA1a", Answer.UNKNOWN_TOPIC_OR_PARTITION),
        ((created(0),), "RA1b", Answer.INVALID_REPLICA_ASSIGNMENT),
    ):
        trace = scenario(*steps, to(row=row))
        assert trace.steps[-1].answer is answer
        assert trace.steps[-1].after == trace.steps[-1].before
    with pytest.raises(ReplayFailed, match="the guard of RA1 is false"):
        scenario(created(0), to())


def test_a_cancel_restores_the_replicas() -> None:
    """Cancel takes the added replicas out of the list and the ISR, and nothing is under way any more."""
    trace = scenario(created(0, 1), to(2, 3), in_sync(0, 2), ("RA2", {"p": 0}))
    assert of(trace, isr) == (0,)
    assert set(of(trace, replicas)) == {0, 1}
    assert of(trace, removing) == of(trace, adding) == frozenset()


def test_a_cancel_needs_a_reassignment() -> None:
    """Without one under way a cancel is refused."""
    trace = scenario(created(0), ("RA2b", {"p": 0}))
    assert trace.steps[-1].answer is Answer.NO_REASSIGNMENT_IN_PROGRESS


def _only_new_in_sync() -> tuple[Step, ...]:
    """Brokers 0 and 1 hold the partition, 2 and 3 are to come; then only 2 is left in the ISR."""
    return created(0, 1), to(2, 3), in_sync(0, 2), ("SI1", {"b": 0}), in_sync(2)


def test_an_unclean_cancel_is_refused_or_takes_the_first_replica() -> None:
    """None of the old replicas in sync: refused, unless the topic allows unclean elections."""
    refused = scenario(*_only_new_in_sync(), ("RA2c", {"p": 0}))
    assert refused.steps[-1].answer is Answer.INVALID_REPLICA_ASSIGNMENT
    assert refused.steps[-1].after == refused.steps[-1].before
    taken = scenario(*_only_new_in_sync(), ("UB1", {"b": 0}), ("RA2", {"p": 0}), allow_unclean=True, elr=0)
    assert taken.steps[-1].answer is Answer.NONE
    assert (set(of(taken, replicas)), len(of(taken, isr))) == ({0, 1}, 1)
    assert of(taken, adding) == frozenset()


def test_clean_candidates_do_not_save_a_cancel() -> None:
    """D8: with an empty ISR the cancel is refused although eligible leader replicas are there."""
    trace = scenario(created(0), to(1), ("SI1", {"b": 0}), ("RA2c", {"p": 0}))
    assert of(trace, isr) == ()
    assert trace.steps[-1].answer is Answer.INVALID_REPLICA_ASSIGNMENT


def test_d14_an_empty_new_list_leaves_the_old_one() -> None:
    """[1,2,3]→[2,3,4] under way, then target [1,2,3,4]: answered NONE, and 1 is removed all the same at the end."""
    steps = (created(1, 2, 3), to(2, 3, 4), to(1, 2, 3, 4))
    trace = scenario(*steps)
    assert trace.steps[-1].answer is Answer.NONE
    assert of(trace, removing) == {1}
    assert of(scenario(*steps, in_sync(1, 2, 3, 4)), replicas) == (2, 3, 4)
    assert of(scenario(*steps, in_sync(1, 2, 3, 4), protocol=REPAIRED), replicas) == (1, 2, 3, 4)


def test_d14b_somebody_is_added_and_removed_at_once() -> None:
    """The target [1,2,3] during [1,2,3]→[2,3,4], ISR [1,2]: 4 is adding and removing."""
    trace = scenario(created(1, 2, 3), in_sync(1, 2), to(2, 3, 4), to(1, 2, 3))
    assert of(trace, replicas) == (1, 2, 3, 4)
    assert of(trace, adding) == of(trace, removing) == {4}


def test_exploration_finds_d14_and_the_repair_has_none() -> None:
    """With two brokers P13 and the overriding are broken after five rows; the repaired table keeps both."""
    found = explore(FAITHFUL, "tiny")
    assert found.verdict is Verdict.CLOSED
    assert found.distinct == 628
    violated = [(one.id, one.depth) for one in found.properties if one.verdict is Verdict.VIOLATED]
    assert violated == [("P13", 6), ("OV1", 6)]
    assert all(one.as_declared for one in found.properties)
    assert found.rows_never_fired == ()
    repaired = explore(REPAIRED, "tiny")
    assert repaired.verdict is Verdict.CLOSED
    assert not [one.id for one in repaired.properties if one.verdict is Verdict.VIOLATED]
