"""Heartbeats: the state machine of a broker against a table, the tracker against a plain account of contacts."""

import itertools

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fencepost.reference.kraft.controller.heartbeats import (
    EVERYONE_HAS_SEEN_ALL,
    BrokerControlState,
    BrokerHeartbeatManager,
    BrokerHeartbeatTracker,
)
from fencepost.reference.kraft.messages import BrokerHeartbeatRequest
from tests.cases import examples

FENCED, UNFENCED, SHUTTING, NOW = BrokerControlState
TIMEOUT = 9
BROKERS = (1, 2, 3)


def beat(broker: int = 1, offset: int = 0, fence: bool = False, down: bool = False) -> BrokerHeartbeatRequest:
    """Return a heartbeat."""
    return BrokerHeartbeatRequest(
        broker_id=broker, broker_epoch=7, current_metadata_offset=offset, want_fence=fence, want_shut_down=down
    )


def expected(
    current: BrokerControlState, request: BrokerHeartbeatRequest, registered: int, leads: bool, seen_by_all: bool
) -> BrokerControlState:
    """Return what the table of BrokerHeartbeatManager says, row by row, the first that fits."""
    fence, down = request.want_fence, request.want_shut_down
    rows = (
        (FENCED, down, NOW),
        (FENCED, not fence and request.current_metadata_offset >= registered, UNFENCED),
        (FENCED, True, FENCED),
        (UNFENCED, fence and down, NOW),
        (UNFENCED, fence, FENCED),
        (UNFENCED, down and leads, SHUTTING),
        (UNFENCED, down, NOW),
        (UNFENCED, True, UNFENCED),
        (SHUTTING, leads, SHUTTING),
        (SHUTTING, seen_by_all, NOW),
        (SHUTTING, True, SHUTTING),
    )
    return next(then for state, guard, then in rows if state is current and guard)


class Heartbeats(RuleBasedStateMachine):
    """An active controller's heartbeats; beside them what a plain reader would have noted down."""

    @initialize()
    def begin(self) -> None:
        """Begin without brokers."""
        self.manager = BrokerHeartbeatManager(TIMEOUT)
        self.now, self.end = 0, 10
        self.plain: dict[int, tuple[bool, int, int]] = {}
        """Fenced, offset read, offset of the controlled shutdown."""
        self.contacts: dict[tuple[int, int], int] = {}

    @rule(broker=st.sampled_from(BROKERS), fenced=st.booleans())
    def replay_registration(self, broker: int, fenced: bool) -> None:
        """A RegisterBroker record is replayed: all is new."""
        self.manager.remove(broker)
        self.manager.register(broker, fenced)
        self.plain[broker] = (fenced, -1, -1)

    @precondition(lambda self: self.plain)
    @rule(data=st.data(), fenced=st.booleans())
    def replay_change(self, data: st.DataObject, fenced: bool) -> None:
        """A registration change is replayed: where the flag stays, what was read is forgotten."""
        broker = data.draw(st.sampled_from(sorted(self.plain)))
        was, offset, begun = self.plain[broker]
        self.manager.register(broker, fenced)
        self.plain[broker] = (fenced, offset if was != fenced else -1, -1 if fenced else begun)

    @precondition(lambda self: self.plain)
    @rule(data=st.data(), offset=st.integers(-1, 20), fence=st.booleans(), down=st.booleans(), leads=st.booleans())
    def heartbeat(self, data: st.DataObject, offset: int, fence: bool, down: bool, leads: bool) -> None:
        """A heartbeat is answered by the table, and noted; a controlled shutdown begins at the end of the result."""
        broker, registered = data.draw(st.sampled_from(sorted(self.plain))), 10
        was, _, begun = self.plain[broker]
        current = SHUTTING if begun >= 0 else FENCED if was else UNFENCED
        others = [read for fenced, read, begins in self.plain.values() if not fenced and begins < 0]
        request = beat(broker, offset, fence, down)
        self.manager.tracker.touch(broker, 7, self.now)
        self.contacts[broker, 7] = self.now
        then = expected(current, request, registered, leads, begun <= min(others, default=EVERYONE_HAS_SEEN_ALL))
        assert self.manager.next_state(request, registered, lambda: leads) == (current, then)
        fenced = then in (FENCED, NOW)
        self.manager.touch(broker, fenced, offset)
        begun = -1 if fenced else begun
        if then is SHUTTING:
            self.manager.begin_controlled_shutdown(broker, self.end)
            begun = begun if begun >= 0 else self.end
        self.plain[broker] = (fenced, offset, begun)
        self.end += 1

    @rule(more=st.integers(0, 2 * TIMEOUT))
    def wait(self, more: int) -> None:
        """Time goes on."""
        self.now += more

    @rule()
    def look_for_the_silent(self) -> None:
        """One session that is over is forgotten, if there is one; no other."""
        over = {session for session, at in self.contacts.items() if at + TIMEOUT < self.now}
        found = self.manager.tracker.remove_expired(self.now)
        assert (found in over) if over else found is None
        if found is not None:
            del self.contacts[found]
            if found[0] in self.plain:
                self.manager.fence(found[0])
                self.manager.register(found[0], True)
                self.plain[found[0]] = (True, -1, -1)

    @rule()
    def fail_over(self) -> None:
        """Another controller knows the fenced flags and nothing else; those unfenced count as heard of now."""
        self.manager = BrokerHeartbeatManager(TIMEOUT)
        self.contacts = {}
        for broker, (fenced, _, _) in self.plain.items():
            self.manager.register(broker, fenced)
            self.plain[broker] = (fenced, -1, -1)
            if not fenced:
                self.manager.tracker.touch(broker, 7, self.now)
                self.contacts[broker, 7] = self.now

    @invariant()
    def the_states_agree(self) -> None:
        """Flags and offsets are those noted down; who is fenced is in no controlled shutdown."""
        states = self.manager.brokers
        told = {b: (one.fenced, one.metadata_offset, one.controlled_shutdown_offset) for b, one in states.items()}
        assert told == self.plain
        assert all(not (fenced and begun >= 0) for fenced, _, begun in told.values())
        assert NOW not in {self.manager.current_state(broker) for broker in states}

    @invariant()
    def the_views_agree(self) -> None:
        """The lowest active offset, the usable brokers and the valid sessions follow from what was noted down."""
        reads = [read for fenced, read, begun in self.plain.values() if not fenced and begun < 0]
        assert self.manager.lowest_active_offset() == min(reads, default=EVERYONE_HAS_SEEN_ALL)
        usable = sorted((b, fenced) for b, (fenced, _, begun) in self.plain.items() if begun < 0)
        assert self.manager.usable_brokers() == usable
        for broker in BROKERS:
            contact = self.contacts.get((broker, 7))
            valid = contact is not None and contact + TIMEOUT >= self.now
            assert self.manager.tracker.has_valid_session(broker, 7, self.now) == valid


TestHeartbeats = Heartbeats.TestCase
TestHeartbeats.settings = settings(max_examples=examples(100))


def test_the_table_is_complete() -> None:
    """Every state but the last, with every request, has exactly the answer of the table."""
    seen = set()
    for state, fence, down, offset, leads, lowest in itertools.product(
        (FENCED, UNFENCED, SHUTTING), (False, True), (False, True), (9, 10), (False, True), (4, 5)
    ):
        manager = BrokerHeartbeatManager(TIMEOUT)
        manager.register(1, state is FENCED)
        manager.register(2, False)
        manager.touch(2, False, lowest)
        if state is SHUTTING:
            manager.begin_controlled_shutdown(1, 5)
        request = beat(1, offset, fence, down)
        told = manager.next_state(request, 10, lambda leads=leads: leads)  # type: ignore[misc]
        assert told == (state, expected(state, request, 10, leads, lowest == 5))
        seen.add(told)
    assert len(seen) == 3 + 4 + 2


def test_a_session_is_over_after_its_timeout_and_not_at_it() -> None:
    """The session lasts up to and including contact + timeout (S3:248)."""
    tracker = BrokerHeartbeatTracker(TIMEOUT)
    tracker.touch(1, 7, 100)
    assert tracker.has_valid_session(1, 7, 100 + TIMEOUT)
    assert tracker.remove_expired(100 + TIMEOUT) is None
    assert not tracker.has_valid_session(1, 7, 101 + TIMEOUT)
    assert not tracker.has_valid_session(1, 8, 100)
    assert tracker.remove_expired(101 + TIMEOUT) == (1, 7)
    assert tracker.remove_expired(101 + TIMEOUT) is None


def test_a_fenced_broker_begins_no_controlled_shutdown() -> None:
    """Beginning one for a fenced broker is an error of the controller, not of the request."""
    manager = BrokerHeartbeatManager(TIMEOUT)
    manager.register(1, True)
    with pytest.raises(RuntimeError, match="fenced"):
        manager.begin_controlled_shutdown(1, 5)


def test_a_controlled_shutdown_keeps_its_first_offset() -> None:
    """A later heartbeat in controlled shutdown does not move the offset that others must have read."""
    manager = BrokerHeartbeatManager(TIMEOUT)
    manager.register(1, False)
    manager.begin_controlled_shutdown(1, 5)
    manager.begin_controlled_shutdown(1, 9)
    assert manager.controlled_shutdown_offset(1) == 5


@pytest.mark.parametrize(("repaired", "then"), [(frozenset[str](), UNFENCED), (frozenset({"D11"}), FENCED)])
def test_a_broker_that_was_told_to_shut_down_may_be_unfenced(
    repaired: frozenset[str], then: BrokerControlState
) -> None:
    """Kafka does not look at the mark in the registration; with the repair D11 it stays fenced until it is new."""
    manager = BrokerHeartbeatManager(TIMEOUT, repaired)
    manager.register(1, True)
    assert manager.next_state(beat(1, 10), 10, lambda: False, in_controlled_shutdown=True) == (FENCED, then)
