"""Runs of KIP-46's reference: every promise is kept, every step reached, and each injected defect breaks one."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.reference.kip46.faults import NAMES
from fencepost.reference.kip46.injected import BUGS
from fencepost.reference.kip46.placement import place
from fencepost.reference.kip46.simulation import header, run, simulate
from fencepost.traces.design_steps import DesignStep
from tests.reference.folded import first, folded

from .promises import broken

SECONDS = 240
BROKEN = {
    "timer-restarts-at-failover": "a new controller's timers run from the first failure",
    "entry-deleted-early": "an entry stays until every task is persisted",
    "last-failure-counts": "the time of the first failure stays",
    "return-unnoticed": "who is back has neither entry nor timer",
    "chunk-too-large": "no task is larger than the chunk size",
    "tasks-at-once": "one task runs at a time",
    "manual-task-dropped": "only tasks of the controller's own are dropped",
    "complete-at-once": "a task is complete when all of its replicas have been in sync",
    "heals-although-off": "with an interval of -1 nothing is healed",
}
"""By defect: the promise that its runs break."""


@cache
def steps_of(seed: int, inject: str | None = None) -> list[DesignStep]:
    """Return the steps of a run with a swarm of faults."""
    return list(run(seed, SECONDS, None, inject))


@pytest.mark.representative("1", "2", "3", "4")
@pytest.mark.parametrize("seed", range(1, 13))
def test_a_run_keeps_the_promises_of_the_text(seed: int) -> None:
    """Four minutes with a swarm of faults break no promise, and their steps are in the order of time."""
    steps = steps_of(seed)
    assert broken(header(seed), steps) == []
    assert [one.time_ms for one in steps] == sorted(one.time_ms for one in steps)


def test_what_is_told_is_all_there_is() -> None:
    """The header's cells with the changes of all steps are the cells of the cluster at the end."""
    cluster = simulate(5, 150)
    *_, (_, _, known) = folded(header(5), cluster.journal.steps)
    told = {(one.variable, one.keys): one.value for one in cluster.journal.cells.all()}
    folds = {(name, keys): value for name, cells in known.items() for keys, value in cells.items()}
    assert folds.items() <= told.items()
    # A cell of a task that was written without ever having been another value is reported by no step.
    assert [told[one] for one in told.keys() - folds.keys() if told[one] not in ([], False, None)] == []
    assert {*first(header(5))} == {*known}


def test_runs_reach_every_step() -> None:
    """Twelve seeds together, or fewer, have every kind of step."""
    every = {
        "BrokerFails", "BrokerReturns", "OnBrokerFailure", "OnBrokerStartup", "TimerFires", "PlaceReplicas",
        "PersistChunk", "DeleteFailedBroker", "StartTask", "DropTask", "CatchUp", "CompleteTask", "ControllerFails",
        "ControllerFailover", "SubmitReassignment",
    }  # fmt: skip
    seen: set[str] = set()
    for seed in range(1, 13):
        seen |= {one.name for one in steps_of(seed)}
        if seen >= every:
            break
    assert seen == every


@pytest.mark.representative("1", "2")
@pytest.mark.parametrize("seed", range(1, 9))
def test_when_nothing_is_wrong_any_more_nothing_is_left_to_do(seed: int) -> None:
    """A quiet time after the faults: no task is left, and every partition has its replicas, all of them in sync."""
    state = simulate(seed, 320).state
    assert (state.head, state.running_task) == (None, None)
    assert not any(state.healing[one] for one in state.brokers)
    for partition in state.partitions:
        assert state.isr[partition] == state.replicas[partition]
        assert len(state.replicas[partition]) >= state.desired[partition]


@pytest.mark.representative("entry-deleted-early", "return-unnoticed", "tasks-at-once")
@pytest.mark.parametrize("name", BUGS)
def test_an_injected_defect_breaks_a_promise(name: str) -> None:
    """Of twenty seeds one shows the defect; without it the same seed breaks nothing, and is another run."""

    def shows(seed: int) -> bool:
        return BROKEN[name] in str(broken(header(seed), steps_of(seed, name)))

    shown = next((seed for seed in range(1, 21) if shows(seed)), 0)
    assert shown
    assert broken(header(shown), steps_of(shown)) == []
    assert steps_of(shown) != steps_of(shown, name)


def test_every_defect_is_listed_with_its_promise() -> None:
    """No defect goes without a claim of what it breaks."""
    assert {*BROKEN} == {*BUGS}


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sets(st.sampled_from(NAMES), max_size=5))
def test_any_mix_of_faults_keeps_the_promises(seed: int, names: set[str]) -> None:
    """Whatever kinds of faults are chosen, and whatever the seed, no promise is broken."""
    assert broken(header(seed), run(seed, 80, ",".join(sorted(names)) or "none")) == []


BROKERS = st.frozensets(st.integers(1, 6), max_size=6)


@given(st.integers(1, 6), st.integers(1, 3), st.lists(BROKERS, min_size=1, max_size=5), BROKERS)
def test_a_placement_is_of_live_brokers_and_keeps_what_lives(
    failed: int, desired: int, members: list[frozenset[int]], live: frozenset[int]
) -> None:
    """A list has the desired number, live brokers only, not the failed one, and all other live replicas."""
    replicas = dict(enumerate(members))
    target = place(failed, 0, desired, replicas, live)
    if target is None:
        assert len(live - {failed}) < desired
    else:
        assert (replicas[0] & live) - {failed} <= target <= live - {failed}
        assert len(target) == max(desired, len((replicas[0] & live) - {failed}))
        assert place(failed, 0, desired, replicas, live) == target
