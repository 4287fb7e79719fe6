"""Periodic tasks (S3:270-280): when they are scheduled, when they run again, and how much an election task does."""

import pytest

from fencepost.reference.kraft.controller import elections
from fencepost.reference.kraft.controller.periodic_tasks import IMMEDIATELY_NS, PeriodicTask, PeriodicTaskControlManager
from fencepost.reference.kraft.results import ControllerResult

from .bench import Bench


class Waiting:
    """The tasks that wait, each with its delay."""

    def __init__(self) -> None:
        self.delays: dict[str, int] = {}

    def schedule_task(self, task: PeriodicTask, delay_ns: int) -> None:
        """Let a task wait."""
        self.delays[task.name] = delay_ns

    def cancel_task(self, name: str) -> None:
        """Let it wait no longer."""
        self.delays.pop(name, None)


@pytest.mark.parametrize(("more", "delay"), [(False, 5_000_000_000), (True, IMMEDIATELY_NS)])
def test_a_task_is_scheduled_again_after_each_run(more: bool, delay: int) -> None:
    """It runs one period later, or at once if it says that there is more to do; after a renunciation not at all."""
    waiting = Waiting()
    task = PeriodicTask("sweep", lambda: ControllerResult((), more), 5_000_000_000)
    tasks = PeriodicTaskControlManager(waiting)
    tasks.register(task)
    assert waiting.delays == {}
    tasks.activate()
    assert waiting.delays == {"sweep": task.period_ns}
    tasks.run(task)
    assert waiting.delays == {"sweep": delay}
    tasks.deactivate()
    assert waiting.delays == {}


def test_an_election_task_elects_a_thousand_leaders_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both tasks stop at the cap and say that there is more to do; the cap is 1,000, and here 2."""
    assert elections.MAX_ELECTIONS_PER_RUN == 1000
    monkeypatch.setattr(elections, "MAX_ELECTIONS_PER_RUN", 2)
    bench = Bench()
    bench.start(1, 3)
    topic = bench.create("t", [3, 1], [3, 1], [3, 1], min_isr="2")

    def leaders() -> list[int]:
        return [bench.partition(topic, number).leader for number in range(3)]

    bench.fence(3)
    bench.heartbeat(3)
    for number in range(3):
        bench.propose(topic, number, [1, 3])
    assert leaders() == [1, 1, 1]
    assert bench.apply(bench.replication.maybe_balance_partition_leaders()) is True
    assert sorted(leaders()) == [1, 3, 3]
    assert bench.apply(bench.replication.maybe_balance_partition_leaders()) is False
    assert leaders() == [3, 3, 3]
    bench.fence(1)
    bench.register(3)
    bench.register(1)
    bench.heartbeat(1)
    assert leaders() == [-1, -1, -1]
    bench.configure("t", "unclean.leader.election.enable", "true")
    assert bench.apply(bench.replication.maybe_elect_unclean_leaders()) is True
    assert sorted(leaders()) == [-1, 1, 1]
    assert bench.apply(bench.replication.maybe_elect_unclean_leaders()) is False
    assert leaders() == [1, 1, 1]
