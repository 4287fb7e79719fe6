"""Runs of KIP-343's reference: every promise is kept, every step reached, and each injected defect breaks one."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.reference.kip343.faults import NAMES
from fencepost.reference.kip343.injected import BUGS
from fencepost.reference.kip343.simulation import header, run, simulate
from fencepost.traces.design_steps import DesignStep
from tests.cases import each
from tests.reference.folded import first, folded

from .promises import broken

BROKEN = {
    "two-isr-writers": "only the leader in its epoch changes an ISR",
    "leader-epoch-ignored": "only the leader in its epoch changes an ISR",
    "old-incarnation-heartbeats": "the incarnation of a broker never decreases",
    "incarnation-of-isr-change-unchecked": "only the present incarnation changes an ISR",
    "empty-isr": "no ISR is empty",
    "stopping-takes-leaders": "only an active broker becomes leader",
    "legacy-times-out": "a legacy broker does not become inactive by its silence",
    "incarnation-forgotten": "the incarnation of a broker never decreases",
    "active-at-failover": "a new controller holds all but legacy brokers for inactive",
    "error-is-contact": "an error is no contact",
    "never-fences": "a broker without answers fences itself",
}
"""By defect: the promise that its runs break first of all."""


@cache
def steps_of(seed: int, seconds: float = 120, inject: str | None = None) -> list[DesignStep]:
    """Return the steps of a run with a swarm of faults."""
    return list(run(seed, seconds, None, inject))


@each("seed", range(1, 13))
def test_a_run_keeps_the_promises_of_the_text(seed: int) -> None:
    """Two minutes with a swarm of faults break no promise, and their steps are in the order of time."""
    steps = steps_of(seed)
    assert broken(header(seed), steps) == []
    assert [one.time_ms for one in steps] == sorted(one.time_ms for one in steps)


def test_what_is_told_is_all_there_is() -> None:
    """The header's cells with the changes of all steps are the cells of the cluster at the end."""
    cluster = simulate(4, 90)
    *_, (_, _, known) = folded(header(4), cluster.journal.steps)
    assert known == {
        variable: {one.keys: one.value for one in cluster.journal.cells.all() if one.variable == variable}
        for variable in first(header(4))
    }


def test_runs_reach_every_step_and_every_answer() -> None:
    """Twelve seeds together have every kind of step with every answer that the text knows."""
    reached = {(one.name, one.answer) for seed in range(1, 13) for one in steps_of(seed)}
    answers = {
        "Heartbeat": {"NONE Active", "NONE Stopping", "INVALID_INCARNATION_ID", "INVALID_REQUEST"},
        "IsrChange": {
            "NONE", "NOT_CONTROLLER", "INVALID_INCARNATION_ID", "NOT_LEADER_FOR_PARTITION", "INVALID_REQUEST",
        },
    }  # fmt: skip
    for name, expected in answers.items():
        assert {answer for step, answer in reached if step == name} == expected
    assert {name for name, _ in reached} >= {
        "StartBroker", "StartAnother", "Reregister", "ExpireSession", "StopBroker", "SendHeartbeat", "HeartbeatReply",
        "ControllerTimer", "BrokerTimer", "ControllerFails", "ControllerFailover", "BeginShutdown", "CancelShutdown",
        "SeeRegistration", "SeeDeregistration", "ElectLeader", "WriteIsr", "UpdateMetadata",
    }  # fmt: skip


@each("seed", range(1, 9))
def test_when_nothing_is_wrong_any_more_all_brokers_serve(seed: int) -> None:
    """A quiet time after the faults: every broker is active and serves, every partition has a leader."""
    cluster = simulate(seed, 160)
    state = cluster.state
    assert {one: broker.serves for one, broker in cluster.brokers.items()} == dict.fromkeys(cluster.brokers, True)
    assert {state.state[one].value for one in cluster.brokers} == {"Active"}
    assert all(state.leader[one] is not None for one in state.leader)


@each("name", BUGS)
def test_an_injected_defect_breaks_a_promise(name: str) -> None:
    """Of twelve seeds one shows the defect; without it the same seed breaks nothing, and is another run."""

    def shows(seed: int) -> bool:
        return BROKEN[name] in str(broken(header(seed), steps_of(seed, 120, name)))

    shown = next((seed for seed in range(1, 13) if shows(seed)), 0)
    assert shown
    assert steps_of(shown) != steps_of(shown, 120, name)


def test_every_defect_is_listed_with_its_promise() -> None:
    """No defect goes without a claim of what it breaks."""
    assert {*BROKEN} == {*BUGS}


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sets(st.sampled_from(NAMES), max_size=5))
def test_any_mix_of_faults_keeps_the_promises(seed: int, names: set[str]) -> None:
    """Whatever kinds of faults are chosen, and whatever the seed, no promise is broken."""
    assert broken(header(seed), run(seed, 40, ",".join(sorted(names)) or "none")) == []
