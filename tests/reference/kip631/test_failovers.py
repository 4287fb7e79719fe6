"""A failover that loses what is not committed (S2:20), by hand: the metadata go back, and no request was answered."""

from dataclasses import replace
from typing import Any

import pytest

from fencepost.reference.kip631.controller import ElectRequest
from fencepost.reference.kip631.v1 import failovers as v1
from fencepost.reference.kip631.v2 import failovers as v2
from fencepost.reference.kip631.v2.messages import AlterReassignmentRequest, CreateTopicRequest

from .scripted import SETTINGS, Bench

SIMULATIONS: dict[str, Any] = {"v1": v1, "v2": v2}
SLOW = replace(SETTINGS, commit=60_000)
"""Nothing is committed while a test runs."""


def loses(bench: Bench) -> None:
    """Let the active controller lose its leadership to a node that lacks what is not committed."""
    bench.cluster.quorum.loses_tail = True
    bench.cluster.quorum.lose()
    bench.run(2)


@pytest.mark.parametrize("version", SIMULATIONS)
def test_a_registration_that_is_not_committed_is_lost_and_was_not_answered(version: str) -> None:
    """The broker waits for its answer; after the failover it is not registered, and registers again."""
    bench = Bench(SIMULATIONS[version].DESIGN, SLOW)
    bench.start(1)
    assert (bench.cell("registered", 1), bench.cell("own_epoch", 1)) == (True, -1)
    began = len(bench.steps)
    loses(bench)
    lost = next(step for step in bench.steps[began:] if step.name == "TailIsLost")
    changed = {(one.variable, one.keys): one.value for one in lost.changed}
    assert changed["registered", (1,)] is False
    assert changed["next_offset", ()] == 1
    again = next(step for step in bench.steps[began:] if step.name == "Register" and step.answer.startswith("NONE"))
    assert again.parameters["b"] == 1
    assert bench.steps.index(lost) < bench.steps.index(again)


@pytest.mark.parametrize("version", SIMULATIONS)
def test_what_is_committed_stays(version: str) -> None:
    """Of two changes of a leader the one that is not committed is lost, leader epoch included, and the other stays."""
    bench = Bench(SIMULATIONS[version].DESIGN)
    bench.start(1, 2, 3)
    before, epoch = bench.cell("leader", 0), bench.cell("leader_epoch", 0)
    assert bench.cell("isr", 0) == [1, 2, 3]
    bench.controller.serve(ElectRequest(0, 2 if before != 2 else 3), bench.answers.append)
    bench.run(0.2)
    committed = bench.cell("leader", 0)
    bench.cluster.quorum.settings = SLOW
    bench.controller.serve(ElectRequest(0, before), bench.answers.append)
    bench.run(0)
    assert (bench.cell("leader", 0), bench.cell("leader_epoch", 0)) == (before, epoch + 2)
    loses(bench)
    assert bench.cell("leader", 0) == committed != before
    assert (bench.cell("leader_epoch", 0), bench.cell("isr", 0)) == (epoch + 1, [1, 2, 3])


def test_topics_and_reassignments_that_are_not_committed_are_lost() -> None:
    """A topic does not exist, and a partition is not moved, of which a failover has lost the records."""
    bench = Bench(v2.DESIGN)
    bench.start(1, 2, 3)
    bench.cluster.quorum.settings = SLOW
    bench.controller.serve(CreateTopicRequest(1), bench.answers.append)
    bench.controller.serve(AlterReassignmentRequest(1, frozenset({1, 3})), bench.answers.append)
    bench.run(0)
    assert (bench.cell("created_at", 1) >= 0, bench.cell("adding", 1)) == (True, [1])
    loses(bench)
    assert bench.answers == []
    assert (bench.cell("created_at", 1), bench.cell("replicas", 1)) == (-1, [2, 3])
    assert (bench.cell("adding", 1), bench.cell("removing", 1)) == ([], [])
