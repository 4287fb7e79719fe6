"""Seeded runs of both versions: the same to the byte, whole, with every fault; defects change them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from fencepost.reference.kip631.faults import KINDS
from fencepost.reference.kip631.simulation import Cluster, Design
from fencepost.reference.kip631.v1 import simulation as v1
from fencepost.reference.kip631.v2 import simulation as v2
from fencepost.reference.simulator.cells import told
from fencepost.traces.design_steps import DesignStep, Header, header_line, step_line
from tests.cases import each

SIMULATIONS: dict[str, Any] = {"v1": v1, "v2": v2}
DESIGNS: dict[str, Design] = {"v1": v1.DESIGN, "v2": v2.DESIGN}
versions = pytest.mark.parametrize("version", SIMULATIONS)


def bytes_of(version: str, seed: int, seconds: float = 120, **given: str) -> str:
    """Return the whole trace of a run."""
    simulation = SIMULATIONS[version]
    lines = map(step_line, simulation.run(seed, seconds, **given))
    return header_line(simulation.header(seed)) + "".join(lines)


@cache
def steps_of(version: str, seed: int) -> tuple[DesignStep, ...]:
    """Return the steps of a run of two minutes."""
    return tuple(SIMULATIONS[version].run(seed))


@cache
def fair_bytes_of(version: str, seed: int) -> str:
    """Return the trace of a run without a defect."""
    return bytes_of(version, seed)


class State:
    """The cells of a run, as its header and its steps tell them."""

    def __init__(self, header: Header) -> None:
        self.settings = header.settings
        self.cells: dict[tuple[str, tuple[int, ...]], Any] = {}
        for variable, keys, value in header.settings["initial"]:
            self.cells[variable, tuple(keys)] = value

    def __call__(self, name: str, *keys: int) -> Any:
        """Return what a cell is now."""
        return self.cells[name, keys]

    def after(self, steps: Iterable[DesignStep]) -> Iterator[DesignStep]:
        """Yield the steps, each when what it changed is in the cells."""
        for step in steps:
            self.cells |= {(one.variable, one.keys): one.value for one in step.changed}
            yield step


@versions
def test_one_seed_is_one_run(version: str) -> None:
    """The same seed gives the same bytes, another one others; a shorter run begins as the longer one does."""
    whole = bytes_of(version, 7, 40)
    assert bytes_of(version, 7, 40) == whole
    assert bytes_of(version, 8, 40) != whole
    assert whole.startswith(bytes_of(version, 7, 3))


@versions
def test_runs_are_of_the_promised_size(version: str) -> None:
    """Two minutes are 300 to 3,000 steps, and the clock never goes back."""
    for seed in range(1, 5):
        times = [step.time_ms for step in steps_of(version, seed)]
        assert 300 <= len(times) <= 3_000
        assert times == sorted(times)


@versions
@pytest.mark.parametrize("seed", range(1, 6))
def test_steps_tell_every_cell_that_changes(version: str, seed: int) -> None:
    """What the header and the steps tell is how the cells are in the end, none more, none fewer."""
    header = SIMULATIONS[version].header(seed)
    state = State(header)
    cluster = Cluster(DESIGNS[version], seed)
    cluster.start()
    for _ in state.after(cluster.run(30)):
        pass
    assert state.cells == {(one.variable, one.keys): told(one.value) for one in cluster.journal.cells.all()}


@versions
def test_every_step_changes_what_it_names(version: str) -> None:
    """No step has a cell that keeps its value."""
    state = State(SIMULATIONS[version].header(3))
    before = dict(state.cells)
    for step in state.after(steps_of(version, 3)):
        for one in step.changed:
            assert before[one.variable, one.keys] != one.value, step
        before = dict(state.cells)


@pytest.mark.representative("1-v1", "1-v2", "2-v1", "2-v2")
@versions
@pytest.mark.parametrize("seed", range(1, 6))
def test_partitions_stay_whole(version: str, seed: int) -> None:
    """In every state a leader is in sync and not fenced, somebody is in sync, and all in sync are replicas.

    Leader epochs never fall, and no epoch of a partition has two leaders; a broker that is not registered is fenced.
    """
    state = State(SIMULATIONS[version].header(seed))
    partitions = [int(one) for one in state.settings["replicas"]]
    leaders: dict[tuple[int, int], int | None] = {}
    epochs = dict.fromkeys(partitions, 0)
    for step in state.after(steps_of(version, seed)):
        for one in partitions:
            leader, epoch, isr = state("leader", one), state("leader_epoch", one), state("isr", one)
            assert isr, step
            assert set(isr) <= set(state("replicas", one)), step
            assert leader is None or (leader in isr and not state("fenced", leader)), step
            assert epoch >= epochs[one], step
            epochs[one] = epoch
            assert leaders.setdefault((one, epoch), leader) == leader, step
        for broker in state.settings["brokers"]:
            assert state("registered", broker) or state("fenced", broker), step


def outlived(seed: int, inject: str | None = None) -> list[bool]:
    """Return, for every lease that the controller ends in a run, whether the broker serves on."""
    state = State(v1.header(seed))
    steps = state.after(v1.run(seed, inject=inject) if inject else steps_of("v1", seed))
    return [state("serving", step.parameters["b"]) for step in steps if step.name == "LeaseExpires"]


def test_a_lease_ends_first_where_it_is_held() -> None:
    """When the controller ends a broker's lease, the broker serves no longer: all clocks go alike, and its began first.

    With a lease that is counted otherwise there are brokers that do.
    """
    fair = [outlived(seed) for seed in range(1, 9)]
    assert all(fair)
    assert not any(map(any, fair))
    assert any(any(outlived(seed, "S-f-lease")) for seed in range(1, 9))
    assert any(any(outlived(seed, "unasked-lease")) for seed in range(1, 9))


@each("seed", range(1, 6))
def test_no_epoch_is_given_twice(seed: int) -> None:
    """In the second version registrations of processes have epochs that grow."""
    epochs: dict[tuple[int, int], int] = {}
    for step in steps_of("v2", seed):
        if step.name == "Register" and step.answer.startswith("NONE ") and step.changed[0].variable == "broker_epoch":
            epoch = int(step.answer.split()[1])
            assert all(epoch > one for one in epochs.values()), step
            epochs[step.parameters["b"], step.parameters["incarnation"]] = epoch
    assert len(epochs) > 3


@versions
def test_a_quiet_cluster_comes_back(version: str) -> None:
    """Faults and work over, all brokers serve and every partition is led by the end of a run."""
    for seed in range(1, 7):
        state = State(SIMULATIONS[version].header(seed))
        # A broker that was removed while it ran waits for its operator.
        removed = {
            step.parameters["b"]
            for step in state.after(steps_of(version, seed))
            if step.name == "Unregister" and step.answer == "NONE"
        }
        serving = {one for one in state.settings["brokers"] if state("serving", one) and not state("fenced", one)}
        assert serving | removed == set(state.settings["brokers"]), seed
        for one in (int(one) for one in state.settings["replicas"]):
            assert state("leader", one) is not None or not set(state("isr", one)) & serving, seed


@versions
def test_every_fault_happens_and_every_answer_is_given(version: str) -> None:
    """With all kinds of faults, a few runs have every step and every error that the version knows."""
    common = {"Register DUPLICATE_BROKER_REGISTRATION", "Register UNSUPPORTED_VERSION", "Register NOT_CONTROLLER"}
    common |= {"Heartbeat NOT_CONTROLLER", "Heartbeat STALE_BROKER_EPOCH", "Heartbeat NONE", "Register NONE"}
    own = {
        "v1": {"Heartbeat IGNORED", "LeaseExpires ", "OwnLeaseExpires ", "CatchUp ", "BeginRegistration "},
        "v2": {
            "Register INVALID_CLUSTER_ID", "SessionExpires ", "Unregister NONE", "Unregister UNSUPPORTED_VERSION",
            "AlterIsr NONE", "AlterIsr FENCED_LEADER_EPOCH", "AlterReassignment NONE",
            "AlterReassignment INVALID_REPLICA_ASSIGNMENT",
            "CreateTopic ",
            "RemoveTopic ",
            "HostTopic ",
            "ApplySnapshot ",
        },
    }  # fmt: skip
    own[version] |= {"ControllerFails", "ControllerFailover", "ElectLeader", "RecoverLogs", "BeginShutdown"}
    seen: set[str] = set()
    for seed in range(1, 9):
        for step in SIMULATIONS[version].run(seed, faults="all"):
            seen |= {step.name, f"{step.name} {step.answer.split(' ')[0]}"}
        if common | own[version] <= seen:
            break
    assert (common | own[version]) - seen == set()


def test_faults_are_chosen_by_name() -> None:
    """`none` is a cluster without faults, one name only that kind; a name that is none is answered with all."""
    calm = Counter(step.name for step in v1.run(2, 60, faults="none"))
    assert calm["ControllerFails"] == 0
    assert Counter(step.name for step in v1.run(2, 60, faults="controller-resign"))["ControllerFails"] > 0
    with pytest.raises(ValueError, match=f"--faults flood: there is swarm, all, none, and {KINDS[0][0]}"):
        v1.run(1, 10, faults="flood")


@pytest.mark.representative("v1-S-f", "v1-fence-forgotten", "v2-any-metadata")
@pytest.mark.parametrize(
    ("version", "name"), [(one, name) for one, found in SIMULATIONS.items() for name in found.BUGS]
)
def test_a_defect_changes_a_run(version: str, name: str) -> None:
    """Each defect makes one of a few runs another one."""
    changed = (bytes_of(version, seed, inject=name) != fair_bytes_of(version, seed) for seed in range(1, 13))
    assert any(changed)


@versions
def test_a_defect_is_there_only_for_its_own_run(version: str) -> None:
    """Two runs that are read in turns, one with a defect, are what each is alone; it is gone when that one is over."""
    simulation, defect = SIMULATIONS[version], {"v1": "S-f", "v2": "S-e"}[version]
    both = list(zip(simulation.run(1, 20), simulation.run(1, 20, inject=defect), strict=False))
    assert [one for one, _ in both] == list(simulation.run(1, 20))[: len(both)]
    assert [one for _, one in both] != [one for one, _ in both]


@versions
def test_a_defect_that_is_none_is_refused(version: str) -> None:
    """A name that is none is answered with those that there are; each says where it was and what goes wrong."""
    simulation = SIMULATIONS[version]
    with pytest.raises(ValueError, match="--inject luck: there is none of that name; there are S-"):
        simulation.run(1, 10, inject="luck")
    assert len(simulation.BUGS) >= 10
    assert all(bug.source.startswith("S2:") and bug.wrong for bug in simulation.BUGS.values())
