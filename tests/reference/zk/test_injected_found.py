"""Historical bugs put into simulated clusters: lock step with the tables finds them, each by a seed that is stated."""

from __future__ import annotations

from functools import lru_cache

import pytest

from fencepost.checkers.conformance.zk_lockstep import StepDivergence, ZkLockStep
from fencepost.reference.zk.injected import BUGS
from fencepost.reference.zk.simulation.plan import Plan
from fencepost.reference.zk.simulation.run import Run
from fencepost.traces.zk.steps import ZkStep

FOUND: dict[str, tuple[int, float, str]] = {
    "Z1": (2, 60, "UM1 says 'STALE_CONTROLLER_EPOCH'"),
    "Z2": (2, 120, "no row of Elect applies"),
    "Z3": (2, 120, "ZR4m says 'epoch moved'"),
    "Z4": (1, 120, "remembers partition_state["),
    "Z5": (1, 60, "wrote isr = frozenset()"),
    "Z6": (1, 60, "remembers partition_state["),
    "Z8": (1, 60, "reassignment: B3: the tables do not go on by themselves here"),
    "Z9": (1, 60, "sends LeaderAndIsr to [2], the rows to [1, 2, 3]"),
    "Z11": (1, 120, "failover: live replicas to Online"),
    "Z16": (2, 60, "the outcome is 'no state', ZR4k says 'done'"),
    "Z17": (6, 120, "the tables say LI2"),
    "Z18": (1, 120, "sends LeaderAndIsr to [3, 4], the rows to [2, 3, 4]"),
    "Z19": (1, 60, "AlterPartition("),
    "Z21": (6, 120, "ZC10j says 'INELIGIBLE_REPLICA'"),
    "Z22": (7, 60, "the outcome is 'INVALID_UPDATE_VERSION', ZC10f says 'done'"),
    "Z25": (2, 60, "no row of TopicChange applies"),
    "page-reassign-selector": (1, 60, "strategy=REASSIGN"),
}
"""By bug: the first seed of twelve that shows it, how many seconds that takes, and what the divergence says."""

NOT_SHOWN = {
    "Z12": "the reassignment stays in the topic's znode, and the next controller takes it up, all brokers being up",
    "Z13": "a broker that does not know its leader as alive is legal (LI6), and hears of the leadership again later",
    "Z14": "with KIP-455 the topic's znode has the reassignment too: to drop the wish first loses nothing",
    "Z20": "requests of one controller arrive in order, and another's are refused by its epoch before the leader epoch",
    "Z23": "a leader asks the controller of its last UpdateMetadata; none that knows more came to ask an old one",
    "Z26": "what a leader makes of an answer is in its own memory, which no step tells; a second guard is the version",
    "Z27": "who is sent UpdateMetadata is not judged: no row says who is told of a broker's death",
    "Z28": "who is sent UpdateMetadata is not judged: no row says of which partitions a broker that comes is told",
}
"""The bugs that no divergence and no broken promise shows within twelve seeds, and why."""


class _Found(Exception):
    """There is a divergence: the rest of the run is not needed."""


def first_divergence(plan: Plan) -> StepDivergence | None:
    """Run a plan in lock step until something is wrong; returns what."""
    judge = ZkLockStep()

    def sink(step: ZkStep) -> None:
        if judge.step(step) is not None:
            raise _Found

    try:
        Run(plan, sink).execute()
    except _Found:
        return judge.divergences[0]
    return None


@lru_cache
def clean(seed: int, seconds: float) -> bool:
    """Return whether a run without a bug has no divergence and keeps its promises."""
    judge = ZkLockStep()
    outcome = Run(Plan(seed=seed, seconds=seconds), lambda step: judge.step(step) and None).execute()
    return not judge.divergences and not outcome.violations


def test_every_bug_is_found_or_it_is_said_why_not() -> None:
    """All bugs are listed once; more than ten of them are found."""
    assert {*FOUND} | {*NOT_SHOWN} == {*BUGS}
    assert not {*FOUND} & {*NOT_SHOWN}
    assert len(FOUND) >= 10
    assert all(seed <= 12 for seed, *_ in FOUND.values())


@pytest.mark.parametrize("bug", FOUND)
def test_lock_step_finds_a_bug_by_its_seed(bug: str) -> None:
    """With the bug a step is no row of the tables, and the message says where; the same run without it is clean."""
    seed, seconds, part = FOUND[bug]
    found = first_divergence(Plan(seed=seed, seconds=seconds, bugs=(bug,)))
    assert found is not None, BUGS[bug].wrong
    assert part in str(found)
    assert clean(seed, seconds)
