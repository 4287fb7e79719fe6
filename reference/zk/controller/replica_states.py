"""The replica state machine: replicas that come, run, stop, and are deleted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fencepost.reference.zk.log_lines import listed, old_leadership, state_change_failed
from fencepost.reference.zk.names import NO_LEADER, Leadership, Replica, ReplicaState, without
from fencepost.reference.zk.zookeeper import SessionExpired

from .partition_states import SESSION_EXPIRED
from .shared import Shared, Steps
from .store import ControllerMoved

Lines = list[tuple[str, str]]


class ReplicaStateMachine:
    """Moves replicas between their states; a move that is not allowed is refused, logged, and changes nothing."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared

    # -- the start of a new controller -----------------------------------------------------------------------------
    def initialize(self) -> None:
        """Let each replica begin online, or, where it cannot be used, as one whose deletion has to wait.

        The latter has nothing to do with a deletion: it only is a state from which a replica can go offline.
        """
        context = self.shared.context
        for replica in context.replicas_of(context):
            online = context.is_online(replica.broker, replica.partition)
            context.set_replica_state(replica, ReplicaState.ONLINE if online else ReplicaState.DELETION_INELIGIBLE)

    def startup(self) -> Steps[None]:
        """Tell every replica that can be used its leadership, and take the others out of the in-sync replicas."""
        context = self.shared.context
        everyone = context.replicas_of(context)
        online = [one for one in everyone if context.is_online(one.broker, one.partition)]
        offline = [one for one in everyone if not context.is_online(one.broker, one.partition)]
        yield from self.handle(online, ReplicaState.ONLINE)
        yield from self.handle(offline, ReplicaState.OFFLINE)

    # -- state changes ---------------------------------------------------------------------------------------------
    def handle(self, replicas: Iterable[Replica], to: ReplicaState) -> Steps[None]:
        """Move replicas to a state, broker by broker, and send what follows.

        Raises `ControllerMoved` where ZooKeeper says that there is a newer controller: then no broker is sent anything.
        """
        shared = self.shared
        by_broker: dict[int, list[Replica]] = {}
        for replica in replicas:
            by_broker.setdefault(replica.broker, []).append(replica)
        if not by_broker:
            return
        shared.batch.new()
        for broker in sorted(by_broker):
            lines: Lines = []
            for replica in by_broker[broker]:
                told: dict[str, Any] = {"partition": str(replica.partition), "replica": broker, "to": to.value}
                try:
                    outcome = self._change(replica, to, lines)
                except ControllerMoved:
                    shared.tell("ReplicaState", "epoch moved", **told)
                    raise
                shared.tell("ReplicaState", outcome, **told)
                yield
            for level, text in lines:
                shared.state_change(level, text)
        shared.batch.send()

    def _change(self, replica: Replica, to: ReplicaState, lines: Lines) -> str:
        shared, context = self.shared, self.shared.context
        before = context.replica_state(replica)
        if before not in to.valid_previous:
            valid = listed((one.value for one in to.valid_previous), ",")
            self._failed(
                replica, before, to,
                f"java.lang.IllegalStateException: Replica {replica} should be in the {valid} states before moving to "
                f"{to.value} state. Instead it is in {before.value} state",
            )  # fmt: skip
            return "illegal"
        if to is ReplicaState.NEW:
            outcome = self._new(replica, before)
        elif to is ReplicaState.ONLINE:
            outcome = self._online(replica, before)
        elif to is ReplicaState.OFFLINE:
            outcome = self._offline(replica, before, lines)
        else:
            outcome = ""
            if to is ReplicaState.DELETION_STARTED:
                shared.batch.add_stop_replica(replica.broker, replica.partition, delete=True)
            elif to is ReplicaState.NON_EXISTENT:
                assignment = context.assignment(replica.partition)
                context.set_assignment(replica.partition, assignment.remove_replica(replica.broker))
        if outcome:
            return outcome
        lines.append((
            "TRACE",
            f"Changed state of replica {replica.broker} for partition {replica.partition} from {before.value} to "
            f"{to.value}",
        ))  # fmt: skip
        context.set_replica_state(replica, to)
        return ""

    def _new(self, replica: Replica, before: ReplicaState) -> str:
        """Make a replica; if the partition has a leader already, the new replica is sent a request to follow it."""
        shared, context, partition = self.shared, self.shared.context, replica.partition
        known = context.leadership.get(partition)
        if known is None:
            return ""
        if known.leader == replica.broker:
            self._failed(
                replica, before, ReplicaState.NEW,
                state_change_failed(
                    f"Replica {replica.broker} for partition {partition} cannot be moved to NewReplica state as it is "
                    "being requested to become leader"
                ),
            )  # fmt: skip
            return "is leader"
        shared.batch.add_leader_and_isr([replica.broker], partition, known, context.assignment(partition), is_new=True)
        return ""

    def _online(self, replica: Replica, before: ReplicaState) -> str:
        """Let a replica run: a new one knows its leader, any other is sent it."""
        shared, context, partition = self.shared, self.shared.context, replica.partition
        assignment = context.assignment(partition)
        if before is ReplicaState.NEW:
            if replica.broker not in assignment.replicas:
                context.set_assignment(partition, replace(assignment, replicas=(*assignment.replicas, replica.broker)))
            return ""
        known = context.leadership.get(partition)
        if known is not None:
            shared.batch.add_leader_and_isr([replica.broker], partition, known, assignment, is_new=False)
        return ""

    def _offline(self, replica: Replica, before: ReplicaState, lines: Lines) -> str:
        """Stop a replica and take it out of the in-sync replicas; its partition's other replicas are notified."""
        shared, context, partition = self.shared, self.shared.context, replica.partition
        shared.batch.add_stop_replica(replica.broker, partition, delete=False)
        if partition not in context.leadership:
            return self.never_led(replica)
        queued = partition.topic in context.queued
        try:
            now = shared.store.leadership(partition)
            if now is None:
                if not queued:
                    self._failed(
                        replica, before, ReplicaState.OFFLINE,
                        state_change_failed(
                            f"Failed to change state of replica {replica.broker} for partition {partition} since the "
                            "leader and isr path in zookeeper is empty"
                        ),
                    )  # fmt: skip
                return "no state"
            if now.controller_epoch > context.epoch:
                self._failed(
                    replica, before, ReplicaState.OFFLINE,
                    state_change_failed(
                        f"Leader and isr path written by another controller. This probably means the current "
                        f"controller with epoch {context.epoch} went through a soft failure and another controller "
                        f"was elected with epoch {now.controller_epoch}. Aborting state change by this controller"
                    ),
                )  # fmt: skip
                return "newer controller"
            leadership = self._removed(replica, now)
        except SessionExpired:
            self._failed(replica, before, ReplicaState.OFFLINE, SESSION_EXPIRED)
            return "session expired"
        context.set_leadership(partition, leadership)
        lines.append((
            "INFO",
            f"Partition {partition} state changed to {old_leadership(leadership)} after removing replica "
            f"{replica.broker} from the ISR as part of transition to OfflineReplica",
        ))  # fmt: skip
        if not queued:
            others = self.recipients(replica, leadership)
            assignment = context.assignment(partition)
            shared.batch.add_leader_and_isr(others, partition, leadership, assignment, is_new=False)
        return ""

    def never_led(self, replica: Replica) -> str:
        """Stop a replica of a partition that never had a leader: there is nothing to take it out of."""
        context = self.shared.context
        self.shared.batch.add_update_metadata(context.live_or_shutting_down(), [replica.partition])
        return ""

    def recipients(self, replica: Replica, leadership: Leadership) -> tuple[int, ...]:
        """Return the brokers to notify that a replica left: all others, so that none obeys an older controller."""
        return without(self.shared.context.replicas(replica.partition), [replica.broker])

    def left_in_sync(self, isr: tuple[int, ...], broker: int) -> tuple[int, ...]:
        """Return the in-sync replicas without one; the last one stays, so that its data is not given up."""
        return isr if len(isr) == 1 else without(isr, [broker])

    def _removed(self, replica: Replica, now: Leadership) -> Leadership:
        """Take a replica out of the in-sync replicas in ZooKeeper."""
        store, epoch = self.shared.store, self.shared.context.epoch
        if replica.broker not in now.isr:
            # Nothing is written, though the memory and the log name this controller's epoch.
            return replace(now, controller_epoch=epoch)
        leader = NO_LEADER if now.leader == replica.broker else now.leader
        isr = self.left_in_sync(now.isr, replica.broker)
        leadership = replace(now.elected(leader, isr), controller_epoch=epoch)
        return replace(leadership, version=store.set_leadership(replica.partition, leadership))

    def _failed(self, replica: Replica, before: ReplicaState, to: ReplicaState, exception: str) -> None:
        shared = self.shared
        shared.state_change(
            "ERROR",
            f"Controller {shared.node} epoch {shared.context.epoch} initiated state change of replica "
            f"{replica.broker} for partition {replica.partition} from {before.value} to {to.value} failed",
            exception,
        )
