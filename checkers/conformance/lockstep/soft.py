"""The soft state of an active controller as the tables have it: contacts by the clock, what each broker has read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.requests.adapters import HEARTBEATS
from fencepost.checkers.conformance.requests.outcomes import Outcome
from fencepost.model.kraft import state as k
from fencepost.model.language.interpreter import CellKey
from fencepost.traces.steps import SILENCE as SILENT
from fencepost.traces.steps import BrokerState, ContactState, Step

from .cells import Change
from .compiled import FAILOVER, SILENCE, CompiledRows
from .controller_state import ControllerState, Shape
from .leader_logs import LeaderLog

_CONTACTS: dict[k.Contact, ContactState] = {
    k.Contact.NOTHING: "nothing",
    k.Contact.RECENT: "recent",
    k.Contact.EXPIRED: "expired",
}
_NAMED = {name: contact for contact, name in _CONTACTS.items()}
_NOTHING = k.Contact.NOTHING

Difference = tuple[BrokerState, BrokerState | None]


def settled(shape: Shape, soft: Mapping[CellKey, Any], last: int) -> list[Change]:
    """Return the soft changes of a result whose last record is at an offset, but for those that its records make.

    The tables count results, the log counts records: a controlled shutdown begins at the offset of the result's last
    record, and a registration is at the offset of its record.
    """
    shutdown, registration = shape.numbers[k.shutdown_offset.state], shape.numbers[k.registration_offset.state]
    return [
        (number, key, last if number == shutdown and value >= 0 else value)
        for number, key, value in shape.changes(soft)
        if number != registration
    ]


class SoftState:
    """The soft cells of the tables; the session timeout is in ms, None where steps report which contact is over."""

    def __init__(self, shape: Shape, rows: CompiledRows, timeout_ms: int | None) -> None:
        self.shape, self.rows = shape, rows
        self.timeout_ns = None if timeout_ms is None else timeout_ms * 1_000_000
        numbers = shape.numbers
        self.registered, self.epoch = numbers[k.registered.state], numbers[k.epoch.state]
        self.fenced, self.shutdown = numbers[k.soft_fenced.state], numbers[k.shutdown_offset.state]
        self.reported, self.contact = numbers[k.reported.state], numbers[k.contact.state]
        self.registration = numbers[k.registration_offset.state]

    # -- contacts --------------------------------------------------------------------------------------------------
    def expire(self, log: LeaderLog, step: Step) -> Iterator[str]:
        """End every contact that is over; yield the rows."""
        over = [step.contact[0]] if step.name == SILENT and step.contact is not None else []
        if self.timeout_ns is not None:
            late = step.time_ns - self.timeout_ns
            over += [broker for broker, since in log.since.items() if since < late]
        for broker in over:
            if broker not in log.since:
                continue
            del log.since[broker]
            yield from self._environment(log, SILENCE, {"b": broker})

    def note(self, log: LeaderLog, step: Step) -> None:
        """Record the contact that a step reports, if it is one under the broker's epoch."""
        assert step.contact is not None
        broker, epoch = step.contact
        tables = log.controller.cells.tables
        if tables[self.registered].get(broker, False) and tables[self.epoch].get(broker, -1) == epoch:
            log.since[broker] = step.time_ns
            log.controller.apply([(self.contact, broker, k.Contact.RECENT)])

    def _environment(self, log: LeaderLog, event: str, params: dict[str, Any]) -> tuple[str, ...]:
        found = self.rows.alone(event, params, log.controller)
        if found is None:
            return ()
        log.controller.apply(self.shape.changes(found.soft))
        return found.rows

    # -- results ---------------------------------------------------------------------------------------------------
    def settle(self, log: LeaderLog, outcome: Outcome, last: int, now_ns: int) -> list[Change]:
        """Make the soft changes of a result; return those that changed anything.

        A heartbeat's contact was recorded when it arrived.
        """
        if outcome.thrown:
            return []
        found: list[Change] = []
        for part in outcome.parts:
            # Its contact counts from its arrival.
            heartbeat = part.row.event.name in HEARTBEATS
            for change in settled(self.shape, part.soft, last):
                if change[0] == self.contact:
                    if heartbeat:
                        continue
                    log.since.pop(change[1], None)
                found.append(change)
        return log.controller.apply(found)

    # -- claims ----------------------------------------------------------------------------------------------------
    def forget(self, controller: ControllerState) -> None:
        """Forget what a claim does not find in its log."""
        controller.forget_soft(frozenset((self.registration,)))

    def begin(self, log: LeaderLog, step: Step) -> tuple[str, ...]:
        """Become active as the tables have it; the contacts that count begin now. Return the rows."""
        rows = self._environment(log, FAILOVER, {"c": str(step.node)})
        contacts = log.controller.cells.tables[self.contact]
        log.since = {broker: step.time_ns for broker, found in contacts.items() if found is k.Contact.RECENT}
        return rows

    # -- compared with the reported state --------------------------------------------------------------------------
    def of(self, controller: ControllerState, broker: int, reported: int) -> BrokerState:
        """Return a broker's state in the tables; for one that is fenced the offset `reported` is the reported one.

        Kafka does not use the read offset of a fenced broker, so the tables do not care what becomes of that offset.
        """
        tables = controller.cells.tables
        fenced = tables[self.fenced].get(broker, False)
        return BrokerState(
            broker,
            fenced,
            tables[self.shutdown].get(broker, -1),
            reported if fenced else tables[self.reported].get(broker, -1),
            _CONTACTS[tables[self.contact].get(broker, _NOTHING)],
            tables[self.registration].get(broker, -1),
        )

    def differences(self, log: LeaderLog, step: Step) -> tuple[Difference, ...]:
        """Return every broker whose state in the tables differs from the reported one, in order of id."""
        if step.soft is None:
            return ()
        controller = log.controller
        registered = controller.cells.tables[self.registered]
        if len(registered) == len(step.soft) and all(
            one.broker in registered and self.of(controller, one.broker, one.reported) == one for one in step.soft
        ):
            return ()
        known = {one.broker: one for one in step.soft}
        found: list[Difference] = []
        for broker in sorted({*known, *registered}):
            told_of = known.get(broker)
            ours = self.of(controller, broker, -1 if told_of is None else told_of.reported)
            if broker not in registered or told_of != ours:
                found.append((ours, told_of))
        return tuple(found)

    def adopt(self, log: LeaderLog, step: Step) -> None:
        """Take over the soft state that a step reports."""
        if step.soft is None:
            return
        changes: list[Change] = []
        for one in step.soft:
            contact = _NAMED[one.contact]
            changes += [
                (self.fenced, one.broker, one.fenced),
                (self.shutdown, one.broker, one.shutdown_offset),
                (self.reported, one.broker, one.reported),
                (self.contact, one.broker, contact),
                (self.registration, one.broker, one.registration_offset),
            ]
            if contact is k.Contact.RECENT:
                log.since.setdefault(one.broker, step.time_ns)
            else:
                log.since.pop(one.broker, None)
        log.controller.apply(changes)
