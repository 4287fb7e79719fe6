"""A run whose first leader is gone when its bootstrap is in the log without End."""

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

from fencepost.reference.kraft.raft import RaftNode
from fencepost.reference.kraft.raft.leading import Leading
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Outcome, Run
from fencepost.reference.simulator import MILLISECOND
from fencepost.traces.loop_steps import LoopStep

BOOTSTRAP = 8
"""Begin and the seven records of a bootstrap: with so many in a batch, End is in the next."""
CUT = Plan(seconds=30, quiet_seconds=5, faults="none", settings=Settings(max_records_per_batch=BOOTSTRAP))


def execute_cut(
    plan: Plan = CUT, loop_sink: Callable[[LoopStep], None] | None = None, resigns: bool = False
) -> Outcome:
    """Run a plan whose first leader ends, or resigns, between the two batches of its bootstrap.

    Raft writes the first batch at once, and the leader is gone, or resigns, before the second. The others write what
    they want in one batch.
    """
    original, done = Leading.schedule, list[int]()

    def schedule(leading: Leading) -> None:
        if done:
            original(leading)
            return
        done.append(leading.node.id)
        leading._drain()
        leading.node.process.after(10 * MILLISECOND, lambda: end(leading.node))

    def end(node: RaftNode) -> None:
        if resigns:
            node.step_down()
        else:
            node.process.crash()
        for other in run.cluster.controllers.values():
            if other.controller is not None:
                other.controller.settings = replace(other.controller.settings, max_records_per_batch=10_000)

    with patch.object(Leading, "schedule", schedule):
        run = Run(plan, loop_sink=loop_sink)
        return run.execute()
