"""State that the tables leave out knowingly, re-synchronised as the state goes on, or counted by name.

The index of eligible leader replicas is a list of partition numbers for a topic and a broker. A partition
that is in it twice (D6) is taken out whole, but the list gets one shorter only: what is left over is a 0, which
names partition 0. The tables have that for partition 0 itself; here it is done for the others. And the tables
distinguish four entries of one partition: where there are more, a result has the same record oftener than they say.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.requests.adapting import topic_named
from fencepost.checkers.conformance.requests.outcomes import Outcome
from fencepost.model.kraft import state as k
from fencepost.traces.events import AlterPartitionReassignments
from fencepost.traces.steps import Step

from .cells import MISSING, Change
from .controller_state import ControllerState

CHANGE = "PartitionChange"
"""The record that takes a partition out of the list."""


def mend(controller: ControllerState, changed: Sequence[Change]) -> list[Change]:
    """List partition 0 as often more as entries of another partition are left over; return what that changed."""
    number = controller.shape.numbers[k.elr_index.state]
    index = controller.cells.tables[number]
    found: list[Change] = []
    for table, key, old in changed:
        if table != number or old is MISSING or old < 2 or key in index:
            continue
        (topic, at), broker = key
        first = ((topic, 0), broker)
        if at > 0:
            more = (old - 1) * controller.count((topic, at))
            found += controller.apply([(number, first, index.get(first, 0) + more)])
    return found


CROWDED = f"a partition is in the index of eligible leaders more than {len(k.Copy)} times (D6), and changes as often"
"""The name of a step that differs from the tables only by how often it writes the same record."""


UNASSIGNED_LEADER = "who may lead is no replica any more (D9), which the rows have for heartbeats only"
"""The name of a step that ends with the exception of D9 where no row has it."""


def throws_beyond_the_rows(fault: str) -> bool:
    """Whether a step ended with the exception of D9: any build of such a partition throws, not only a heartbeat's."""
    return "is not assigned to this partition" in fault


def throws_in_a_reassignment(step: Step, controller: ControllerState) -> bool:
    """Whether a reassignment was refused as that exception makes it: a candidate of the partition is no replica."""
    request = step.request
    if not isinstance(request, AlterPartitionReassignments) or request.answers != ("UNKNOWN_SERVER_ERROR",):
        return False
    partition = (topic_named(controller, request.name), request.partition)
    elr, last, replicas = (controller.read(one.state, (partition,)) for one in (k.elr, k.last_known, k.replicas))
    return not {*elr, *last} <= set(replicas)


def crowded(controller: ControllerState) -> bool:
    """Whether an index has more entries of one partition than the tables distinguish."""
    index = controller.cells.tables[controller.shape.numbers[k.elr_index.state]]
    return any(count > len(k.Copy) for count in index.values() if isinstance(count, int))


def alike(outcome: Outcome, written: Sequence[BoundRecord | None]) -> bool:
    """Whether the records are those of an outcome but for how often each is there."""
    expected = [one for group in outcome.groups for one in group]
    records = [one for one in written if one is not None]
    return all(any(one.is_written(record) for one in expected) for record in records) and all(
        any(one.is_written(record) for record in records) for one in expected
    )
