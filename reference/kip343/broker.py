"""A broker: it registers, heartbeats, fences itself when no answer comes, and keeps up the ISRs of what it leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fencepost.reference.simulator import MILLISECOND, SECOND, Journal, Network, Process, Timer

from .controller import broker_name
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
    UpdateMetadataRequest,
)
from .state import State
from .zookeeper import ZooKeeper

REGISTER_AGAIN_NS = SECOND // 5
UPKEEP_NS = SECOND
PATIENCE_NS = 5 * SECOND
"""How long a broker that shuts down waits for its leaderships to be moved."""


class Led(NamedTuple):
    """A partition that a broker believes to lead."""

    leader_epoch: int
    isr: frozenset[int]


class Another(Process):
    """A second process that was started with the id of a broker whose session has just expired.

    It has a registration of its own and heartbeats with it, so that the first one is the old incarnation from then on.
    """

    def __init__(self, first: Broker) -> None:
        super().__init__(first.simulator, f"another-{first.name}")
        self.first = first
        self.incarnation = NOT_REGISTERED

    def started(self) -> None:
        """Register, and heartbeat from then on."""
        first = self.first
        self.incarnation = first.zookeeper.register(first.id)
        first.journal.tell(self.name, "StartAnother", b=first.id, czxid=self.incarnation)
        self.after(0, self._beat)

    def crashed(self) -> None:
        """Take the session along."""
        self.first.zookeeper.expire(self.first.id, self.incarnation)

    def _beat(self) -> None:
        first, period_ns = self.first, self.first.settings.heartbeat_period * MILLISECOND
        self.after(period_ns, self._beat)
        request = MetadataHeartbeatRequest(first.id, self.incarnation, BrokerState.ACTIVE)
        if first.zookeeper.controller is not None:
            controller = first.zookeeper.controller
            first.network.call(self, controller, request, lambda answer: None, period_ns, lambda: None)


class Broker(Process):
    """A broker's process; `in_sync` says whether another replica can keep up with it now.

    `legacy` is whether it will start with the older inter-broker protocol: then it registers with BrokerInfo version 4,
    sends no heartbeats, does not fence itself, and writes ISRs to ZooKeeper.
    """

    def __init__(
        self,
        id: int,
        network: Network,
        journal: Journal,
        state: State,
        zookeeper: ZooKeeper,
        settings: Settings,
        in_sync: Callable[[int, int], bool],
    ) -> None:
        super().__init__(network.simulator, broker_name(id))
        self.id, self.network, self.journal, self.memory = id, network, journal, state
        self.zookeeper, self.settings, self.in_sync = zookeeper, settings, in_sync
        self.legacy = False
        self.cut_from_zookeeper = False
        self.leading: dict[int, Led] = {}
        self._controller = ""
        self._epochs: dict[int, int] = {}
        self._beat = self._fence_timer = self._patience = Timer(None)

    @property
    def serves(self) -> bool:
        """Whether it takes new requests of clients and followers."""
        return self.memory.running[self.id] and not self.memory.fenced[self.id]

    # -- starting and stopping -------------------------------------------------------------------------------------
    def started(self) -> None:
        """Register, as soon as no earlier session has a registration with this id."""
        memory = self.memory
        if self.cut_from_zookeeper or memory.registered[self.id] != NOT_REGISTERED:
            self.after(REGISTER_AGAIN_NS, self.started)
            return
        memory.own_incarnation[self.id] = self.zookeeper.register(self.id)
        memory.legacy[self.id] = self.legacy
        memory.running[self.id], memory.shutting_down[self.id] = True, False
        memory.fenced[self.id] = not self.legacy
        memory.last_reply[self.id] = self.journal.now_ms
        czxid = memory.own_incarnation[self.id]
        self.journal.tell(self.name, "StartBroker", b=self.id, legacy=self.legacy, czxid=czxid)
        if not self.legacy:
            self.after(0, self.beat)
        self.after(UPKEEP_NS, self._upkeep)

    def crashed(self) -> None:
        """Leave the registration to its session's end."""
        self.leading, self._epochs = {}, {}
        if self.memory.running[self.id]:
            incarnation = self.memory.own_incarnation[self.id]
            self.simulator.after(
                self.settings.session_timeout * MILLISECOND, lambda: self.zookeeper.expire(self.id, incarnation)
            )
            self.memory.running[self.id] = False
            self.journal.tell(self.name, "StopBroker", b=self.id)

    def exit(self) -> None:
        """Leave: the process ends, and its session with it."""
        incarnation = self.memory.own_incarnation[self.id]
        self.crash()
        self.zookeeper.expire(self.id, incarnation)

    def shut_down(self) -> None:
        """Wish to stop: the controller moves the leaders away, then the process exits."""
        if not self.memory.running[self.id]:
            self.crash()
        elif self.legacy:
            self.exit()
        elif not self.memory.shutting_down[self.id]:
            self.memory.shutting_down[self.id] = True
            self.journal.tell(self.name, "BeginShutdown", b=self.id)
            self.after(0, self.beat)
            self._patience = self.after(PATIENCE_NS, self.exit)

    def stay(self) -> None:
        """Take the wish to stop back."""
        if self.memory.running[self.id] and self.memory.shutting_down[self.id]:
            self.memory.shutting_down[self.id] = False
            self._patience.cancel()
            self.journal.tell(self.name, "CancelShutdown", b=self.id)
            self.after(0, self.beat)

    def reregister(self) -> None:
        """Register again after the session has expired: the same process, another incarnation."""
        memory = self.memory
        if not memory.running[self.id] or memory.registered[self.id] != NOT_REGISTERED or self.cut_from_zookeeper:
            return
        memory.own_incarnation[self.id] = self.zookeeper.register(self.id)
        self.journal.tell(self.name, "Reregister", b=self.id, czxid=memory.own_incarnation[self.id])
        if not self.legacy:
            self.after(0, self.beat)

    # -- heartbeats ------------------------------------------------------------------------------------------------
    def beat(self) -> None:
        """Send a heartbeat to the controller, and the next one a period later."""
        self._beat.cancel()
        self._beat = self.after(self.settings.heartbeat_period * MILLISECOND, self.beat)
        target = BrokerState.STOPPING if self.memory.shutting_down[self.id] else BrokerState.ACTIVE
        request = MetadataHeartbeatRequest(self.id, self.memory.own_incarnation[self.id], target)
        self.journal.tell(self.name, "SendHeartbeat", b=self.id, target=target)
        self._ask(request, self._heartbeat_answered)

    def _ask(self, request: Any, on_answer: Callable[[Any], None]) -> None:
        """Ask the controller, or who was it last if ZooKeeper names none."""
        if not self.cut_from_zookeeper and self.zookeeper.controller is not None:
            self._controller = self.zookeeper.controller
        if self._controller:
            timeout_ns = 2 * self.settings.heartbeat_period * MILLISECOND
            self.network.call(self, self._controller, request, on_answer, timeout_ns, lambda: None)

    def _heartbeat_answered(self, response: MetadataHeartbeatResponse) -> None:
        if self.is_contact(response):
            self.memory.last_reply[self.id] = self.journal.now_ms
            self.memory.fenced[self.id] = False
            due_ms = self.journal.now_ms + self.settings.broker_timeout + 1
            self._fence_timer.cancel()
            self._fence_timer = self.after(self.journal.until_ms(due_ms), self.fence)
        self.journal.tell(
            self.name, "HeartbeatReply", b=self.id, error=response.error, current_state=response.current_state
        )
        stopping = response.current_state is BrokerState.STOPPING and self.memory.shutting_down[self.id]
        if stopping and not self.leading:
            self.after(0, self.exit)

    def is_contact(self, response: MetadataHeartbeatResponse) -> bool:
        """Whether an answer says that the broker is part of the cluster."""
        return response.error is Error.NONE and response.current_state.handles_requests

    def fence(self) -> None:
        """Take no new requests from now on: there has been no contact with the controller for too long."""
        self.memory.fenced[self.id] = True
        self.journal.tell(self.name, "BrokerTimer", b=self.id)

    # -- what it leads ---------------------------------------------------------------------------------------------
    def receive(self, source: str, payload: UpdateMetadataRequest) -> None:
        """Learn who leads what, but for a partition of which something newer is known.

        Metadata that an election of this broker has overtaken is as good as lost, the next is on its way already: so
        a broker learns in one step the state of one moment. Lost is also metadata of a node that is not the controller,
        or that was meant for another incarnation.
        """
        memory = self.memory
        now = memory.metadata().leaderships
        overtaken = any(one.leader == self.id and one != got for one, got in zip(now, payload.leaderships, strict=True))
        meant = memory.controller.value and memory.incarnation[self.id] == memory.own_incarnation[self.id]
        if overtaken or not meant or not memory.running[self.id]:
            return
        for partition, (leader, epoch) in enumerate(payload.leaderships):
            if epoch > self._epochs.get(partition, -1):
                self._epochs[partition] = epoch
                self.leading.pop(partition, None)
                if leader == self.id:
                    # A new leader reads from ZooKeeper who is in sync.
                    self.leading[partition] = Led(epoch, self.memory.isr[partition])
        self.journal.tell(self.name, "UpdateMetadata", b=self.id)

    def _upkeep(self) -> None:
        """See once in a while whether the replicas in sync are still the same."""
        self.after(UPKEEP_NS, self._upkeep)
        wanted: dict[int, frozenset[int]] = {}
        for partition in sorted(self.leading) if self.serves else ():
            # An earlier write of this round may have been its last step.
            if self.alive and partition in self.leading:
                isr = self._in_sync(partition)
                if isr != self.leading[partition].isr and self.legacy:
                    self._write_isr(partition, self.leading[partition], isr)
                elif isr != self.leading[partition].isr:
                    wanted[partition] = isr
        if wanted:
            self.ask_isr_changes(wanted)

    def _in_sync(self, partition: int) -> frozenset[int]:
        others = self.memory.replicas[partition] - {self.id}
        return frozenset({self.id}) | {one for one in others if self.in_sync(self.id, one)}

    def ask_isr_changes(self, wanted: Mapping[int, frozenset[int]]) -> None:
        """Ask the controller, in one request, to change the ISRs of partitions that the broker believes to lead."""
        led = {partition: self.leading[partition] for partition in wanted}
        changes = tuple(IsrChange(one, led[one].leader_epoch, isr) for one, isr in wanted.items())

        def answered(response: IsrChangeResponse) -> None:
            for change, result in zip(changes, response.results, strict=response.error is Error.NONE):
                if self.leading.get(change.partition) != led[change.partition]:
                    continue
                if result is Error.NONE:
                    self.leading[change.partition] = Led(change.leader_epoch, change.isr)
                elif result is Error.NOT_LEADER_FOR_PARTITION:
                    del self.leading[change.partition]

        self._ask(IsrChangeRequest(self.id, self.memory.own_incarnation[self.id], changes), answered)

    def _write_isr(self, partition: int, led: Led, isr: frozenset[int]) -> None:
        """Write an ISR straight to ZooKeeper, which refuses it if there has been another election by now."""
        memory = self.memory
        # Without a session there is no write: the client connects anew, and registers first.
        if self.cut_from_zookeeper or memory.registered[self.id] != memory.own_incarnation[self.id]:
            return
        now = (memory.leader[partition], memory.leader_epoch[partition])
        error = Error.NONE if now == (self.id, led.leader_epoch) else Error.BAD_VERSION
        if error is Error.NONE:
            memory.isr[partition] = isr
            self.leading[partition] = Led(led.leader_epoch, isr)
        else:
            del self.leading[partition]
        self.journal.tell(self.name, "WriteIsr", error.value, b=self.id, p=partition, isr=isr)
