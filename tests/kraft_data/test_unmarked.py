"""Where `kraft` is no row of the slice: runs from a first state to an unclean election that no record marks."""

from typing import Any

from fencepost.checkers.counterexample import Trace, holds, replay
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import EXPIRED, FENCING, HEARTBEAT, REGISTRATION
from fencepost.model.kraft.partitions import ALTER_PARTITION, LEADERS
from fencepost.model.kraft.reassignment import REASSIGNMENT
from fencepost.model.kraft.state import Recovery
from fencepost.model.kraft.topics import TOPICS
from fencepost.model.kraft_data.refinement import CASES
from fencepost.model.language import BOOL, Row, Valuation, World

TABLES = (REGISTRATION, HEARTBEAT, EXPIRED, FENCING, TOPICS, REASSIGNMENT, LEADERS, ALTER_PARTITION)
SMALL = KRAFT.slice(*(table.name for table in TABLES), name="kraft", properties=())
SIZES = {"Broker": 3, "Directory": 8, "Feature": 2, "Incarnation": 2, "Partition": 2, "Range": 2, "Request": 1}
"""Entities; of the sorts that are not named there is one."""
START = {
    "range_feature": 0, "lowest": 0, "highest": 1, "metadata_version": 33, "elr_version": 1, "metadata.version": 0,
    "eligible.leader.replicas.version": 1,
    "kraft.version": 0, "kraft_version": 0, "unassigned": 0, "migrating": 1, "lost": 2, "index": 0, "topic": 0,
    "active_controller": 0, "key": 0, "resource": 0, "resource_type": 0, "asks": False, "asked": 0,
    "min.insync.replicas": 0, "assigns": False, "assigned": 0,
}  # fmt: skip
BY_KEY = {("range_feature", 1): 1, ("highest", 0): 33, ("index", 1): 1}


def started(placed: tuple[int, ...]) -> tuple[World, Valuation]:
    """Return the entities and the first state: 4.4's metadata version, ELR on, creation places partitions so."""
    sizes = {name: SIZES.get(name, 1 if name[0].isupper() else 40) for name in SMALL.sized_kinds()}
    world = World.of(sizes, SMALL.kinds)
    given = {**START, "placed": placed}
    cells: dict[Any, Any] = {}
    for state in SMALL.states:
        if state.name in given:
            keys = [(key,) for key in world.values(state.keys[0])] if state.keys else [()]
            cells |= {(state, one): BY_KEY.get((state.name, *one), given[state.name]) for one in keys}
    return world, Valuation(cells)


def bound(row: str, **values: Any) -> tuple[Row, dict[Any, Any]]:
    """Return a row of the slice with its parameters: those that are not named are false, none or 0."""
    one = SMALL.row(row)
    usual = {"previous_epoch": -1, "dirs": (), "ranges": frozenset({0, 1}), "same_cluster": True, "may_resize": True}
    free = {v: usual.get(v.name, False if v.kind == BOOL else 0) for v in one.params}
    return one, {v: values.get(v.name, value) for v, value in free.items()}


def run(placed: tuple[int, ...], *steps: tuple[Row, dict[Any, Any]]) -> Trace:
    """Replay rows from the first state; each guard has to hold."""
    world, start = started(placed)
    return replay(SMALL, world, start, steps)


def cell(trace: Trace, name: str, *keys: int) -> Any:
    """Return the value of a cell at the end of a run."""
    [state] = [one for one in SMALL.states if one.name == name]
    return trace.end.read(state, keys)


def misses(trace: Trace, target: str) -> bool:
    """Return whether the last step of a run makes a target's claim false."""
    [case] = [one for one in CASES if one.target.id == target]
    last = trace.steps[-1]
    return not holds(case.claim.term, last.before, trace.world, last.after, last.binding)


TAKEN_BACK = (
    bound("R1", b=0, dirs=(3,)),
    bound("HB2", b=0, broker_epoch=0, off=0),
    bound("CT3", has_unclean=True, unclean=True, min_insync=1),
    bound("R1", b=1, dirs=(4,)),
    bound("RA3", p=1, target=(1,)),
    bound("SI1", b=0),
    bound("R2u", b=0, i=1, dirs=(3,)),
    bound("RC4", p=1),
)


def test_a_reassignment_that_is_taken_back_makes_an_unclean_leader_without_a_mark() -> None:
    """A broker that stopped uncleanly is put back into the ISR by RC4, and elected by HB2 as if it had everything."""
    lost = run((0,), *TAKEN_BACK[:-1])
    assert (cell(lost, "isr", 1), cell(lost, "elr", 1), cell(lost, "leader", 1)) == ((), frozenset(), None)
    back = run((0,), *TAKEN_BACK)
    assert (cell(back, "isr", 1), cell(back, "leader", 1)) == ((0,), None)
    assert misses(back, "RF22")
    led = run((0,), *TAKEN_BACK, bound("HB2", b=0, broker_epoch=2, off=2))
    assert cell(led, "leader", 1) == 0
    assert cell(led, "recovery", 1) is Recovery.RECOVERED


def test_without_the_cancel_the_election_is_marked() -> None:
    """The same broker, where the reassignment is not cancelled, is elected as the last known leader, and recovers."""
    led = run((0,), *TAKEN_BACK[:-1], bound("HB2", b=0, broker_epoch=2, off=2))
    assert cell(led, "leader", 1) == 0
    assert cell(led, "recovery", 1) is Recovery.RECOVERING


RECOVERS = (
    bound("R1", b=0, dirs=(3,)),
    bound("HB2", b=0, broker_epoch=0, off=0),
    bound("R1", b=1, dirs=(4,)),
    bound("CT3", has_unclean=True, unclean=True, min_insync=1),
    bound("SI1", b=0),
    bound("F1", b=0),
    bound("HB2", b=1, broker_epoch=1, off=1),
    bound("HB2", b=0, broker_epoch=0, off=0),
    bound("LP1", b=1, proposal=frozenset({1})),
    bound("R3", b=1, dirs=(5,)),
    bound("A14", b=1),
)


def test_a_proposal_that_ends_a_recovery_makes_an_unclean_leader_without_a_mark() -> None:
    """The recovering leader has lost its directory: A14 notes that it has recovered, and elects another uncleanly."""
    before = run((0, 1), *RECOVERS[:-1])
    assert (cell(before, "leader", 0), cell(before, "recovery", 0)) == (1, Recovery.RECOVERING)
    assert (cell(before, "isr", 0), cell(before, "elr", 0)) == ((1,), frozenset())
    after = run((0, 1), *RECOVERS)
    assert (cell(after, "leader", 0), cell(after, "recovery", 0)) == (0, Recovery.RECOVERED)
    assert misses(after, "RF28p")
