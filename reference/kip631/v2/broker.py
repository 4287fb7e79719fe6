"""The broker that says what it wants: to be fenced while it starts, not while it runs, at last to shut down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fencepost.reference.kip631.broker import Broker, BrokerCells
from fencepost.reference.kip631.controller import Refused
from fencepost.reference.kip631.records import Record, RemoveTopicRecord
from fencepost.reference.simulator import Cells

from .messages import AlterIsrRequest, HeartbeatAnswer, HeartbeatRequest, RegisterAnswer, RegisterRequest


class WishBrokerCells(BrokerCells):
    """State of the brokers' processes, with whether each recovered its logs, and the topics that it has logs of."""

    def __init__(self, cells: Cells, brokers: tuple[int, ...]) -> None:
        super().__init__(cells, brokers)
        self.recovered = cells.column("recovered", False, brokers)
        self.logs = cells.column("logs", frozenset[int](), brokers)


class WishBroker(Broker):
    """A broker of the second version."""

    own: WishBrokerCells

    def forget(self) -> None:
        """Forget how far the start had come."""
        self.own.recovered[self.id] = False

    # -- starting --------------------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Register; until an answer comes the request is sent again."""
        if self.state == "STARTING" and self.own.epoch[self.id] < 0:
            self.ask(self.registration(self.own.incarnation[self.id]), self._registered)
            self.later(1.3 * self.settings.heartbeat, self.begin)

    def registration(self, incarnation: int) -> RegisterRequest:
        """Return the request to register a process under this broker's id."""
        wrong = self.misconfigured
        return RegisterRequest(self.id, incarnation, supports=wrong != "features", cluster=wrong != "cluster")

    def _registered(self, answer: Any) -> None:
        error, epoch = "NONE", -1
        if isinstance(answer, RegisterAnswer):
            epoch = answer.epoch
        elif isinstance(answer, Refused):
            error = answer.error
        waiting = self.state == "STARTING" and self.own.epoch[self.id] < 0
        if waiting and error == "NONE":
            self.own.epoch[self.id] = epoch
        self.tell("RegisterReply", {"error": error, "epoch": epoch})
        if error in ("UNSUPPORTED_VERSION", "INVALID_CLUSTER_ID"):
            self.exit_soon()
        elif waiting and self.own.epoch[self.id] >= 0:
            self.begin_heartbeats()

    def _recover(self) -> None:
        if self.state == "RECOVERY":
            self.own.recovered[self.id] = True
            self.tell("RecoverLogs", {})
            if self.alive:
                self.heartbeat()

    # -- heartbeats ------------------------------------------------------------------------------------------------
    def heartbeat(self) -> None:
        """Say how far this broker is, and what it wants."""
        request = HeartbeatRequest(
            broker=self.id,
            epoch=self.own.epoch[self.id],
            offset=self.own.offset[self.id],
            want_fence=not self.own.recovered[self.id],
            want_shutdown=self.state == "PENDING_CONTROLLED_SHUTDOWN",
        )
        self.ask(request, self._heard)

    def _heard(self, answer: Any) -> None:
        error, heard = "NONE", HeartbeatAnswer(False, False, False)
        if isinstance(answer, HeartbeatAnswer):
            heard = answer
        elif isinstance(answer, Refused):
            error = answer.error
        was = self.state
        if error == "NONE":
            self.obey(heard)
        parameters = {"caught_up": heard.caught_up, "fenced": heard.fenced, "shutdown": heard.shutdown}
        self.tell("HeartbeatReply", {"error": error, **parameters})
        if error == "STALE_BROKER_EPOCH":
            self.lost_its_id()
        if was == "STARTING" and self.state == "RECOVERY":
            # After a clean shutdown there is little to do.
            self.later(self.settings.recover if not self.clean else 20, self._recover)
        elif was != "SHUTTING_DOWN" and self.state == "SHUTTING_DOWN":
            self.exit_soon()

    def obey(self, heard: HeartbeatAnswer) -> None:
        """Go on to the next state, if the controller's answer allows it."""
        if self.state == "STARTING" and heard.caught_up:
            self.enter("RECOVERY")
            self.compare_logs()
        elif self.state == "RECOVERY" and self.own.recovered[self.id] and not heard.fenced:
            self.enter("RUNNING")
            self.own.serving[self.id] = True
        elif self.state == "PENDING_CONTROLLED_SHUTDOWN" and heard.shutdown:
            self.enter("SHUTTING_DOWN")
            self.own.serving[self.id] = False

    # -- logs ------------------------------------------------------------------------------------------------------
    def applied(self, records: Sequence[Record]) -> None:
        """Delete the logs of topics that the records remove; what a snapshot hides is seen at the next start only."""
        self.own.logs[self.id] -= {one.topic for one in records if isinstance(one, RemoveTopicRecord)}

    def compare_logs(self) -> None:
        """Delete the logs of topics that are not in the metadata: the record of a removal may never be seen."""
        self.own.logs[self.id] &= self.image.topics

    def _host_some(self) -> None:
        for topic in sorted(self.image.topics - self.own.logs[self.id]):
            if (topic + self.id) % 3:
                self.own.logs[self.id] |= {topic}
                self.tell("HostTopic", {"t": topic})
                return

    # -- leaving, leading ------------------------------------------------------------------------------------------
    def terminate(self) -> None:
        """Shut down in a controlled way; a process that is not running yet just ends."""
        if self.state == "RUNNING":
            self.enter("PENDING_CONTROLLED_SHUTDOWN")
            self.tell("BeginShutdown", {})
            if self.alive:
                self.heartbeat()
        else:
            self.crash()

    def look_at_partitions(self) -> None:
        """Host the topics that are meant for this broker; as a leader, ask for the replicas in sync that follow now."""
        self._host_some()
        for one in self.image.led_by(self.id):
            following = frozenset(broker for broker in one.replicas if broker == self.id or self.follows(broker))
            # Who is fenced is not taken in, but one that is in sync and follows need not be taken out.
            isr = following & (one.isr | self.image.unfenced | {self.id})
            if isr != one.isr:
                self.ask(AlterIsrRequest(self.id, one.partition, one.leader_epoch, isr), lambda answer: None)
