"""The controller: it takes heartbeats, declares silent brokers inactive, moves leaders and changes ISRs.

Follow one heartbeat from `serve`: `_heartbeat` lets `heartbeat` decide, reports the step, answers, sends metadata to a
broker that is new or back, and looks whether a leader must move. Every step is one change, after which it may die.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.reference.simulator import MILLISECOND, Journal, Network, Process, Timer

from .names import (
    NOT_REGISTERED,
    BrokerState,
    Error,
    IsrChange,
    IsrChangeRequest,
    IsrChangeResponse,
    MetadataHeartbeatRequest,
    MetadataHeartbeatResponse,
    Settings,
)
from .state import State
from .zookeeper import ZooKeeper

STEP_NS = 2 * MILLISECOND
"""How long a controller takes from one thing that it does by itself to the next."""


def broker_name(broker: int) -> str:
    """Return the name of a broker's process."""
    return f"broker-{broker}"


class Controller(Process):
    """A node that is the controller while it is `active`; `on_failed` is called when it no longer is."""

    def __init__(
        self,
        name: str,
        network: Network,
        journal: Journal,
        state: State,
        zookeeper: ZooKeeper,
        settings: Settings,
        on_failed: Callable[[], None],
    ) -> None:
        super().__init__(network.simulator, name)
        self.network, self.journal, self.memory = network, journal, state
        self.zookeeper, self.settings, self.on_failed = zookeeper, settings, on_failed
        self.active = False
        self.brokers = [broker for (broker,) in state.registered]
        self.partitions = [partition for (partition,) in state.leader]
        self._seen: dict[int, int] = {}
        self._timers: dict[int, Timer] = {}
        self._electing = self._looking = Timer(None)

    # -- beginning and ending --------------------------------------------------------------------------------------
    def activate(self) -> None:
        """Become the controller: what the last one had in memory is gone, what is in ZooKeeper is there.

        The text says what holds when the cluster is first initialized, that all brokers are inactive; every new
        controller begins so, but for legacy brokers.
        """
        self.active = True
        self.zookeeper.controller, self.zookeeper.watcher = self.name, self._look_soon
        self._seen = {broker: self.memory.registered[broker] for broker in self.brokers}
        self.memory.controller.value = True
        for broker in self.brokers:
            self.begin_with(broker)
        self.journal.tell(self.name, "ControllerFailover")
        for broker in self.brokers:
            self._watch_over(broker)
        self._elect_soon()

    def begin_with(self, broker: int) -> None:
        """Take a broker into memory as its registration says."""
        memory = self.memory
        memory.incarnation[broker] = memory.registered[broker]
        legacy = memory.registered[broker] != NOT_REGISTERED and memory.legacy[broker]
        memory.known_legacy[broker] = legacy
        memory.state[broker] = BrokerState.ACTIVE if legacy else BrokerState.INACTIVE
        memory.last_contact[broker] = self.journal.now_ms

    def resign(self) -> None:
        """Be the controller no longer, though the process lives on, as when its ZooKeeper session has expired."""
        if self.active:
            self._failed()

    def crashed(self) -> None:
        """Forget everything."""
        if self.active:
            self._failed()

    def _failed(self) -> None:
        self.active = False
        self.zookeeper.watcher = None
        for timer in (*self._timers.values(), self._electing, self._looking):
            timer.cancel()
        self.memory.controller.value = False
        self.on_failed()
        self.journal.tell(self.name, "ControllerFails")

    # -- heartbeats ------------------------------------------------------------------------------------------------
    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Take a broker's request."""
        if isinstance(request, MetadataHeartbeatRequest):
            self._heartbeat(request, reply)
        else:
            self._isr_change(request, reply)

    def _heartbeat(self, request: MetadataHeartbeatRequest, reply: Callable[[Any], None]) -> None:
        if not self.active:
            # No error is named for a heartbeat to a node that is not the controller: it says nothing.
            return
        broker, memory = request.broker, self.memory
        before = (memory.incarnation[broker], memory.state[broker].handles_requests)
        response = self.heartbeat(request)
        self.journal.tell(
            self.name, "Heartbeat", str(response),
            b=abs(broker), incarnation=request.incarnation, target=request.target_state, valid=broker >= 0,
        )  # fmt: skip
        reply(response)
        if self.active and response.error is Error.NONE:
            if before != (request.incarnation, True):
                self._send_metadata(broker)
            self._watch_over(broker)
            self._elect_soon()

    def heartbeat(self, request: MetadataHeartbeatRequest) -> MetadataHeartbeatResponse:
        """Decide on a heartbeat: an old incarnation is refused, a newer one taken over, and the target granted."""
        broker, incarnation, target = request
        if broker < 0:
            return MetadataHeartbeatResponse(Error.INVALID_REQUEST)
        if self.is_old(broker, incarnation):
            return MetadataHeartbeatResponse(Error.INVALID_INCARNATION_ID)
        if incarnation > self.memory.incarnation[broker]:
            self.memory.incarnation[broker] = incarnation
            self.memory.known_legacy[broker] = False
        self.memory.state[broker] = target
        self.memory.last_contact[broker] = self.journal.now_ms
        return MetadataHeartbeatResponse(Error.NONE, target)

    def is_old(self, broker: int, incarnation: int) -> bool:
        """Whether an incarnation has been followed by another one."""
        return incarnation < self.memory.incarnation[broker]

    # -- silence ---------------------------------------------------------------------------------------------------
    def _watch_over(self, broker: int) -> None:
        """Have the timer of a broker run out one millisecond after the timeout since its last contact."""
        if broker in self._timers:
            self._timers[broker].cancel()
        if self.active and self.may_time_out(broker):
            due_ms = self.memory.last_contact[broker] + self.settings.controller_timeout + 1
            self._timers[broker] = self.after(self.journal.until_ms(due_ms), lambda: self._timed_out(broker))

    def may_time_out(self, broker: int) -> bool:
        """Whether silence makes a broker inactive: a legacy broker is active though it never heartbeats."""
        return self.memory.state[broker].handles_requests and not self.memory.known_legacy[broker]

    def _timed_out(self, broker: int) -> None:
        self.memory.state[broker] = BrokerState.INACTIVE
        self.journal.tell(self.name, "ControllerTimer", b=broker)
        self._elect_soon()

    # -- registrations ---------------------------------------------------------------------------------------------
    def _look_soon(self) -> None:
        if self.active and not self._looking.pending:
            self._looking = self.after(STEP_NS, self._look)

    def _look(self) -> None:
        """Take note of the first registration that is not as it was when last seen, then of the next."""
        memory = self.memory
        for broker in self.brokers:
            registered = memory.registered[broker]
            if registered == self._seen[broker]:
                continue
            self._seen[broker] = registered
            # A broker's heartbeat may have been here before the news of its registration: then that is none.
            if registered > memory.incarnation[broker]:
                self._look_soon()
                self._registered(broker, registered)
                return
            if registered == NOT_REGISTERED and memory.state[broker] is not BrokerState.INACTIVE:
                self._look_soon()
                self._deregistered(broker)
                return

    def _registered(self, broker: int, registered: int) -> None:
        memory, legacy = self.memory, self.memory.legacy[broker]
        memory.incarnation[broker] = registered
        memory.known_legacy[broker] = legacy
        memory.state[broker] = BrokerState.ACTIVE if legacy else BrokerState.INACTIVE
        self.journal.tell(self.name, "SeeRegistration", b=broker)
        self._send_metadata(broker)
        self._watch_over(broker)
        self._elect_soon()

    def _deregistered(self, broker: int) -> None:
        """Treat a broker as absent; its incarnation is kept, so that an old one is known for what it is."""
        self.forget(broker)
        self.journal.tell(self.name, "SeeDeregistration", b=broker)
        self._watch_over(broker)
        self._elect_soon()

    def forget(self, broker: int) -> None:
        """Hold a broker for inactive, and for none that would be legacy."""
        self.memory.state[broker] = BrokerState.INACTIVE
        self.memory.known_legacy[broker] = False

    # -- leaders ---------------------------------------------------------------------------------------------------
    def _elect_soon(self) -> None:
        if self.active and not self._electing.pending:
            self._electing = self.after(STEP_NS, self._elect)

    def _elect(self) -> None:
        """Move the first leader that must move, then look for the next."""
        for partition in self.partitions:
            leader = self.leader_for(partition)
            if leader != self.memory.leader[partition]:
                self._elect_soon()
                self.move_leader(partition, leader)
                return

    def leader_for(self, partition: int) -> int | None:
        """Return who should lead a partition: who leads it, unless that broker is inactive or can hand over."""
        now = self.memory.leader[partition]
        able = self.able_to_lead(partition)
        state = BrokerState.INACTIVE if now is None else self.memory.state[now]
        if state is BrokerState.ACTIVE or (state is BrokerState.STOPPING and not able):
            return now
        return able[0] if able else None

    def able_to_lead(self, partition: int) -> list[int]:
        """Return the active brokers in sync, a different one first for different partitions."""
        replicas = sorted(self.memory.replicas[partition])
        turn = partition % len(replicas)
        preferred = replicas[turn:] + replicas[:turn]
        return [one for one in preferred if one in self.memory.isr[partition] and self.may_take_leaders(one)]

    def may_take_leaders(self, broker: int) -> bool:
        """Whether a broker may become leader: one that is stopping gives its leaderships away and takes none."""
        return self.memory.state[broker] is BrokerState.ACTIVE

    def move_leader(self, partition: int, leader: int | None) -> None:
        """Make a broker, or none, the leader of a partition, and notify the brokers; absent brokers leave the ISR."""
        self.memory.leader[partition] = leader
        if leader is not None:
            live = {one for one in self.brokers if self.memory.state[one].handles_requests}
            self.memory.isr[partition] &= live
        self.memory.leader_epoch[partition] += 1
        self.journal.tell(self.name, "ElectLeader", p=partition, leader=leader)
        for broker in self.brokers:
            if self.memory.state[broker].handles_requests:
                self._send_metadata(broker)

    def _send_metadata(self, broker: int) -> None:
        """Send all metadata to a broker: after every change, and to one that is new or was inactive."""
        self.network.send(self, broker_name(broker), self.memory.metadata())

    # -- ISR changes -----------------------------------------------------------------------------------------------
    def _isr_change(self, request: IsrChangeRequest, reply: Callable[[Any], None]) -> None:
        error, results = self.refused(request), list[Error]()
        for change in request.changes:
            result = self.isr_change(request.broker, change) if error is Error.NONE else error
            if result is Error.NONE:
                self.memory.isr[change.partition] = change.isr
            self.journal.tell(
                self.name, "IsrChange", result.value,
                b=request.broker, incarnation=request.incarnation, p=change.partition,
                leader_epoch=change.leader_epoch, isr=change.isr, to_controller=self.active,
            )  # fmt: skip
            if not self.alive:
                # It died after this partition: the others are as they were, and the request has no answer.
                return
            results.append(result)
        reply(IsrChangeResponse(error, tuple(results) if error is Error.NONE else ()))
        self._elect_soon()

    def refused(self, request: IsrChangeRequest) -> Error:
        """Return the error that concerns a whole request, NONE where each partition has a result of its own."""
        if not self.active:
            return Error.NOT_CONTROLLER
        return Error.NONE if self.is_current(request.broker, request.incarnation) else Error.INVALID_INCARNATION_ID

    def isr_change(self, broker: int, change: IsrChange) -> Error:
        """Decide on one partition of a request."""
        if not self.leads(broker, change):
            return Error.NOT_LEADER_FOR_PARTITION
        return Error.NONE if self.is_valid_isr(broker, change) else Error.INVALID_REQUEST

    def is_current(self, broker: int, incarnation: int) -> bool:
        """Whether an incarnation is the one that is known: neither an old one nor one yet unheard of."""
        return incarnation == self.memory.incarnation[broker]

    def leads(self, broker: int, change: IsrChange) -> bool:
        """Whether a change is from the leader of the partition in its present epoch."""
        leader, epoch = self.memory.leader[change.partition], self.memory.leader_epoch[change.partition]
        return (broker, change.leader_epoch) == (leader, epoch)

    def is_valid_isr(self, broker: int, change: IsrChange) -> bool:
        """Whether an ISR has the leader in it, so that it is not empty, and replicas only."""
        return broker in change.isr and change.isr <= self.memory.replicas[change.partition]
