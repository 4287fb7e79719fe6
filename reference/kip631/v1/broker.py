"""The broker with a lease: it serves while it has one, and fences itself when that is over."""

from __future__ import annotations

from typing import Any

from fencepost.reference.kip631.broker import Broker, BrokerCells
from fencepost.reference.kip631.controller import Refused
from fencepost.reference.kip631.log import MetadataLog
from fencepost.reference.kip631.quorum import Quorum, Tell
from fencepost.reference.kip631.settings import Settings
from fencepost.reference.simulator import MILLISECOND, Cells

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


class LeaseBrokerCells(BrokerCells):
    """State of the brokers' processes, with the time at which each believes its lease to end (-1: it has none)."""

    def __init__(self, cells: Cells, brokers: tuple[int, ...]) -> None:
        super().__init__(cells, brokers)
        self.lease_end = cells.column("own_lease_end", -1, brokers)


class LeaseBroker(Broker):
    """A broker of the first version."""

    own: LeaseBrokerCells

    def __init__(
        self, number: int, settings: Settings, own: LeaseBrokerCells, quorum: Quorum, log: MetadataLog, told: Tell
    ) -> None:
        super().__init__(number, settings, own, quorum, log, told)
        self._timer = False

    def forget(self) -> None:
        """Forget the lease."""
        self.own.lease_end[self.id] = -1
        self._timer = False

    # -- starting --------------------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Recover the logs, if the process before this one had no time to close them."""
        if self.clean:
            self._begin_registration()
            return
        self.enter("RECOVERING_FROM_UNCLEAN_SHUTDOWN")
        self.tell("RecoverLogs", {})
        self.later(self.settings.recover, self._begin_registration)

    def _begin_registration(self) -> None:
        self.enter("REGISTERING")
        self.tell("BeginRegistration", {})
        self._register()

    def registration(self, incarnation: int) -> RegisterRequest:
        """Return the request to register a process under this broker's id."""
        return RegisterRequest(self.id, incarnation, supports=self.misconfigured != "features")

    def _register(self) -> None:
        if self.state == "REGISTERING":
            self.ask(self.registration(self.own.incarnation[self.id]), self._registered)
            # An answer that does not come in time is asked for again.
            self.later(1.3 * self.settings.heartbeat, self._register)

    def _registered(self, answer: Any) -> None:
        error, epoch, lease = "NONE", -1, 0
        if isinstance(answer, RegisterAnswer):
            epoch, lease = answer.epoch, answer.lease
        elif isinstance(answer, Refused):
            error = answer.error
        waiting = self.state == "REGISTERING"
        if waiting and error == "NONE":
            self.own.epoch[self.id] = epoch
            self.enter("FENCED")
        self.tell("RegisterReply", {"error": error, "epoch": epoch, "lease": lease})
        if self.state == "FENCED" and waiting:
            self.begin_heartbeats()
        elif error == "UNSUPPORTED_VERSION":
            self.exit_soon()

    # -- heartbeats ------------------------------------------------------------------------------------------------
    def heartbeat(self) -> None:
        """Say in which state this broker is, and in which it wants to be."""
        sent = self.now
        request = HeartbeatRequest(
            broker=self.id,
            epoch=self.own.epoch[self.id],
            current=ACTIVE if self.own.serving[self.id] else FENCED,
            target=SHUTDOWN if self.state == "PENDING_CONTROLLED_SHUTDOWN" else ACTIVE,
            offset=self.own.offset[self.id],
        )
        self.ask(request, lambda answer: self._heard(sent, answer))

    def _heard(self, sent: int, answer: Any) -> None:
        error, heard = "NONE", HeartbeatAnswer("", 0)
        if isinstance(answer, HeartbeatAnswer):
            heard = answer
        elif isinstance(answer, Refused):
            error = answer.error
        was = self.state
        if was in ("FENCED", "RUNNING", "PENDING_CONTROLLED_SHUTDOWN"):
            self.obey(heard, sent)
        parameters = {"error": error, "next": heard.next, "sent": sent, "lease": heard.lease}
        self.tell("HeartbeatReply", parameters)
        if was == "FENCED" and self.state == "RUNNING":
            # The controller waits for this one before it unfences: it is not left until the next is due.
            self.heartbeat()
        if error == "STALE_BROKER_EPOCH":
            self.lost_its_id()
        if was != "SHUTTING_DOWN" and self.state == "SHUTTING_DOWN":
            self.exit_soon()

    def obey(self, heard: HeartbeatAnswer, sent: int) -> None:
        """Do what the controller says: enter the next state, if its lease is not over already."""
        number, own = self.id, self.own
        if heard.next == ACTIVE:
            end = self.end_of_lease(sent, heard.lease)
            if self.now <= end:
                own.lease_end[number] = max(own.lease_end[number], end)
                self._watch()
                if self.state == "FENCED":
                    self.enter("RUNNING")
                    own.serving[number] = True
        elif heard.next == FENCED:
            own.lease_end[number], own.serving[number] = -1, False
            if self.state == "RUNNING":
                self.enter("FENCED")
        elif heard.next == SHUTDOWN and self.state == "PENDING_CONTROLLED_SHUTDOWN":
            own.lease_end[number], own.serving[number] = -1, False
            self.enter("SHUTTING_DOWN")

    def end_of_lease(self, sent: int, lease: int) -> int:
        """Return when a lease is over: it counts from the heartbeat that asked for it, so it ends here first."""
        return sent + lease

    # -- the end of the lease --------------------------------------------------------------------------------------
    def _watch(self) -> None:
        end = self.own.lease_end[self.id]
        if end >= 0 and not self._timer:
            self._timer = True
            self.after(max(0, end * MILLISECOND - self.now_ns), self._look_at_lease)

    def _look_at_lease(self) -> None:
        self._timer = False
        if 0 <= self.own.lease_end[self.id] <= self.now:
            self.own.lease_end[self.id] = -1
            self.own.serving[self.id] = False
            if self.state == "RUNNING":
                self.enter("FENCED")
            self.tell("OwnLeaseExpires", {})
        self._watch()

    # -- leaving, leading ------------------------------------------------------------------------------------------
    def terminate(self) -> None:
        """Shut down in a controlled way; a process that is not registered yet just ends."""
        if self.state in ("FENCED", "RUNNING"):
            self.enter("PENDING_CONTROLLED_SHUTDOWN")
            self.tell("BeginShutdown", {})
            if self.alive:
                self.heartbeat()
        else:
            self.crash()

    def look_at_partitions(self) -> None:
        """As a leader, tell which replicas have caught up."""
        for one in self.image.led_by(self.id):
            for broker in sorted(one.replicas - one.isr):
                if broker in self.image.unfenced and self.follows(broker):
                    self.ask(CatchUpRequest(one.partition, broker), lambda answer: None)
