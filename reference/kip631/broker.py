"""The life of a broker's process in both versions: it starts, fetches metadata, leads what they say, and goes.

What it says to the controller and what it makes of the answers is each version's own (`v1.broker`, `v2.broker`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from fencepost.reference.simulator import MILLISECOND, SECOND, Cells, Process

from .controller import FetchAnswer, FetchRequest, Refused
from .log import MetadataLog
from .quorum import Quorum, Tell
from .records import Image, Record
from .settings import Settings


class BrokerCells:
    """State of the brokers' processes, dropped when a process ends."""

    def __init__(self, cells: Cells, brokers: tuple[int, ...]) -> None:
        self.incarnation = cells.column("own_incarnation", 0, brokers)
        self.epoch = cells.column("own_epoch", -1, brokers)
        self.state = cells.column("broker_state", "NOT_RUNNING", brokers)
        self.serving = cells.column("serving", False, brokers)
        self.offset = cells.column("own_offset", -1, brokers)


class Broker(Process):
    """A broker: up and down as often as its operator or a fault wants it, each time as a new incarnation."""

    def __init__(
        self, number: int, settings: Settings, own: BrokerCells, quorum: Quorum, log: MetadataLog, told: Tell
    ) -> None:
        super().__init__(quorum.simulator, f"broker-{number}")
        self.id, self.settings, self.own, self.quorum, self.log, self.told = number, settings, own, quorum, log, told
        self.draw: random.Random = quorum.simulator.random(self.name)
        self.peers: dict[int, Broker] = {}
        self.incarnations = 0
        self.clean = True
        self.misconfigured = ""
        self.heartbeats = 0
        self._displaced = False
        self.image = Image()

    # -- what each version says ------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Go on after the process has come up."""
        raise NotImplementedError

    def registration(self, incarnation: int) -> Any:
        """Return the request to register a process under this broker's id."""
        raise NotImplementedError

    def heartbeat(self) -> None:
        """Say to the controller how this broker is and what it wants."""
        raise NotImplementedError

    def terminate(self) -> None:
        """Shut down in a controlled way."""
        raise NotImplementedError

    def look_at_partitions(self) -> None:
        """As a leader, ask the controller for changes of the replicas in sync."""
        raise NotImplementedError

    # -- up and down -----------------------------------------------------------------------------------------------
    @property
    def now(self) -> int:
        """The clock, in milliseconds."""
        return self.now_ns // MILLISECOND

    @property
    def state(self) -> str:
        """Where in its life the broker is, by the document's name."""
        return self.own.state[self.id]

    def enter(self, state: str) -> None:
        """Change the state."""
        self.own.state[self.id] = state

    def tell(self, name: str, parameters: dict[str, Any], answer: str = "") -> None:
        """Tell a step of this broker."""
        self.told(self.name, name, {"b": self.id, **parameters}, answer)

    def started(self) -> None:
        """Come up, as an incarnation that never was."""
        self.incarnations += 1
        self.own.incarnation[self.id] = self.incarnations
        self.enter("STARTING")
        self.image = Image()
        self.tell("StartBroker", {"incarnation": self.incarnations})
        self.later(self.settings.start, self.begin)
        self.later(self.settings.fetch, self._fetch)

    def crashed(self) -> None:
        """Be gone, and all that the process had in mind with it."""
        self.clean = self.state == "SHUTTING_DOWN"
        self.misconfigured = ""
        self.heartbeats = 0
        self._displaced = False
        own, number = self.own, self.id
        self.enter("NOT_RUNNING")
        own.incarnation[number], own.epoch[number], own.offset[number], own.serving[number] = 0, -1, -1, False
        self.forget()
        self.tell("StopBroker", {})

    def forget(self) -> None:
        """Forget what only this version has in mind."""

    def later(self, delay_ms: float, callback: Callable[[], None]) -> None:
        """Do something after about so many milliseconds, if the process still lives."""
        self.after(int(delay_ms * self.draw.uniform(0.8, 1.2) * MILLISECOND), callback)

    def ask(self, request: Any, on_answer: Callable[[Any], None], on_timeout: Callable[[], None] | None = None) -> None:
        """Send a request to the controller; answers later than two sessions are not waited for."""
        patience = 2 * self.settings.session * MILLISECOND
        nothing: Callable[[], None] = lambda: None  # noqa: E731
        self.quorum.network.call(self, self.quorum.endpoint, request, on_answer, patience, on_timeout or nothing)

    # -- metadata --------------------------------------------------------------------------------------------------
    def _fetch(self) -> None:
        # A fetch waits where there is nothing new: none is sent before there is.
        if self.log.committed.value > self.own.offset[self.id]:
            self.ask(FetchRequest(self.own.offset[self.id]), self._fetched)
        self.later(self.settings.fetch, self._fetch)

    def _fetched(self, answer: Any) -> None:
        offset = self.own.offset[self.id]
        if isinstance(answer, FetchAnswer) and answer.to > offset:
            records = self.log.read(offset, answer.to)
            self.image.replay(records)
            self.own.offset[self.id] = answer.to
            self.applied([] if answer.snapshot else records)
            self.tell("ApplySnapshot" if answer.snapshot else "ApplyMetadata", {"to": answer.to})

    def applied(self, records: Sequence[Record]) -> None:
        """Do what new metadata ask for; the records are those that the broker has seen, none if it got a snapshot."""

    # -- heartbeats and partitions ---------------------------------------------------------------------------------
    def begin_heartbeats(self) -> None:
        """Send a heartbeat now, and one every interval from now on; look at the partitions now and then."""
        self.heartbeats += 1
        self._heartbeats(self.heartbeats)
        self._looks(self.heartbeats)

    def _heartbeats(self, number: int) -> None:
        # Another loop may have begun since.
        if number == self.heartbeats and self.state != "SHUTTING_DOWN":
            self.heartbeat()
            self.later(self.settings.heartbeat, lambda: self._heartbeats(number))

    def _looks(self, number: int) -> None:
        if number == self.heartbeats:
            if self.own.serving[self.id]:
                self.look_at_partitions()
            self.later(2 * self.settings.fetch + 300, lambda: self._looks(number))

    def follows(self, broker: int) -> bool:
        """Whether a broker fetches from this one: it is up, and reached."""
        faults, peer = self.quorum.network.faults, self.peers[broker]
        cut = faults.is_cut(peer.name, self.name) or faults.is_cut(self.name, peer.name)
        return peer.alive and not cut and peer.state in ("FENCED", "RUNNING", "PENDING_CONTROLLED_SHUTDOWN")

    def exit_soon(self) -> None:
        """End the process, as it ends when it is done or cannot go on."""
        self.after(int(self.draw.uniform(5, 60) * MILLISECOND), self.crash)

    def lost_its_id(self) -> None:
        """End soon: the id belongs to another process, or to none; the supervisor starts this one anew."""
        if not self._displaced:
            self._displaced = True
            self.after(int(self.draw.uniform(1, 6) * SECOND), self.crash)


class Twin(Process):
    """Another process that was started under a broker's id by mistake: it tries to register, and does nothing more."""

    def __init__(self, broker: Broker, number: int) -> None:
        super().__init__(broker.simulator, f"twin-{number}-of-{broker.name}")
        self.broker = broker
        broker.incarnations += 1
        self.incarnation = broker.incarnations

    def started(self) -> None:
        """Try, until it is registered or gone."""
        quorum, patience = self.broker.quorum, int(0.7 * SECOND)
        request = self.broker.registration(self.incarnation)
        quorum.network.call(self, quorum.endpoint, request, self._answered, patience, self.started)

    def _answered(self, answer: Any) -> None:
        if isinstance(answer, Refused):
            self.after(int(0.7 * SECOND), self.started)
