"""The partition state machine: from assigned to led, without a leader, and gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fencepost.reference.zk.log_lines import listed, new_leadership, state_change_failed
from fencepost.reference.zk.names import Leadership, PartitionState, TopicPartition
from fencepost.reference.zk.zookeeper import NodeExists, NoNode, SessionExpired

from .elections import OFFLINE, OFFLINE_UNCLEAN, ElectionResult, Strategy
from .shared import Shared, Steps
from .store import ControllerMoved

NEW, ONLINE, OFFLINE_STATE = PartitionState.NEW, PartitionState.ONLINE, PartitionState.OFFLINE

SESSION_EXPIRED = "org.apache.zookeeper.KeeperException$SessionExpiredException: KeeperErrorCode = Session expired"
NODE_EXISTS = "org.apache.zookeeper.KeeperException$NodeExistsException: KeeperErrorCode = NodeExists"


class PartitionStateMachine:
    """Moves partitions between their states; what it cannot move stays where it is, and the log says why."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared

    # -- the start of a new controller -----------------------------------------------------------------------------
    def initialize(self) -> None:
        """Let each partition begin where its leadership puts it: new without one, online only under a live leader."""
        context = self.shared.context
        for partition in context:
            known = context.leadership.get(partition)
            if known is None:
                state = NEW
            else:
                state = ONLINE if context.is_online(known.leader, partition) else OFFLINE_STATE
            context.set_state(partition, state)

    def trigger_online(self) -> Steps[bool]:
        """Try to give every partition without a leader one, those of topics to be deleted aside.

        Returns whether one that had a leader before has one again.
        """
        context = self.shared.context
        waiting = [one for one in context.partitions_in(OFFLINE_STATE, NEW) if one.topic not in context.queued]
        offline = [one for one in waiting if context.state(one) is OFFLINE_STATE]
        outcomes = yield from self.handle(waiting, ONLINE, OFFLINE)
        return any(not outcomes[one] for one in offline)

    # -- state changes ---------------------------------------------------------------------------------------------
    def handle(
        self, partitions: Iterable[TopicPartition], to: PartitionState, strategy: Strategy | None = None
    ) -> Steps[dict[TopicPartition, str]]:
        """Move partitions to a state, one after the other, and send what follows; returns what came of each.

        Raises `ControllerMoved` where ZooKeeper says that there is a newer controller: then no broker is sent anything.
        """
        shared, results = self.shared, dict[TopicPartition, str]()
        partitions = list(partitions)
        if not partitions:
            return results
        shared.batch.new()
        lines: list[tuple[str, str]] = []
        for partition in partitions:
            before = shared.context.state(partition)
            # With no strategy a partition that has no leadership yet gets its first leader.
            used = None if before is NEW else strategy
            name = None if used is None else used.name
            try:
                outcome = self._change(partition, before, to, used, lines)
            except ControllerMoved:
                shared.tell("PartitionState", "epoch moved", partition=str(partition), to=to.value, strategy=name)
                raise
            results[partition] = outcome
            shared.tell("PartitionState", outcome, partition=str(partition), to=to.value, strategy=name)
            yield
        # Kafka writes the lines of a batch when all of its writes have come back.
        for level, text in lines:
            shared.state_change(level, text)
        shared.batch.send()
        return results

    def _change(
        self,
        partition: TopicPartition,
        before: PartitionState,
        to: PartitionState,
        strategy: Strategy | None,
        lines: list[tuple[str, str]],
    ) -> str:
        context = self.shared.context
        if before not in to.valid_previous:
            valid = listed((one.value for one in to.valid_previous), ",")
            self._failed(
                partition, before, to,
                f"java.lang.IllegalStateException: Partition {partition} should be in one of {valid} states before "
                f"moving to {to.value} state. Instead it is in {before.value} state",
            )  # fmt: skip
            return "illegal"
        if to is ONLINE:
            outcome = self._initialize(partition) if before is NEW else self._elect(partition, before, strategy)
            if outcome:
                return outcome
            found = new_leadership(context.leadership[partition])
            lines.append(
                ("INFO", f"Changed partition {partition} from {before.value} to {to.value} with state {found}")
            )
        elif to is NEW:
            replicas = listed(context.replicas(partition), ",")
            lines.append((
                "INFO",
                f"Changed partition {partition} state from {before.value} to {to.value} with assigned replicas "
                f"{replicas}",
            ))  # fmt: skip
        else:
            lines.append(("TRACE", f"Changed partition {partition} state from {before.value} to {to.value}"))
        context.set_state(partition, to)
        return ""

    def _initialize(self, partition: TopicPartition) -> str:
        """Give a new partition its first leader: all replicas that are online are in sync, the first of them leads."""
        shared, context = self.shared, self.shared.context
        assigned = context.replicas(partition)
        online = tuple(one for one in assigned if context.is_online(one, partition))
        if not online:
            live = listed(context.live_brokers(), ",")
            self._failed(
                partition, NEW, ONLINE,
                state_change_failed(
                    f"Controller {shared.node} epoch {context.epoch} encountered error during state change of "
                    f"partition {partition} from New to Online, assigned replicas are [{listed(assigned, ',')}], live "
                    f"brokers are [{live}]. No assigned replica is alive."
                ),
            )  # fmt: skip
            return "no leader"
        leadership = Leadership(online[0], 0, online, context.epoch, 0)
        try:
            shared.store.create_leadership(partition, leadership)
        except NodeExists:
            self._failed(partition, NEW, ONLINE, NODE_EXISTS)
            return "node exists"
        except NoNode:
            self._failed(partition, NEW, ONLINE, "org.apache.zookeeper.KeeperException$NoNodeException: no topic")
            return "no znode"
        except SessionExpired:
            # The line names the state that the partition is in as the one that it should have got.
            self._failed(partition, NEW, NEW, SESSION_EXPIRED)
            return "session expired"
        context.set_leadership(partition, leadership)
        shared.batch.add_leader_and_isr(online, partition, leadership, context.assignment(partition), is_new=True)
        return ""

    def _elect(self, partition: TopicPartition, before: PartitionState, strategy: Strategy | None) -> str:
        """Elect a leader by a strategy, from the leadership that the znode holds now."""
        shared, context = self.shared, self.shared.context
        strategy = strategy or OFFLINE
        try:
            now = shared.store.leadership(partition)
            if now is None:
                self._failed(
                    partition, before, ONLINE,
                    state_change_failed(
                        f"LeaderAndIsr information doesn't exist for partition {partition} in {before.value} state"
                    ),
                )  # fmt: skip
                return "no znode"
            if now.controller_epoch > context.epoch:
                self._failed(
                    partition, before, ONLINE,
                    state_change_failed(
                        f"Aborted leader election for partition {partition} since the LeaderAndIsr path was already "
                        f"written by another controller. This probably means that the current controller "
                        f"{shared.node} went through a soft failure and another controller was elected with epoch "
                        f"{now.controller_epoch}."
                    ),
                )  # fmt: skip
                return "newer controller"
            result = self._result(partition, now, strategy)
            if result.leadership is None:
                self._failed(
                    partition, before, ONLINE,
                    state_change_failed(
                        f"Failed to elect leader for partition {partition} under strategy {strategy.logged}"
                    ),
                )  # fmt: skip
                return "no leader"
            leadership = replace(result.leadership, controller_epoch=context.epoch)
            version = shared.store.set_leadership(partition, leadership)
        except SessionExpired:
            self._failed(partition, before, ONLINE, SESSION_EXPIRED)
            return "session expired"
        leadership = replace(leadership, version=version)
        context.set_leadership(partition, leadership)
        shared.batch.add_leader_and_isr(
            result.recipients, partition, leadership, context.assignment(partition), is_new=False
        )
        return ""

    def _result(self, partition: TopicPartition, now: Leadership, strategy: Strategy) -> ElectionResult:
        context, unclean = self.shared.context, False
        # Kafka asks first whether anyone in sync is online: if so, no election looks outside the in-sync replicas, not
        # even one that was asked to be unclean.
        if strategy in (OFFLINE, OFFLINE_UNCLEAN) and not any(context.is_online(one, partition) for one in now.isr):
            unclean = strategy.unclean or self.shared.store.unclean_elections(partition.topic)
        return strategy.elect(context, partition, now, unclean)

    def _failed(self, partition: TopicPartition, before: PartitionState, to: PartitionState, exception: str) -> None:
        shared = self.shared
        shared.state_change(
            "ERROR",
            f"Controller {shared.node} epoch {shared.context.epoch} failed to change state for partition {partition} "
            f"from {before.value} to {to.value}",
            exception,
        )
