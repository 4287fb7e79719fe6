"""S2 (KIP-631), version 1, sentence by sentence, against the rows: registrations, leases, handshake, shutdown."""

from typing import Any

import pytest

from fencepost.model.kip631.v1 import KIP631_V1
from fencepost.model.kip631.v1.failovers import WHOLE as FAILOVERS
from fencepost.model.kip631.v1.state import BrokerState, Current, Error, Next, Target
from fencepost.model.language import Protocol

from .tables import Tables

LEASE, REUSE = 3, 2
ALL = frozenset({0, 1, 2})


def cluster(protocol: Protocol = KIP631_V1) -> Tables:
    """Return three brokers that no controller has heard of, and partition 0 on all of them, broker 0 and 1 in sync."""
    tables = Tables(protocol, Broker=3, Partition=1, Exchange=2)
    tables["next_lease"] = tables["longest_lease"] = LEASE
    tables["id_reuse"] = REUSE
    tables["replicas", 0], tables["isr", 0] = (0, 1, 2), frozenset({0, 1})
    return tables


def register(tables: Tables, b: int = 0, process: int = 1, *, supports: bool = True) -> Any:
    """Let a process ask for a broker id, and return the answer."""
    return tables.do("Register", b=b, incarnation=process, supports=supports)


def heartbeat(tables: Tables, b: int = 0, **but: Any) -> Any:
    """Let a heartbeat arrive, of a fenced broker that wants to be active if nothing else is said; return the answer."""
    asked = {"epoch": tables["broker_epoch", b], "current": Current.FENCED, "target": Target.ACTIVE, "offset": 5}
    return tables.do("Heartbeat", b=b, **asked | but)


def active(tables: Tables, b: int = 0) -> Any:
    """Let the second heartbeat of the handshake arrive."""
    return heartbeat(tables, b, current=Current.ACTIVE)


def unfenced(*brokers: int) -> Tables:
    """Return a cluster in which these brokers are registered and unfenced, the first one leader of partition 0."""
    tables = cluster()
    for b in brokers:
        register(tables, b)
        heartbeat(tables, b)
        active(tables, b)
    tables["isr", 0] = frozenset({0, 1})
    tables.do("ElectLeader", p=0, leader=brokers[0])
    return tables


def test_a_registration_gets_the_committed_offset_for_its_epoch() -> None:
    """The epoch is the last committed offset, and the broker is fenced: two before a commit get the same."""
    tables = cluster()
    tables["committed"], tables["next_offset"] = 4, 6
    assert register(tables) is Error.NONE
    assert (tables["broker_epoch", 0], tables["incarnation", 0], tables["fenced", 0]) == (4, 1, True)
    register(tables, 1)
    assert tables["broker_epoch", 1] == 4


def test_a_registration_that_is_sent_again_gets_the_same_answer() -> None:
    """The same process keeps its epoch, and stays unfenced if it is."""
    tables = unfenced(0)
    tables.do("Commit", to=1)
    epoch, offset = tables["broker_epoch", 0], tables["next_offset"]
    assert register(tables) is Error.NONE
    assert (tables["broker_epoch", 0], tables["fenced", 0], tables["next_offset"]) == (epoch, False, offset)


def test_an_id_in_use_is_refused_until_nobody_was_heard_of() -> None:
    """Registrations and heartbeats of the former process count, fenced or not; a tick later the id is free."""
    tables = cluster()
    register(tables)
    tables["now"] = REUSE
    assert register(tables, process=2) is Error.DUPLICATE_BROKER_REGISTRATION
    heartbeat(tables)
    assert tables["fenced", 0]
    tables["now"] = 2 * REUSE
    assert register(tables, process=2) is Error.DUPLICATE_BROKER_REGISTRATION
    tables["now"] = 2 * REUSE + 1
    assert register(tables, process=2) is Error.NONE
    assert tables["incarnation", 0] == 2


def test_software_without_the_features_is_refused() -> None:
    """It is not registered."""
    tables = cluster()
    assert register(tables, supports=False) is Error.UNSUPPORTED_VERSION
    assert not tables["registered", 0]


def test_a_broker_is_unfenced_by_its_second_heartbeat() -> None:
    """The first one gets a lease, and leaves it fenced in the metadata; the second one unfences it."""
    tables = cluster()
    register(tables)
    assert heartbeat(tables) is Error.NEXT_ACTIVE
    assert (tables["fenced", 0], tables["granted", 0], tables["lease_end", 0]) == (True, True, LEASE)
    assert active(tables) is Error.NEXT_ACTIVE
    assert (tables.ran[-1], tables["fenced", 0]) == ("V1.6", False)


def test_nobody_is_unfenced_without_a_grant() -> None:
    """Who says to be active and was told nothing is answered that it is fenced."""
    tables = cluster()
    register(tables)
    assert active(tables) is Error.NEXT_FENCED
    assert tables["fenced", 0]


def test_a_lease_ends_for_the_controller() -> None:
    """Once its end is over, and not a tick before, the broker is fenced, leads nothing and leaves the ISR."""
    tables = unfenced(0)
    tables["now"] = LEASE
    assert tables.row("LeaseExpires", b=0) is None
    tables["now"] = LEASE + 1
    tables.do("LeaseExpires", b=0)
    assert (tables["fenced", 0], tables["leader", 0], tables["isr", 0]) == (True, None, {1})


def test_a_heartbeat_renews_the_lease() -> None:
    """It ends as much later as the answer says, whose length the controller chooses."""
    tables = unfenced(0)
    tables.do("ChooseLease", to=2)
    tables["now"] = 2
    assert active(tables) is Error.NEXT_ACTIVE
    assert tables["lease_end", 0] == 4


def test_a_lease_ends_for_the_broker_first() -> None:
    """At its end the broker stops serving; it counts from when it sent the heartbeat."""
    tables = unfenced(0)
    tables["own_incarnation", 0], tables["broker_state", 0], tables["sent_at", 0] = 1, BrokerState.FENCED, 0
    tables["now"] = 1
    tables.do("HeartbeatReply", b=0, error=Error.NONE, next=Next.ACTIVE, sent=0, lease=LEASE)
    assert (tables["broker_state", 0], tables["serving", 0], tables["own_lease_end", 0]) == (
        BrokerState.RUNNING,
        True,
        LEASE,
    )
    assert tables.row("OwnLeaseExpires", b=0) is None
    tables["now"] = LEASE
    tables.do("OwnLeaseExpires", b=0)
    assert (tables["broker_state", 0], tables["serving", 0], tables.row("LeaseExpires", b=0)) == (
        BrokerState.FENCED,
        False,
        None,
    )


def test_a_fenced_broker_leads_nothing_and_is_not_elected() -> None:
    """Only who is unfenced and in the ISR becomes leader."""
    tables = unfenced(0)
    assert tables.row("ElectLeader", p=0, leader=1) is None
    assert tables.row("ElectLeader", p=0, leader=2) is None
    register(tables, 1)
    assert tables.row("ElectLeader", p=0, leader=1) is None


def test_a_broker_may_stop_when_its_leaders_are_moved() -> None:
    """Asked for SHUTDOWN the controller answers what the broker is while it leads, and SHUTDOWN when it does not."""
    tables = unfenced(0, 1)
    assert heartbeat(tables, current=Current.ACTIVE, target=Target.SHUTDOWN) is Error.NEXT_ACTIVE
    tables.do("ElectLeader", p=0, leader=1)
    assert tables.ran[-1] == "V1.10m"
    assert tables.row("ElectLeader", p=0, leader=0) is None
    assert heartbeat(tables, current=Current.ACTIVE, target=Target.SHUTDOWN) is Error.NEXT_SHUTDOWN


def test_without_an_active_controller_nobody_is_answered() -> None:
    """Registrations and heartbeats are answered NOT_CONTROLLER, and the metadata stays."""
    tables = unfenced(0)
    tables.do("ControllerFails")
    assert (register(tables, 1), active(tables)) == (Error.NOT_CONTROLLER, Error.NOT_CONTROLLER)
    assert (tables["registered", 1], tables["fenced", 0], tables["leader", 0]) == (False, False, 0)


def test_a_heartbeat_that_was_overtaken_is_ignored() -> None:
    """With a lower offset than the last one it changes nothing."""
    tables = unfenced(0)
    assert heartbeat(tables, current=Current.ACTIVE, offset=4) is Error.IGNORED
    assert tables["reported_offset", 0] == 5


def test_only_what_is_committed_is_seen_by_brokers() -> None:
    """A broker reads up to the committed offset, of a log that goes on."""
    tables = unfenced(0)
    tables["broker_state", 1], tables["own_incarnation", 1] = BrokerState.STARTING, 1
    last = tables["next_offset"] - 1
    assert tables["committed"] < last
    assert tables.row("ApplyMetadata", b=1, to=last) is None
    tables.do("Commit", to=last)
    tables.do("ApplyMetadata", b=1, to=last)
    assert tables["own_offset", 1] == last


def test_what_is_not_committed_is_lost_and_was_not_answered() -> None:
    """A registration is known to its broker when it is committed; one that a failover loses it has not heard of."""
    tables = cluster(FAILOVERS)
    tables["committed"], tables["next_offset"] = 4, 5
    tables["broker_state", 0], tables["own_incarnation", 0] = BrokerState.REGISTERING, 1
    assert register(tables) is Error.NONE
    answer = {"b": 0, "error": Error.NONE, "epoch": tables["broker_epoch", 0], "lease": LEASE}
    assert tables.row("RegisterReply", **answer) != "VB4"
    tables.do("ControllerFails")
    tables.do("TailIsLost")
    assert (tables["registered", 0], tables["next_offset"], tables["committed"]) == (False, 5, 4)
    tables.do("ControllerFailover")
    assert register(tables) is Error.NONE
    tables.do("Commit", to=5)
    tables.do("RegisterReply", **answer)
    assert (tables.ran[-1], tables["broker_state", 0]) == ("VB4", BrokerState.FENCED)


@pytest.mark.parametrize("unclean", [False, True])
def test_a_process_goes_through_the_states(unclean: bool) -> None:
    """Starting, recovering after an unclean shutdown only, registering, fenced; from there on as answered."""
    tables = cluster()
    tables.do("StartBroker", b=0, incarnation=1)
    if unclean:
        tables.do("RecoverLogs", b=0)
    tables.do("BeginRegistration", b=0)
    seen = [tables["broker_state", 0]]
    tables.do("RegisterReply", b=0, error=Error.NONE, epoch=4, lease=LEASE)
    assert tables["own_epoch", 0] == 4
    seen.append(tables["broker_state", 0])
    tables.do("BeginShutdown", b=0)
    assert [*seen, tables["broker_state", 0]] == [BrokerState.REGISTERING, BrokerState.FENCED, BrokerState.PENDING]
