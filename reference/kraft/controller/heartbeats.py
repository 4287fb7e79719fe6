"""The active controller's state of its brokers from heartbeats: soft state, lost at a renounce (S3:230-250).

`BrokerHeartbeatTracker` remembers when each broker was last heard of; `BrokerHeartbeatManager` how far each has read,
and whether it is fenced or shutting down. Neither is written to the log; the registrations in `cluster` are.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from fencepost.reference.kraft.messages import BrokerHeartbeatRequest

from .hash_tables import ConcurrentTable

EVERYONE_HAS_SEEN_ALL = 2**63 - 1
"""The lowest active offset where no broker is active: there is no broker to wait for."""

Session = tuple[int, int]
"""A broker's id and the epoch of its registration."""


class BrokerControlState(enum.Enum):
    """The controller's state of a broker; SHUTDOWN_NOW is an answer and never stored (S3:236-242)."""

    FENCED = "FENCED"
    UNFENCED = "UNFENCED"
    CONTROLLED_SHUTDOWN = "CONTROLLED_SHUTDOWN"
    SHUTDOWN_NOW = "SHUTDOWN_NOW"


class BrokerHeartbeatTracker:
    """When each session was last heard of; kept by (broker, epoch), so a new registration begins a new session.

    Kafka notes a contact when the request arrives, before the event runs, so that a busy controller does not fence
    brokers for its own slowness (S3:234, BrokerHeartbeatTracker). Of several sessions that are over the first one of a
    hash table is forgotten first, whichever was silent longest.
    """

    def __init__(self, session_timeout_ns: int) -> None:
        self.session_timeout_ns = session_timeout_ns
        self.contacts: ConcurrentTable[int] = ConcurrentTable()

    def touch(self, broker: int, epoch: int, now_ns: int) -> None:
        """Note a contact with a session, known or not."""
        self.contacts[broker, epoch] = now_ns

    def last_contact(self, broker: int, epoch: int) -> int | None:
        """Return when a session was last heard of in nanoseconds, None where it never was."""
        return self.contacts.get((broker, epoch))

    def has_valid_session(self, broker: int, epoch: int, now_ns: int) -> bool:
        """Whether a session has been heard of, and not too long ago."""
        contact = self.contacts.get((broker, epoch))
        return contact is not None and not self._is_expired(contact, now_ns)

    def remove_expired(self, now_ns: int) -> Session | None:
        """Forget one session that is over and return it, None where all go on."""
        for session in self.contacts.sessions():
            if self._is_expired(self.contacts[session], now_ns):
                del self.contacts[session]
                return session
        return None

    def _is_expired(self, contact_ns: int, now_ns: int) -> bool:
        return now_ns > contact_ns and contact_ns + self.session_timeout_ns < now_ns


@dataclass(slots=True)
class BrokerHeartbeatState:
    """One broker: `metadata_offset` is how far it says it has read, −1 unknown; `controlled_shutdown_offset` is where
    its controlled shutdown began, −1 where it is in none.
    """

    fenced: bool
    metadata_offset: int = -1
    controlled_shutdown_offset: int = -1

    @property
    def shutting_down(self) -> bool:
        """Whether the broker is in controlled shutdown, as far as this controller knows."""
        return self.controlled_shutdown_offset >= 0

    @property
    def active(self) -> bool:
        """Whether the broker is unfenced and not in controlled shutdown."""
        return not self.fenced and not self.shutting_down


class BrokerHeartbeatManager:
    """The heartbeat states of all registered brokers, and the state machine over them (BrokerHeartbeatManager)."""

    def __init__(self, session_timeout_ns: int, repaired: frozenset[str] = frozenset()) -> None:
        self.tracker = BrokerHeartbeatTracker(session_timeout_ns)
        self.brokers: dict[int, BrokerHeartbeatState] = {}
        self._repaired = repaired

    def register(self, broker: int, fenced: bool) -> None:
        """Make the state of a broker agree with its registration.

        Where the fenced flag stays as it was, what an unfenced broker had read is forgotten until its next heartbeat
        (BrokerHeartbeatManager).
        """
        state = self.brokers.get(broker)
        offset = -1
        if state is None:
            self.brokers[broker] = BrokerHeartbeatState(fenced)
        elif state.fenced != fenced:
            offset = state.metadata_offset
        self.touch(broker, fenced, offset)

    def remove(self, broker: int) -> None:
        """Forget a broker."""
        self.brokers.pop(broker, None)

    def fence(self, broker: int) -> None:
        """Take a broker for fenced, ahead of the record that says so."""
        state = self.brokers.get(broker)
        if state is not None:
            state.fenced = True

    def touch(self, broker: int, fenced: bool, metadata_offset: int) -> None:
        """Note what a heartbeat or a record says of a broker; a fenced one leaves its controlled shutdown."""
        state = self._state(broker)
        state.fenced = fenced
        state.metadata_offset = metadata_offset
        if fenced:
            state.controlled_shutdown_offset = -1

    def begin_controlled_shutdown(self, broker: int, offset: int) -> None:
        """Note the offset that all active brokers must have read before a broker may stop; the first one stays.

        Raises RuntimeError for a broker that is fenced.
        """
        state = self._state(broker)
        if state.fenced:
            raise RuntimeError(f"broker {broker} is fenced and cannot enter controlled shutdown")
        if not state.shutting_down:
            state.controlled_shutdown_offset = offset

    def controlled_shutdown_offset(self, broker: int) -> int:
        """Return where a broker's controlled shutdown began, −1 where it is in none or unknown."""
        state = self.brokers.get(broker)
        return -1 if state is None else state.controlled_shutdown_offset

    def lowest_active_offset(self) -> int:
        """Return the lowest offset that an active broker has read, `EVERYONE_HAS_SEEN_ALL` where there is none."""
        offsets = (state.metadata_offset for state in self.brokers.values() if state.active)
        return min(offsets, default=EVERYONE_HAS_SEEN_ALL)

    def usable_brokers(self) -> list[tuple[int, bool]]:
        """Return (id, fenced) of the brokers that new replicas may be placed on, ascending: not those shutting down."""
        return [(b, state.fenced) for b, state in sorted(self.brokers.items()) if not state.shutting_down]

    def current_state(self, broker: int) -> BrokerControlState:
        """Return what a broker is taken for; raises KeyError for one that is not registered."""
        state = self._state(broker)
        if state.shutting_down:
            return BrokerControlState.CONTROLLED_SHUTDOWN
        return BrokerControlState.FENCED if state.fenced else BrokerControlState.UNFENCED

    def next_state(
        self,
        request: BrokerHeartbeatRequest,
        registration_offset: int,
        leads: Callable[[], bool],
        in_controlled_shutdown: bool = False,
    ) -> tuple[BrokerControlState, BrokerControlState]:
        """Return what a broker is and what its heartbeat makes it; nothing is changed (BrokerHeartbeatManager).

        `leads` says whether the broker leads a partition; `in_controlled_shutdown` is the mark in its registration,
        at which Kafka does not look. Raises KeyError for a broker that is not registered.
        """
        current = self.current_state(request.broker_id)
        match current:
            case BrokerControlState.FENCED:
                return current, self._from_fenced(request, registration_offset, in_controlled_shutdown)
            case BrokerControlState.UNFENCED:
                return current, _from_unfenced(request, leads)
            case _:
                return current, self._from_shutting_down(request.broker_id, leads)

    def _from_fenced(
        self, request: BrokerHeartbeatRequest, registration_offset: int, in_controlled_shutdown: bool
    ) -> BrokerControlState:
        if request.want_shut_down:
            return BrokerControlState.SHUTDOWN_NOW
        if "D11" in self._repaired and in_controlled_shutdown:
            return BrokerControlState.FENCED
        if not request.want_fence and request.current_metadata_offset >= registration_offset:
            return BrokerControlState.UNFENCED
        return BrokerControlState.FENCED

    def _from_shutting_down(self, broker: int, leads: Callable[[], bool]) -> BrokerControlState:
        if leads() or self._state(broker).controlled_shutdown_offset > self.lowest_active_offset():
            return BrokerControlState.CONTROLLED_SHUTDOWN
        return BrokerControlState.SHUTDOWN_NOW

    def _state(self, broker: int) -> BrokerHeartbeatState:
        return self.brokers[broker]


def _from_unfenced(request: BrokerHeartbeatRequest, leads: Callable[[], bool]) -> BrokerControlState:
    if request.want_fence:
        return BrokerControlState.SHUTDOWN_NOW if request.want_shut_down else BrokerControlState.FENCED
    if request.want_shut_down:
        return BrokerControlState.CONTROLLED_SHUTDOWN if leads() else BrokerControlState.SHUTDOWN_NOW
    return BrokerControlState.UNFENCED
