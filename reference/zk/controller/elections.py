"""How a leader is chosen: four strategies, each a rule for leader, in-sync replicas, and brokers to notify."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fencepost.reference.zk.names import RECOVERING, Leadership, TopicPartition

from .context import ControllerContext


@dataclass(frozen=True, slots=True)
class ElectionResult:
    """The new leadership, None where no replica may lead, and the brokers to which it is sent."""

    leadership: Leadership | None
    recipients: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to elect a leader: its short name, its name in Kafka's log, and the rule."""

    name: str
    logged: str
    elect: Callable[[ControllerContext, TopicPartition, Leadership, bool], ElectionResult]
    unclean: bool = False


def for_offline(
    context: ControllerContext, partition: TopicPartition, now: Leadership, unclean: bool
) -> ElectionResult:
    """Elect the first assigned replica that is online and in sync; if unclean, otherwise the first that is online.

    A leader from outside the in-sync replicas is alone among them, and recovering.
    """
    assigned = context.replicas(partition)
    online = tuple(one for one in assigned if context.is_online(one, partition))
    for leader in online:
        if leader in now.isr:
            isr = [one for one in now.isr if context.is_online(one, partition)]
            return ElectionResult(now.elected(leader, isr), online)
    if unclean and online:
        return ElectionResult(now.elected(online[0], [online[0]], RECOVERING), online)
    return ElectionResult(None, online)


def for_reassignment(
    context: ControllerContext, partition: TopicPartition, now: Leadership, unclean: bool
) -> ElectionResult:
    """Elect the first replica of the target that is online and in sync; the in-sync replicas stay."""
    target = context.assignment(partition).target
    for leader in target:
        if context.is_online(leader, partition) and leader in now.isr:
            return ElectionResult(now.elected(leader, now.isr), target)
    return ElectionResult(None, target)


def for_preferred(
    context: ControllerContext, partition: TopicPartition, now: Leadership, unclean: bool
) -> ElectionResult:
    """Elect the first assigned replica, if it is online and in sync; the in-sync replicas stay."""
    assigned = context.replicas(partition)
    if assigned and context.is_online(assigned[0], partition) and assigned[0] in now.isr:
        return ElectionResult(now.elected(assigned[0], now.isr), assigned)
    return ElectionResult(None, assigned)


def for_controlled_shutdown(
    context: ControllerContext, partition: TopicPartition, now: Leadership, unclean: bool
) -> ElectionResult:
    """Elect the first assigned in-sync replica that is not shutting down; those that are leave the in-sync replicas.

    A broker that shuts down is notified as well: else the old leader would lead until it is down.
    """
    up = tuple(one for one in context.replicas(partition) if context.is_online(one, partition, or_shutting_down=True))
    for leader in up:
        if leader in now.isr and leader not in context.shutting_down:
            isr = [one for one in now.isr if one not in context.shutting_down]
            return ElectionResult(now.elected(leader, isr), up)
    return ElectionResult(None, up)


OFFLINE = Strategy("OFFLINE", "OfflinePartitionLeaderElectionStrategy(false)", for_offline)
OFFLINE_UNCLEAN = Strategy("OFFLINE_UNCLEAN", "OfflinePartitionLeaderElectionStrategy(true)", for_offline, unclean=True)
REASSIGN = Strategy("REASSIGN", "ReassignPartitionLeaderElectionStrategy", for_reassignment)
PREFERRED = Strategy("PREFERRED", "PreferredReplicaPartitionLeaderElectionStrategy", for_preferred)
CONTROLLED_SHUTDOWN = Strategy(
    "CONTROLLED_SHUTDOWN", "ControlledShutdownPartitionLeaderElectionStrategy", for_controlled_shutdown
)
