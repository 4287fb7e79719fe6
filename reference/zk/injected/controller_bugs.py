"""Bugs of the controller's own operations: an order, a recipient, a guard that was not right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.reference.simulator.patching import Injection
from fencepost.reference.zk.controller import operations as operations_module
from fencepost.reference.zk.controller.context import ControllerContext
from fencepost.reference.zk.controller.controller import Controller
from fencepost.reference.zk.controller.elections import (
    CONTROLLED_SHUTDOWN,
    ElectionResult,
    Strategy,
    for_controlled_shutdown,
)
from fencepost.reference.zk.controller.operations import Operations
from fencepost.reference.zk.controller.reassignment import Reassignments
from fencepost.reference.zk.controller.replica_states import ReplicaStateMachine
from fencepost.reference.zk.controller.shared import Steps
from fencepost.reference.zk.names import (
    Leadership,
    PartitionState,
    Replica,
    ReplicaAssignment,
    ReplicaState,
    TopicPartition,
    without,
)


def _empties(self: ReplicaStateMachine, isr: tuple[int, ...], broker: int) -> tuple[int, ...]:
    return without(isr, [broker])


def _loads_no_leadership(self: Controller) -> None:
    pass


def _keeps_the_old_assignment_secret(
    self: Reassignments, partition: TopicPartition, completed: ReplicaAssignment
) -> Steps[None]:
    """Elect a leader where that is needed, but tell a leader that stays nothing."""
    context = self.shared.context
    known = context.leadership.get(partition)
    if known is None or known.leader not in completed.replicas or not context.is_online(known.leader, partition):
        yield from _move_leader(self, partition, completed)


_move_leader = Reassignments._move_leader


def _tells_the_leader_only(self: ReplicaStateMachine, replica: Replica, leadership: Leadership) -> tuple[int, ...]:
    return (leadership.leader,)


def _everything_online(self: ReplicaStateMachine) -> Steps[None]:
    """Begin as the page says: every replica, dead or alive, to OnlineReplica."""
    context = self.shared.context
    yield from self.handle(context.replicas_of(context), ReplicaState.ONLINE)


def _drops_reassignments(
    self: Reassignments, should: Callable[[TopicPartition, ReplicaAssignment], bool]
) -> Steps[None]:
    """Resume only what has all of its target up, and forget the rest."""
    context = self.shared.context
    for partition in list(context.reassigning):
        if not all(one in context.live for one in context.assignment(partition).target):
            context.set_reassigning(partition, False)
    yield from _resume(self, should)


_resume = Reassignments.resume


def _metadata_last(self: Controller) -> Steps[None]:
    """Let the state machines start before brokers learn who is alive."""
    operations, context = self.operations, self.shared.context
    yield from operations.replicas.startup()
    yield from operations.partitions.trigger_online()
    yield from self.shared.update_metadata(context.live_or_shutting_down(), [])
    wished = yield from operations.reassignments.wished()
    yield from operations.reassignments.resume(lambda one, _: one not in wished)
    yield from operations.deletion.resume_deletions()
    yield from self._wished_elections()


def _done_first(self: Reassignments, partition: TopicPartition, assignment: ReplicaAssignment) -> Steps[None]:
    """Finish a reassignment, but forget the wish for it before the old replicas are gone."""
    yield from self._done(partition, ReplicaAssignment(assignment.target))
    yield from _finish(self, partition, assignment)


_finish = Reassignments._finish


def _skips_the_never_led(self: ReplicaStateMachine, replica: Replica) -> str:
    return "no state"


def _leaves_out_who_shuts_down(
    context: ControllerContext, partition: TopicPartition, now: Leadership, unclean: bool
) -> ElectionResult:
    result = for_controlled_shutdown(context, partition, now, unclean)
    return ElectionResult(result.leadership, without(result.recipients, context.shutting_down))


def _remembers_the_old_epoch(self: Reassignments, partition: TopicPartition, leadership: Leadership) -> None:
    pass


def _may_always_grow(self: Controller, topic: str) -> bool:
    return True


def _tells_nobody_of_a_death(self: Operations) -> Steps[None]:
    yield from ()


def _only_its_own(self: Operations, brokers: list[int]) -> list[TopicPartition]:
    context = self.shared.context
    return [one for one in context.leadership if set(brokers) & set(context.replicas(one))]


def _any_live_replica(
    context: ControllerContext, partition: TopicPartition, now: Leadership, unclean: bool
) -> ElectionResult:
    """Elect as the page says: the first live replica of the target, in sync or not."""
    target = context.assignment(partition).target
    live = [one for one in target if context.is_online(one, partition)]
    return ElectionResult(now.elected(live[0], now.isr) if live else None, target)


def _page_selector(self: Reassignments, partition: TopicPartition, completed: ReplicaAssignment) -> Steps[None]:
    strategy = Strategy("REASSIGN", "ReassignPartitionLeaderElectionStrategy", _any_live_replica)
    yield from self.partitions.handle([partition], PartitionState.ONLINE, strategy)


def _bug(name: str, source: str, wrong: str, *patches: tuple[Any, str, Any]) -> Injection:
    return Injection(name, source, wrong, patches)


SHUTDOWN_OF_LIVE = Strategy(CONTROLLED_SHUTDOWN.name, CONTROLLED_SHUTDOWN.logged, _leaves_out_who_shuts_down)

BUGS = (
    _bug("Z5", "KAFKA-708", "the last replica in sync is taken out as well", (ReplicaStateMachine, "left_in_sync", _empties)),
    _bug("Z6", "KAFKA-849", "a new controller does not load the leaderships", (Controller, "_load_leadership", _loads_no_leadership)),
    _bug(
        "Z8", "KAFKA-1097", "a leader that stays is not notified of its new replicas, and lets a removed one back in sync",
        (Reassignments, "_move_leader", _keeps_the_old_assignment_secret),
    ),
    _bug(
        "Z9", "KAFKA-1188", "that a replica left is sent to the leader only",
        (ReplicaStateMachine, "recipients", _tells_the_leader_only),
    ),
    _bug(
        "Z11", "KAFKA-3143", "a new controller leaves replicas on dead brokers in sync",
        (ReplicaStateMachine, "startup", _everything_online),
    ),
    _bug(
        "Z12", "KAFKA-4214", "a new controller drops reassignments whose target is not all up",
        (Reassignments, "resume", _drops_reassignments),
    ),
    _bug("Z13", "KAFKA-4443", "a new controller sends leaderships before it says who is alive", (Controller, "_failover", _metadata_last)),
    _bug("Z14", "KAFKA-6193", "the wish for a reassignment is dropped before it is done", (Reassignments, "_finish", _done_first)),
    _bug(
        "Z16", "KAFKA-6650", "replicas of partitions that never had a leader are passed over",
        (ReplicaStateMachine, "never_led", _skips_the_never_led),
    ),
    _bug(
        "Z18", "KAFKA-7482", "a broker that shuts down is not notified who leads in its place",
        (operations_module, "CONTROLLED_SHUTDOWN", SHUTDOWN_OF_LIVE),
    ),
    _bug(
        "Z19", "KAFKA-9212", "the leader epoch that a reassignment raised is not remembered",
        (Reassignments, "remember", _remembers_the_old_epoch),
    ),
    _bug("Z25", "KAFKA-6612", "a topic that waits to be deleted gets more partitions", (Controller, "may_grow", _may_always_grow)),
    _bug("Z27", "KAFKA-13225", "the death of a broker without replicas is sent to no broker", (Operations, "tell_of_death", _tells_nobody_of_a_death)),
    _bug("Z28", "KAFKA-831", "a broker that has come is sent its own partitions only", (Operations, "metadata_for", _only_its_own)),
    _bug(
        "page-reassign-selector", "S4:26", "a reassignment elects a live replica of the target, in sync or not, and at once",
        (Reassignments, "_move_leader", _page_selector),
    ),
)  # fmt: skip
"""The bugs of this group."""
