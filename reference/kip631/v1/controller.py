"""The controller with leases: it registers brokers, grants leases by heartbeats, and fences when a lease is over."""

from __future__ import annotations

from typing import Any

from fencepost.reference.kip631.controller import Controller, ElectRequest, FetchRequest, Refused, Reply
from fencepost.reference.kip631.quorum import Quorum
from fencepost.reference.kip631.settings import Settings
from fencepost.reference.simulator import Cells

from .messages import (
    ACTIVE,
    FENCED,
    SHUTDOWN,
    CatchUpRequest,
    HeartbeatAnswer,
    HeartbeatRequest,
    RegisterAnswer,
    RegisterRequest,
)


class LeaseController(Controller):
    """The controller; `lease_end` is when a lease is over (-1: there is none), `next_lease` how long the next one is.

    `granted` are brokers that were answered to become active and have not yet said that they are; `reported_offset` how
    far each broker has reported to have the metadata. All but `next_lease` is memory.
    """

    def __init__(self, settings: Settings, cells: Cells, quorum: Quorum) -> None:
        super().__init__(settings, cells, quorum)
        self.lease_end = cells.column("lease_end", -1, settings.brokers)
        self.next_lease = cells.cell("next_lease", settings.session)
        self._lots = quorum.simulator.random("lengths of leases")
        self.granted = cells.column("granted", False, settings.brokers)
        self.reported_offset = cells.column("reported_offset", -1, settings.brokers)

    def serve(self, request: Any, reply: Reply) -> None:
        """Take a request."""
        if isinstance(request, RegisterRequest):
            self._register(request, reply)
        elif isinstance(request, HeartbeatRequest):
            self._heartbeat(request, reply)
        elif isinstance(request, CatchUpRequest):
            self._catch_up(request.partition, request.broker)
        elif isinstance(request, ElectRequest):
            self.elect(request.partition, request.leader)
        elif isinstance(request, FetchRequest):
            reply(self.fetched(request.after))

    # -- registration ----------------------------------------------------------------------------------------------
    def _register(self, request: RegisterRequest, reply: Reply) -> None:
        error = self.register(request)
        if error:
            message: Any = Refused(error)
            answer = error
        else:
            message = RegisterAnswer(self.broker_epoch[request.broker], self.next_lease.value)
            answer = f"NONE {message.epoch} {message.lease}"
        self.done(*request.as_step(), answer)
        self.answer(reply, message)
        self._choose_lease()

    def register(self, request: RegisterRequest) -> str:
        """Register a process; returns the error, empty if it is registered, by this request or by an earlier one."""
        broker = request.broker
        if self.conflicts(broker, request.incarnation):
            return "DUPLICATE_BROKER_REGISTRATION"
        if not request.supports:
            return "UNSUPPORTED_VERSION"
        if self.is_registered(broker, request.incarnation):
            # The answer to an earlier request of this process was lost: it gets the same once more.
            self.last_contact[broker] = self.now
            return ""
        self.lease_end[broker] = -1
        self.granted[broker] = False
        self.reported_offset[broker] = -1
        self.register_anew(broker, request.incarnation, self.new_epoch())
        return ""

    def is_registered(self, broker: int, incarnation: int) -> bool:
        """Whether this very process has the id."""
        return self.registered[broker] and self.incarnation[broker] == incarnation

    def new_epoch(self) -> int:
        """Return the epoch of a broker that registers now: the latest committed offset."""
        return self.log.committed.value

    # -- heartbeats ------------------------------------------------------------------------------------------------
    def _heartbeat(self, request: HeartbeatRequest, reply: Reply) -> None:
        broker = request.broker
        if self.is_stale(request):
            self.done(*request.as_step(), "STALE_BROKER_EPOCH")
            self.answer(reply, Refused("STALE_BROKER_EPOCH"))
        elif self.is_reordered(request):
            self.done(*request.as_step(), "IGNORED")
        else:
            self.last_contact[broker] = self.now
            self.reported_offset[broker] = request.offset
            leaving = request.target == SHUTDOWN
            message = self.controlled_shutdown(request) if leaving else self.lease(request)
            self.done(*request.as_step(), f"NONE {message.next} {message.lease}")
            self.answer(reply, message)
            self._choose_lease()

    def is_stale(self, request: HeartbeatRequest) -> bool:
        """Whether a heartbeat is of a process that is not the registered one."""
        return not self.registered[request.broker] or request.epoch != self.broker_epoch[request.broker]

    def is_reordered(self, request: HeartbeatRequest) -> bool:
        """Whether a heartbeat was overtaken: a broker never has less of the metadata than before."""
        return request.offset < self.reported_offset[request.broker]

    def lease(self, request: HeartbeatRequest) -> HeartbeatAnswer:
        """Grant a lease, extend it, or deny it.

        A fenced broker is answered to become active, and stays fenced until it says that it is: then it has got the
        answer, and knows its lease. One that says so without that answer is fenced (again).
        """
        broker = request.broker
        if request.current == FENCED:
            self.granted[broker] = True
            return self.extended(broker)
        if self.granted[broker]:
            self.granted[broker] = False
            if self.fenced[broker]:
                self.unfence(broker)
        if self.fenced[broker]:
            return HeartbeatAnswer(FENCED, 0)
        return self.extended(broker)

    def extended(self, broker: int) -> HeartbeatAnswer:
        """Have a broker's lease last from now on; its own clock counts from the heartbeat, which was before.

        An earlier answer may have given it a longer one: that is kept, since this answer may never come.
        """
        self.lease_end[broker] = max(self.lease_end[broker], self.now + self.next_lease.value)
        self.watch(broker)
        return HeartbeatAnswer(ACTIVE, self.next_lease.value)

    def _choose_lease(self) -> None:
        # Each answer says how long its lease is; how that is chosen is left open, and chosen at random here.
        shortest, longest = self.settings.shortest_lease, self.settings.session
        if shortest is None or not self.quorum.is_active or self._lots.random() < 0.8:
            return
        length = self._lots.randint(shortest, longest)
        if length != self.next_lease.value:
            self.next_lease.value = length
            self.done("ChooseLease", {"to": length})

    def controlled_shutdown(self, request: HeartbeatRequest) -> HeartbeatAnswer:
        """Let a broker go when it leads nothing; until then it stays as it is, and its leaderships are moved."""
        broker = request.broker
        self.shutting_down[broker] = True
        if not self.leads(broker):
            return HeartbeatAnswer(SHUTDOWN, 0)
        return self.extended(broker) if request.current == ACTIVE else HeartbeatAnswer(FENCED, 0)

    # -- the end of a lease ----------------------------------------------------------------------------------------
    def deadline(self, broker: int) -> int | None:
        """Return when a broker's lease is over, None if it has none."""
        return None if self.lease_end[broker] < 0 else self.lease_end[broker]

    def overdue(self, broker: int) -> None:
        """End a lease; the broker is fenced."""
        self.lease_end[broker] = -1
        self.granted[broker] = False
        if not self.fenced[broker]:
            self.fence(broker)
        self.done("LeaseExpires", {"b": broker})

    # -- the rest --------------------------------------------------------------------------------------------------
    def _catch_up(self, partition: int, broker: int) -> None:
        missing = self.replicas[partition] - self.isr[partition]
        if self.leader[partition] is not None and broker in missing and not self.fenced[broker]:
            self.change(partition, isr=self.isr[partition] | {broker}, leader=self.leader[partition])
            self.done("CatchUp", {"p": partition, "b": broker})

    def failed(self) -> None:
        """Drop leases, and the answers given to brokers."""
        super().failed()
        for broker in self.settings.brokers:
            self.lease_end[broker] = self.reported_offset[broker] = -1
            self.granted[broker] = False

    def took_over(self) -> None:
        """Begin with the longest lease for every broker: the controller before may have granted it just now."""
        super().took_over()
        for broker in self.settings.brokers:
            if self.registered[broker]:
                self.lease_end[broker] = self.now + self.settings.session
