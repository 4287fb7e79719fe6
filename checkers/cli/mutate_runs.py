"""The seeds of the references that mutants are run beside: few, and chosen so that many rows fire."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from itertools import starmap
from typing import TYPE_CHECKING, Any

from .simulate_design import DESIGNS

if TYPE_CHECKING:
    from fencepost.checkers.mutation import Recorded
    from fencepost.model.registry import Family

SEEDS = {"kraft": range(1, 9), "zk": range(1, 7)}
"""By protocol, the seeds that are run; of any other the first eight."""

UNCLEAN = {"unclean_leader_election_enable": True, "unclean_leader_election_interval_ms": 5000}
"""Static settings under which unclean leaders are elected, and looked for often."""

ALLOWED = (1, 2, 6)
"""Seeds of kraft that are run once more with unclean.leader.election.enable=true in server.properties and with requests
that are seldom made: about the configurations of nodes too."""

BROKERS_STOP = "slow,partition,isolate,loss,broker-kill,broker-power-loss,broker-shutdown"
"""Faults under which brokers stop in every way, lag behind and go on leading unheard."""

PATIENT = {"replica_lag_time_max_ms": 1500, "broker_session_timeout_ms": 25000, "broker_heartbeat_interval_ms": 500}
"""Static settings under which brokers that lost records are back before they are fenced."""

IMPATIENT = {**PATIENT, "replica_lag_time_max_ms": 1000, "broker_session_timeout_ms": 3000}
"""Static settings under which leaders shrink their ISR after a second, and brokers are fenced after three."""

DATA: tuple[tuple[int, Mapping[str, Any]], ...] = (
    *((seed, PATIENT) for seed in (2, 68, 76, 90, 106, 140)),
    *((seed, IMPATIENT) for seed in (43, 48, 51, 65, 73)),
)
"""Seeds of kraft and their static settings, in which all rows of kraft-data fire but DC16."""

SNAPSHOTS = {"metadata_log_max_snapshot_interval_ms": 3000, "metadata_max_retention_bytes": 2000}
"""Static settings under which controllers make snapshots, and who begins anew loads one."""

LOOP: tuple[tuple[int, Mapping[str, Any]], ...] = (
    *((seed, {}) for seed in (3, 5, 16, 24)),
    *((seed, SNAPSHOTS) for seed in (2, 3, 4)),
)
"""Seeds of kraft and their static settings, in which 25 of the 36 rows of kraft-loop fire."""

AS_THE_LOOP = frozenset({"D1", "D2", "D4", "D20"})
"""Defects of Kafka's loop that kraft-loop does not have: the runs repair them, so that a mutant needs no edit more."""

VOTERS = ((6, 3), (18, 3), (42, 3), (45, 3), (92, 3), (138, 3), (23, 4), (52, 4), (112, 4))
"""Seeds of kraft and how many controllers there are, in which all rows of kraft-voters fire but VJ2."""

KRAFT_SECONDS, DATA_SECONDS, LOOP_SECONDS, ZK_SECONDS, DESIGN_SECONDS = 240.0, 200.0, 100.0, 150.0, 90.0
VOTERS_SECONDS = 200.0
"""How long the runs are, of simulated time."""


def seeds_of_a_mutant(of_name: Family) -> int:
    """Return how many seeds are run for a mutant of a protocol: runs of one partition are short."""
    from fencepost.checkers.mutation.simulating import SEEDS as USUAL

    return {"kraft-data": len(DATA), "kraft-loop": len(LOOP), "kraft-voters": len(VOTERS)}.get(of_name.name, USUAL)


def recorded_runs(of_name: Family) -> list[Recorded]:
    """Return the steps of the seeds of a protocol's reference, an empty list for one that has none."""
    return list(_runs(of_name.name))


def _runs(name: str) -> Iterator[Recorded]:
    seeds = SEEDS.get(name, range(1, 9))
    if name == "kraft":
        yield from map(_kraft, seeds)
        yield from (_kraft(seed, **UNCLEAN) for seed in ALLOWED)
    elif name == "kraft-data":
        yield from (_kraft_data(seed, **settings) for seed, settings in DATA)
    elif name == "kraft-loop":
        yield from (_kraft_loop(seed, **settings) for seed, settings in LOOP)
    elif name == "kraft-voters":
        yield from starmap(_kraft_voters, VOTERS)
    elif name == "zk":
        yield from map(_zk, seeds)
    elif name in DESIGNS:
        yield from (_design(name, seed) for seed in seeds)


def _kraft(seed: int, **settings: Any) -> Recorded:
    from fencepost.checkers.conformance.lockstep import Given
    from fencepost.checkers.mutation import kraft_run
    from fencepost.reference.kraft.settings import Settings
    from fencepost.reference.kraft.simulation.plan import Plan
    from fencepost.reference.kraft.simulation.run import Run
    from fencepost.traces.steps import Step

    static = Settings(**settings)
    plan, steps = Plan(seed=seed, seconds=KRAFT_SECONDS, odd=True, settings=static), list[Any]()
    # Steps of brokers with data are checked with another table than the one that is mutated.
    Run(plan, lambda step: steps.append(step) if isinstance(step, Step) else None, None).execute()
    given = Given(static_min=static.min_insync_replicas, unclean=static.unclean_leader_election_enable)
    return kraft_run(seed, steps, static.broker_session_timeout_ms, given)


def _kraft_data(seed: int, **settings: Any) -> Recorded:
    from fencepost.checkers.mutation import kraft_data_run
    from fencepost.reference.kraft.settings import Settings
    from fencepost.reference.kraft.simulation.plan import Plan
    from fencepost.reference.kraft.simulation.run import Run

    static, steps = Settings(**settings), list[Any]()
    plan = Plan(seed=seed, seconds=DATA_SECONDS, quiet_seconds=10, settings=static, faults=BROKERS_STOP)
    Run(plan, steps.append, None).execute()
    return kraft_data_run(seed, steps, static.min_insync_replicas)


def _kraft_loop(seed: int, **settings: Any) -> Recorded:
    from fencepost.checkers.mutation import kraft_loop_run
    from fencepost.reference.kraft.settings import Settings
    from fencepost.reference.kraft.simulation.plan import Plan
    from fencepost.reference.kraft.simulation.run import Run

    static, steps = Settings(repaired=AS_THE_LOOP, **settings), list[Any]()
    plan = Plan(seed=seed, seconds=LOOP_SECONDS, quiet_seconds=10, settings=static)
    Run(plan, loop_sink=steps.append).execute()
    return kraft_loop_run(seed, steps, AS_THE_LOOP)


def _kraft_voters(seed: int, controllers: int) -> Recorded:
    from fencepost.checkers.mutation import kraft_voters_run
    from fencepost.reference.kraft.simulation.plan import Plan
    from fencepost.reference.kraft.simulation.run import Run

    steps = list[Any]()
    plan = Plan(
        seed=seed,
        seconds=VOTERS_SECONDS,
        quiet_seconds=10,
        controllers=controllers,
        brokers=1,
        producers=0,
        voters=True,
    )
    Run(plan, voter_sink=steps.append).execute()
    return kraft_voters_run(seed, steps)


def _zk(seed: int) -> Recorded:
    from fencepost.checkers.mutation import zk_run
    from fencepost.reference.zk.simulation.plan import Plan
    from fencepost.reference.zk.simulation.run import Run

    steps = list[Any]()
    Run(Plan(seed=seed, seconds=ZK_SECONDS), steps.append).execute()
    return zk_run(seed, steps)


def _design(name: str, seed: int) -> Recorded:
    from fencepost.checkers.mutation import design_run

    simulation: Any = importlib.import_module(DESIGNS[name])
    return design_run(seed, simulation.header(seed), list(simulation.run(seed, DESIGN_SECONDS)))


__all__ = ["recorded_runs", "seeds_of_a_mutant"]
