"""Faults: each kind happens and ends, a mix is drawn from the seed, and all is well when they are over."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.faults import (
    GROUPS,
    KINDS,
    FaultInjector,
    FaultPlan,
    draw_plans,
    parse_faults,
)

from .test_whole_cluster import create, started


@pytest.mark.representative("controller-crash", "broker-kill", "partition")
@pytest.mark.parametrize("name", list(KINDS))
def test_each_kind_happens_and_is_survived(name: str) -> None:
    """A minute of one kind of fault, again and again; half a minute after the last, nothing is wrong."""
    cluster = started(settings=Settings(min_insync_replicas=2))
    create(cluster, "a", "b")
    told: list[tuple[str, str]] = []
    plan = FaultPlan(KINDS[name], 8, 4)
    injector = FaultInjector(cluster, [plan], lambda who, what: told.append((who, what)))
    injector.start()
    cluster.run(60)
    injector.stop()
    assert injector.happened[name] == len(told) > 0
    happened = len(told)
    cluster.run(40)
    assert cluster.problems() == []
    assert len(told) == happened, "after the end nothing happens"
    assert cluster.fatal == []


def test_what_a_fault_does_is_told_and_undone() -> None:
    """A cut link carries again, a held process is started again, when the fault is over or all are ended."""
    cluster = started()
    injector = FaultInjector(cluster, [FaultPlan(KINDS["partition"], 2, 1000), FaultPlan(KINDS["slow"], 2, 1000)])
    injector.start()
    cluster.run(20)
    names = cluster.network.names()
    pairs = [(a, b) for a in names for b in names if a != b]
    assert any(cluster.faults.is_cut(*pair) for pair in pairs)
    assert any(cluster.faults.link(*pair) != cluster.faults.usual for pair in pairs)
    injector.stop()
    assert not any(cluster.faults.is_cut(*pair) for pair in pairs)
    assert all(cluster.faults.link(*pair) == cluster.faults.usual for pair in pairs)


def test_a_disk_is_lost_only_where_that_loses_nothing() -> None:
    """With one of the other voters down or behind, or with too few voters, no controller's disk is taken."""
    cluster = started()
    kind, draw = KINDS["controller-disk-loss"], random.Random(1)
    down = next(node for node in cluster.controllers.values() if not node.active)
    cluster.hold(down)
    down.crash()
    assert kind.begin(cluster, draw) is None
    assert KINDS["controller-disk-loss"].begin(started(controllers=1), draw) is None
    cluster.release(down)
    cluster.run(10)
    begun = kind.begin(cluster, draw)
    assert begun is not None
    loser = cluster.network.processes[begun.who]
    assert loser is not cluster.active
    begun.end()
    cluster.run(15)
    assert cluster.problems() == []


def test_names_of_kinds_and_groups() -> None:
    """Kinds may be named alone or in groups; none is none, a swarm is drawn; an unknown name says what there is."""
    assert parse_faults("none") == parse_faults("") == ()
    assert parse_faults("all") == tuple(KINDS)
    assert parse_faults("swarm") is None
    assert parse_faults("slow, controller-crash") == ("controller-crash", "slow")
    assert set(GROUPS["controllers"] + GROUPS["brokers"] + GROUPS["network"]) == set(KINDS)
    with pytest.raises(ValueError, match=r"--faults quake: there is swarm, controllers, .*controller-crash"):
        parse_faults("quake")


@given(st.integers(0, 10**6))
def test_plans_are_drawn_from_the_seed(seed: int) -> None:
    """The same seed draws the same kinds, rates and lengths; a choice is kept; rates stay within a factor of four."""
    assert draw_plans(random.Random(seed), None) == draw_plans(random.Random(seed), None)
    chosen = draw_plans(random.Random(seed), ("slow", "loss"))
    assert [plan.kind.name for plan in chosen] == ["slow", "loss"]
    assert all(plan.kind.every_s / 4 <= plan.every_s <= plan.kind.every_s * 4 for plan in chosen)
    assert draw_plans(random.Random(seed), ()) == ()


def test_a_swarm_is_a_part_of_all() -> None:
    """Over many seeds every kind is in some runs and absent from others."""
    runs = [{plan.kind.name for plan in draw_plans(random.Random(seed), None)} for seed in range(50)]
    for name in KINDS:
        assert any(name in run for run in runs)
        assert any(name not in run for run in runs)


@pytest.mark.representative("1")
@pytest.mark.parametrize("seed", range(3))
def test_swarms_are_survived(seed: int) -> None:
    """Three minutes of a mix of faults, then a quiet time: one controller, all brokers unfenced, leaders everywhere."""
    cluster = started(seed=seed, settings=Settings(min_insync_replicas=2))
    create(cluster, "a", "b", "c")
    injector = FaultInjector(cluster, draw_plans(random.Random(seed), None))
    injector.start()
    cluster.run(180)
    injector.stop()
    cluster.run(60)
    assert cluster.problems() == []
    assert sum(injector.happened.values()) > 5
