"""A broker that still has the log of an earlier topic of a name: what the tables expect when the name comes again."""

from dataclasses import replace
from functools import lru_cache

from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
from fencepost.traces.zk.steps import ZkStep
from tests.reference.zk.scripted import Scripted

REFUSED = "INCONSISTENT_TOPIC_ID"


@lru_cache
def steps() -> tuple[ZkStep, ...]:
    """Return the steps of a topic that is deleted and created again, while one broker keeps the log of the first.

    That broker hears of no deletion: its log is put back after it, and its steps of StopReplica are taken out.
    """
    script = Scripted()
    keeper = script.other()
    (partition,) = script.create("t", (keeper.id, script.controller.id))
    assert keeper.replicas is not None
    kept = replace(keeper.replicas.hosted[partition])
    script.administrator.delete_topic("t")
    script.wait(5)
    assert partition not in keeper.replicas.hosted
    keeper.replicas.hosted[partition] = kept
    script.create("t", (script.controller.id, keeper.id))
    return tuple(one for one in script.steps if (one.name, one.node) != ("StopReplica", keeper.id))


def place() -> int:
    """Return where the broker refuses."""
    return next(at for at, step in enumerate(steps()) if step.outcome == REFUSED)


def test_the_refusal_is_expected() -> None:
    """The broker refuses the new topic, the tables agree, and it is counted as what no row is about."""
    judge = ZkLockStep()
    assert [judge.step(step) for step in steps()] == [None] * len(steps())
    assert judge.tally.unjudged["LeaderAndIsr to a broker with the log of another topic of the name"] >= 1
    assert steps()[place()].parameters["leader_epoch"] == 0


def test_another_answer_is_a_divergence() -> None:
    """Were the epochs compared in place of the ids, that would be found."""
    for outcome in ("ignored", "follower"):
        judge = ZkLockStep()
        for step in (*steps()[: place()], replace(steps()[place()], outcome=outcome)):
            judge.step(step)
        assert [one.number for one in judge.divergences] == [place() + 1]
        assert f"answers '{outcome}', but its log is of another topic of the name" in str(judge.divergences[0])


def test_a_refusal_of_an_old_controller_comes_first() -> None:
    """Before any id is compared the broker looks at the controller's epoch, and at its own."""
    for name, row in (("controller_epoch", "LI1"), ("broker_epoch", "LI2")):
        judge = ZkLockStep()
        refused = steps()[place()]
        for step in (*steps()[: place()], replace(refused, parameters={**refused.parameters, name: 0})):
            judge.step(step)
        assert f"the broker answers '{REFUSED}', the tables say {row}" in str(judge.divergences[0])
