"""Historical bugs put into simulated clusters: lock step, or a watched promise, shows each by a seed that is stated."""

from functools import lru_cache
from typing import NamedTuple

import pytest

from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
from fencepost.reference.zk.injected import BUGS
from fencepost.reference.zk.simulation.plan import Plan
from fencepost.reference.zk.simulation.run import Run
from fencepost.traces.zk.steps import ZkStep


class Shown(NamedTuple):
    """The run that shows a bug: the first seed of twelve, how many seconds it lasts, what is said; and its faults."""

    seed: int
    seconds: float
    says: str
    faults: str = "swarm"


FOUND = {
    "Z1": Shown(4, 60, "UM1 says 'STALE_CONTROLLER_EPOCH'"),
    "Z2": Shown(4, 60, "no row of Elect applies"),
    "Z3": Shown(3, 120, "the phase was done, ZC5B6m says otherwise", "controller-moved"),
    "Z4": Shown(1, 60, "remembers partition_state["),
    "Z5": Shown(1, 60, "wrote isr = frozenset()"),
    "Z6": Shown(1, 60, "remembers partition_state["),
    "Z8": Shown(1, 60, "reassignment: B3: the tables do not go on by themselves here"),
    "Z9": Shown(1, 60, "sends LeaderAndIsr to [2], the rows to [1, 2, 3]"),
    "Z11": Shown(2, 60, "failover: live replicas to Online"),
    "Z12": Shown(9, 60, "is being reassigned, and the controller does not know"),
    "Z13": Shown(2, 60, "sends no UpdateMetadata to [1, 2, 3, 4], the rows do"),
    "Z16": Shown(3, 60, "the outcome is 'no state', ZR4k says 'done'"),
    "Z17": Shown(9, 60, "UM2 says"),
    "Z18": Shown(6, 60, "sends LeaderAndIsr to [3], the rows to [3, 4]"),
    "Z19": Shown(1, 60, "AlterPartition("),
    "Z21": Shown(11, 60, "ZC10j says 'INELIGIBLE_REPLICA'"),
    "Z22": Shown(9, 120, "the outcome is 'INVALID_UPDATE_VERSION', ZC10f says 'done'"),
    "Z23": Shown(7, 60, "the outcome is 'FENCED_LEADER_EPOCH', ZC10d says 'NOT_CONTROLLER'"),
    "Z25": Shown(2, 60, "no row of TopicChange applies"),
    "Z27": Shown(3, 60, "sends no UpdateMetadata to [2, 3, 4], the rows do"),
    "Z28": Shown(2, 60, "has never heard of"),
    "page-reassign-selector": Shown(1, 60, "strategy=REASSIGN"),
}
"""By bug what shows it: a divergence from the rows, or, where they say nothing of it, a promise that is broken."""

NOT_SHOWN = {
    "Z14": "with KIP-455 the topic's znode has the reassignment too: to drop the wish first loses nothing",
    "Z20": "requests of one controller arrive in order, and another's are refused by its epoch before the leader epoch",
    "Z26": "an answer to an earlier proposal of the same leader epoch has an older version, and that is looked at too",
}
"""The bugs that no divergence and no broken promise shows within twelve seeds, and why."""


class _Found(Exception):
    """There is a divergence: the rest of the run is not needed."""


def first_wrong(plan: Plan) -> str:
    """Run a plan in lock step until something is wrong; returns the divergence, or the promises that it broke."""
    judge = ZkLockStep()

    def sink(step: ZkStep) -> None:
        if judge.step(step) is not None:
            raise _Found

    try:
        outcome = Run(plan, sink).execute()
    except _Found:
        return str(judge.divergences[0])
    return "; ".join(outcome.violations)


@lru_cache
def clean(seed: int, seconds: float, faults: str) -> bool:
    """Return whether a run without a bug has no divergence and keeps its promises."""
    judge = ZkLockStep()
    plan = Plan(seed=seed, seconds=seconds, faults=faults)
    outcome = Run(plan, lambda step: judge.step(step) and None).execute()
    return not judge.divergences and not outcome.violations


def test_every_bug_is_found_or_it_is_said_why_not() -> None:
    """All bugs are listed once; more than ten of them are found."""
    assert {*FOUND} | {*NOT_SHOWN} == {*BUGS}
    assert not {*FOUND} & {*NOT_SHOWN}
    assert len(FOUND) >= 10
    assert all(one.seed <= 12 for one in FOUND.values())


@pytest.mark.representative("Z5", "Z18")
@pytest.mark.parametrize("bug", FOUND)
def test_a_run_shows_the_bug(bug: str) -> None:
    """With the bug a step is no row, or a promise is broken, as is said; the same run without it is clean."""
    one = FOUND[bug]
    wrong = first_wrong(Plan(seed=one.seed, seconds=one.seconds, faults=one.faults, bugs=(bug,)))
    assert one.says in wrong, BUGS[bug].wrong
    assert clean(one.seed, one.seconds, one.faults)
