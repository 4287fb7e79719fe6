"""A step that is not as it happened is a divergence, found at that step, and the message names the cell or the row."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from fencepost.checkers.conformance.zk_lockstep import StepDivergence, ZkLockStep
from fencepost.reference.zk import messages as m
from fencepost.traces.zk.steps import SentRequest, ZkStep
from tests.cases import each
from tests.reference.zk.scripted import Scripted

Steps = list[ZkStep]
Altered = Callable[[Steps, int], None]


@lru_cache
def story() -> tuple[ZkStep, ...]:
    """Return a short story: a topic, a broker that dies and returns, a reassignment, a deletion."""
    script = Scripted()
    first, _ = script.create("t", (1, 2, 3), (2, 3, 1))
    lost = script.other()
    lost.kill()
    script.wait(20)
    lost.start()
    script.wait(10)
    script.ask(m.ReassignmentRequest({first: (4, 1)}), seconds=10)
    script.administrator.delete_topic("t")
    script.wait(10)
    return tuple(script.steps)


def judged(steps: Steps | tuple[ZkStep, ...]) -> list[StepDivergence]:
    """Return the divergences of steps, in order."""
    judge = ZkLockStep()
    for step in steps:
        judge.step(step)
    return judge.divergences


def place(name: str, wanted: Callable[[ZkStep], object] = lambda step: True) -> int:
    """Return where the first step of a name is that is wanted."""
    return next(at for at, step in enumerate(story()) if step.name == name and wanted(step))


def to(state: str) -> Callable[[ZkStep], bool]:
    """Wanted: a change to a state that was done."""
    return lambda step: step.parameters["to"] == state and not step.outcome


def writes_a_leadership(step: ZkStep) -> bool:
    """Wanted: a step that writes a state znode."""
    return any(one.path.endswith("/state") and one.op == "set" for one in step.writes)


def written(**fields: Any) -> Altered:
    """Write other fields into the state znode than were written."""

    def alter(steps: Steps, at: int) -> None:
        writes = tuple(
            one._replace(data={**one.data, **fields}) if one.path.endswith("/state") else one
            for one in steps[at].writes
        )
        assert writes != steps[at].writes
        steps[at] = replace(steps[at], writes=writes)

    return alter


def changed(**fields: Any) -> Altered:
    """Make a step with other columns."""

    def alter(steps: Steps, at: int) -> None:
        assert any(getattr(steps[at], name) != value for name, value in fields.items())
        steps[at] = replace(steps[at], **fields)

    return alter


def told(**parameters: Any) -> Altered:
    """Make a step with other parameters."""

    def alter(steps: Steps, at: int) -> None:
        assert any(steps[at].parameters[name] != value for name, value in parameters.items())
        steps[at] = replace(steps[at], parameters={**steps[at].parameters, **parameters})

    return alter


def remembered(name: str, value: Mapping[str, Any]) -> Altered:
    """Let the controller remember something else."""

    def alter(steps: Steps, at: int) -> None:
        steps[at] = replace(steps[at], memory={**(steps[at].memory or {}), name: value})

    return alter


def sent_too(broker: int) -> Altered:
    """Send LeaderAndIsr to one more broker."""

    def alter(steps: Steps, at: int) -> None:
        step = steps[at]
        request = SentRequest("LeaderAndIsr", broker, step.parameters["partition"], {})
        assert broker not in [one.broker for one in step.sent if one.kind == request.kind]
        steps[at] = replace(step, sent=(*step.sent, request))

    return alter


def sent_less(steps: Steps, at: int) -> None:
    """Send LeaderAndIsr to one broker less."""
    step = steps[at]
    gone = next(one for one in step.sent if one.kind == "LeaderAndIsr")
    steps[at] = replace(step, sent=tuple(one for one in step.sent if one is not gone))


NEW = ("PartitionState", to("NewPartition"))
ONLINE = ("PartitionState", to("OnlinePartition"))
ELECTED = ("PartitionState", lambda step: step.parameters["strategy"] == "OFFLINE" and writes_a_leadership(step))
LEAVES = ("ReplicaState", lambda step: to("OfflineReplica")(step) and writes_a_leadership(step))
LEADS = ("LeaderAndIsr", lambda step: step.outcome == "leader")
FOLLOWS = ("LeaderAndIsr", lambda step: step.outcome == "follower")
GROWN = ("AlterPartition", lambda step: not step.outcome)

ALTERATIONS: dict[str, tuple[tuple[Any, ...], Altered, tuple[str, ...]]] = {
    "another first leader": (ONLINE, written(leader=2), ("wrote leader = 2, the rows make it 1", "ZP2")),
    "another leader": (LEAVES, written(leader=4), ("wrote leader = 4, the rows make it", "ZR4")),
    "another ISR": (
        LEAVES, written(isr=[1, 2, 3, 4]), ("wrote isr = frozenset({1, 2, 3, 4}), the rows make it", "ZR4"),
    ),
    "a leader epoch skipped": (LEAVES, written(leader_epoch=7), ("wrote leader_epoch = 7, the rows make it", "ZR4")),
    "another controller epoch": (
        LEAVES, written(controller_epoch=9), ("wrote written_in = 9, the rows make it 1", "ZR4"),
    ),
    "an election of its own": (ELECTED, written(leader=4, isr=[4]), ("wrote leader = 4, the rows make it", "ZP3o")),
    "a failure that was none": (ONLINE, changed(outcome="no leader"), ("the outcome is 'no leader', ZP2 says 'done'",)),
    "a fence that was none": (
        LEAVES, changed(outcome="epoch moved"), ("the outcome is 'epoch moved', ZR4 says 'done'",),
    ),
    "a state that is not remembered": (
        NEW,
        remembered("partitions", {"t-0": "OnlinePartition"}),
        ("remembers partition_state[", "PartitionState.ONLINE", "the rows make it", "ZP1"),
    ),
    "an unheard-of broker": (ONLINE, remembered("live", {"1": 1}), ("remembers live[", "the rows make it", "ZP2")),
    "a foreign recipient": (
        ONLINE, sent_too(4), ("sends LeaderAndIsr to [1, 2, 3, 4], the rows to [1, 2, 3]", "ZP2"),
    ),
    "a recipient left out": (ONLINE, sent_less, ("sends LeaderAndIsr to [2, 3], the rows to [1, 2, 3]", "ZP2")),
    "another state": (NEW, told(to="OnlinePartition"), ("creation: partitions to New: still to come to partition",)),
    "a broker that ignores news": (
        LEADS, changed(outcome="ignored"), ("answers 'ignored', the tables say LI4 and apply",),
    ),
    "a broker that obeys": (
        FOLLOWS, told(leader_epoch=-1), ("the broker answers 'follower', the tables say LI3",),
    ),
    "a controller of the past": (
        LEADS, told(controller_epoch=0), ("the broker answers 'leader', the tables say LI1",),
    ),
    "an id of another topic": (
        LEADS, changed(outcome="INCONSISTENT_TOPIC_ID"), ("'INCONSISTENT_TOPIC_ID', and has no log of another topic",),
    ),
    "a stale proposal taken": (
        GROWN, told(leader_epoch=-1), ("the outcome is 'done', ZC10e says 'FENCED_LEADER_EPOCH'",),
    ),
    "a proposal refused": (
        GROWN, changed(outcome="INELIGIBLE_REPLICA"), ("the outcome is 'INELIGIBLE_REPLICA', ZC10 says 'done'",),
    ),
    "an operation of its own": (
        ("Begin", lambda step: step.parameters["operation"] == "onBrokerFailure"),
        lambda steps, at: steps.insert(at, replace(steps[at], parameters={"operation": "onWish"})),
        ("no row begins onWish",),
    ),
    "a second controller": (
        ("Begin", lambda step: step.parameters["operation"] == "onBrokerFailure"),
        lambda steps, at: steps.insert(at, replace(steps[place("Elect")], node=4, parameters={"node": 4})),
        ("no row of Elect applies",),
    ),
}  # fmt: skip
"""Where, what is altered there, and what the message must say."""


def test_the_story_itself_is_clean() -> None:
    """As it happened the story has no divergence, and all that is altered below."""
    assert [str(one) for one in judged(story())] == []


@each("name", ALTERATIONS)
def test_an_altered_step_is_found_in_place(name: str) -> None:
    """The first divergence is the step that was altered, and says which cell or row is concerned."""
    wanted, alter, parts = ALTERATIONS[name]
    at, steps = place(*wanted), list(story())
    alter(steps, at)
    found = judged(steps[: at + 1])
    assert found, name
    assert found[0].number == at + 1
    for part in parts:
        assert part in str(found[0])


@pytest.mark.parametrize(
    ("wanted", "part"),
    [
        (NEW, "creation: partitions to New: still to come to partition"),
        (("ReplicaState", to("NewReplica")), "creation: replicas to New: still to come to replicas"),
        (("ReplicaState", to("OfflineReplica")), "broker failure: replicas to Offline: still to come to replicas"),
    ],
    ids=["a new partition", "a new replica", "a lost replica"],
)
def test_a_step_left_out_is_missed_where_the_next_call_begins(wanted: tuple[Any, ...], part: str) -> None:
    """The call that the step was of cannot end: the first step after it is the divergence, and says what is due."""
    at, steps = place(*wanted), list(story())
    left_out = steps.pop(at)
    found = judged(steps)
    kind = (left_out.name, left_out.parameters["to"])
    next_call = next(
        number
        for number, step in enumerate(steps[at:], at + 1)
        if step.node == left_out.node
        and step.name in ("PartitionState", "ReplicaState", "End")
        and (step.name, step.parameters.get("to")) != kind
    )
    assert found[0].number == next_call
    assert part in str(found[0])


def test_steps_of_two_calls_are_not_swapped() -> None:
    """A partition that goes Online before its replicas are New is a divergence of the calls' order."""
    steps = list(story())
    new, online = place("ReplicaState", to("NewReplica")), place(*ONLINE)
    steps[new], steps[online] = steps[online], steps[new]
    found = judged(steps)
    assert found[0].number == new + 1
    assert "creation: replicas to New: still to come to replicas" in str(found[0])


def test_steps_of_one_call_may_come_in_any_order() -> None:
    """Within a call the tables leave the order open: two partitions of one creation may be swapped."""
    steps = list(story())
    first = place(*NEW)
    assert to("NewPartition")(steps[first + 1])
    steps[first], steps[first + 1] = steps[first + 1], steps[first]
    assert judged(steps) == []


def test_after_a_divergence_the_state_is_as_told() -> None:
    """One step that was altered to the same effect is one divergence: the next steps are checked from there."""
    at, steps = place(*LEADS), list(story())
    steps[at] = replace(steps[at], outcome="follower")
    assert [one.number for one in judged(steps)] == [at + 1]
