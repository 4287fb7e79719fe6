"""S2 (KIP-631), version 2, sentence by sentence, against the rows: registrations, fencing, shutdown, reassignment."""

from typing import Any

import pytest

from fencepost.model.kip631.v2 import KIP631_V2
from fencepost.model.kip631.v2.answers import Error
from fencepost.model.kip631.v2.failovers import WHOLE as FAILOVERS
from fencepost.model.kip631.v2.state import BrokerState

from .tables import Tables

SESSION, REUSE = 3, 2
NOBODY: frozenset[int] = frozenset()


def cluster(*unfenced: int) -> Tables:
    """Return five brokers, some of them registered and unfenced, and partition 0 on brokers 0, 1 and 2, led by 0."""
    tables = Tables(KIP631_V2, Broker=5, Partition=1, Topic=1)
    tables["session"], tables["id_reuse"] = SESSION, REUSE
    tables["committed"], tables["next_offset"] = 0, 10
    for b in range(5):
        tables["registered", b], tables["fenced", b] = b in unfenced, b not in unfenced
        tables["incarnation", b], tables["broker_epoch", b] = (1, b) if b in unfenced else (0, -1)
        tables["own_incarnation", b], tables["own_epoch", b], tables["own_offset", b] = 0, -1, -1
        tables["broker_state", b], tables["recovered", b], tables["serving", b] = BrokerState.NOT_RUNNING, False, False
        tables["last_contact", b] = 0 if b in unfenced else -1
    tables["replicas", 0], tables["isr", 0] = (
        frozenset({0, 1, 2}),
        frozenset({0, 1, 2} & set(unfenced)) or frozenset({0}),
    )
    if 0 in unfenced:
        tables["leader", 0] = 0
    return tables


def failovers(*unfenced: int) -> Tables:
    """Return that cluster with failovers that lose what is not committed; all that there is is committed."""
    tables, other = Tables(FAILOVERS, Broker=5, Partition=1, Topic=1), cluster(*unfenced)
    for (state, keys), value in other.cells().items():
        tables[state.name, *keys] = value
    tables["committed"] = tables["next_offset"] - 1
    return tables


def register(tables: Tables, b: int = 0, incarnation: int = 1, *, supports: bool = True, cluster: bool = True) -> Any:
    """Let a process ask for a broker id, and return the answer."""
    return tables.do("Register", b=b, incarnation=incarnation, supports=supports, cluster=cluster)


def heartbeat(tables: Tables, b: int = 0, offset: int = 20, *, fence: bool = False, shutdown: bool = False) -> Any:
    """Let a heartbeat arrive, and return its error."""
    epoch = tables["broker_epoch", b]
    return tables.do("Heartbeat", b=b, epoch=epoch, offset=offset, want_fence=fence, want_shutdown=shutdown)


def reassign(tables: Tables, *target: int) -> Any:
    """Let an operator ask for other replicas of partition 0, and return the answer."""
    return tables.do("AlterReassignment", p=0, target=frozenset(target))


def alter(tables: Tables, *isr: int, b: int = 0, epoch: int = 0) -> Any:
    """Let a broker ask for another ISR of partition 0, and return the answer."""
    return tables.do("AlterIsr", b=b, p=0, leader_epoch=epoch, isr=frozenset(isr))


def test_a_registration_gets_the_next_offset_for_its_epoch() -> None:
    """Epochs grow whether anything is committed or not; the broker is fenced."""
    tables = cluster()
    assert (register(tables, 0), register(tables, 1)) == (Error.NONE, Error.NONE)
    assert (tables["broker_epoch", 0], tables["broker_epoch", 1], tables["committed"]) == (10, 11, 0)
    assert tables["fenced", 0]


def test_a_registration_that_is_sent_again_gets_the_same_answer() -> None:
    """The same incarnation keeps epoch and fencing, and nothing is written."""
    tables = cluster(0)
    assert register(tables) is Error.NONE
    assert (tables["broker_epoch", 0], tables["fenced", 0], tables["next_offset"]) == (0, False, 10)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"cluster": False}, Error.INVALID_CLUSTER_ID),
        ({"incarnation": 2}, Error.DUPLICATE_BROKER_REGISTRATION),
        ({"supports": False, "b": 1}, Error.UNSUPPORTED_VERSION),
    ],
)
def test_a_registration_is_refused_by_its_error(values: dict[str, Any], error: Error) -> None:
    """Of another cluster, under an id in use, without the features; nothing changes."""
    tables = cluster(0)
    before = tables.cells()
    assert register(tables, **values) is error
    assert tables.cells() == before


def test_an_id_is_free_when_nobody_was_heard_of() -> None:
    """Registrations and heartbeats are contact, of a fenced broker too; a tick after the time the id is free."""
    tables = cluster()
    register(tables)
    tables["now"] = REUSE
    heartbeat(tables, fence=True)
    tables["now"] = 2 * REUSE
    assert register(tables, incarnation=2) is Error.DUPLICATE_BROKER_REGISTRATION
    tables["now"] = 2 * REUSE + 1
    assert register(tables, incarnation=2) is Error.NONE
    assert tables["incarnation", 0] == 2


def test_a_broker_is_unfenced_when_it_wants_to_and_is_current() -> None:
    """Not while it wants to be fenced, and not before it has its own registration."""
    tables = cluster()
    register(tables)
    assert heartbeat(tables, offset=10, fence=True) is heartbeat(tables, offset=9) is Error.NONE
    assert (tables["fenced", 0], tables.ran[-1]) == (True, "V2.1n")
    heartbeat(tables, offset=10)
    assert (tables["fenced", 0], tables.ran[-1]) == (False, "V2.1")


def test_a_silent_broker_is_fenced() -> None:
    """After a session, and not a tick before; it leads nothing then, and is in no ISR where it is not alone."""
    tables = cluster(0, 1)
    tables["now"] = SESSION
    assert tables.row("SessionExpires", b=0) is None
    tables["now"] = SESSION + 1
    tables.do("SessionExpires", b=0)
    assert (tables["fenced", 0], tables["leader", 0], tables["isr", 0]) == (True, None, {1})
    assert tables.row("ElectLeader", p=0, leader=0) is None
    heartbeat(tables, 1)
    assert tables.row("SessionExpires", b=1) is None


def test_a_broker_may_go_when_it_leads_nothing() -> None:
    """Its leaderships are moved, it gets none any more, and then it is answered that it should shut down."""
    tables = cluster(0, 1)
    tables["own_epoch", 0] = 0
    heartbeat(tables, shutdown=True)
    assert (tables.ran[-1], tables["told_shutdown", 0]) == ("V2.4", False)
    tables.do("ElectLeader", p=0, leader=1)
    assert tables.row("ElectLeader", p=0, leader=0) is None
    heartbeat(tables, shutdown=True)
    assert (tables.ran[-1], tables["told_shutdown", 0]) == ("V2.4s", True)


def test_without_an_active_controller_nothing_is_done() -> None:
    """Every request is answered NOT_CONTROLLER and changes nothing; an unregistration in legacy mode is unsupported."""
    tables = cluster(0, 1)
    tables.do("ControllerFails")
    before = tables.cells()
    assert {register(tables), heartbeat(tables), reassign(tables, 0), alter(tables, 0)} == {Error.NOT_CONTROLLER}
    assert tables.do("Unregister", b=0, legacy=False) is Error.NOT_CONTROLLER
    assert tables.do("Unregister", b=0, legacy=True) is Error.UNSUPPORTED_VERSION
    assert tables.cells() == before


def test_an_unregistration_is_answered_none_twice() -> None:
    """The broker leads nothing any more and is not registered; the second time there is nothing to do."""
    tables = cluster(0, 1)
    assert tables.do("Unregister", b=0, legacy=False) is Error.NONE
    assert (tables["registered", 0], tables["leader", 0], tables["isr", 0]) == (False, None, {1})
    offset = tables["next_offset"]
    assert tables.do("Unregister", b=0, legacy=False) is Error.NONE
    assert (tables.ran[-1], tables["next_offset"]) == ("V2.7n", offset)


def test_a_process_goes_through_the_states() -> None:
    """Not running, starting until it has caught up, recovery, running once unfenced, pending, shutting down."""
    tables, seen = cluster(), [BrokerState.NOT_RUNNING]

    def reply(*, caught_up: bool = True, fenced: bool = False, shutdown: bool = False) -> None:
        tables.do("HeartbeatReply", b=0, error=Error.NONE, caught_up=caught_up, fenced=fenced, shutdown=shutdown)

    tables.do("StartBroker", b=0, incarnation=1)
    tables.do("RegisterReply", b=0, error=Error.NONE, epoch=7)
    seen.append(tables["broker_state", 0])
    reply(fenced=True)
    seen.append(tables["broker_state", 0])
    tables.do("RecoverLogs", b=0)
    assert not tables["serving", 0]
    reply()
    seen.append(tables["broker_state", 0])
    assert tables["serving", 0]
    tables.do("BeginShutdown", b=0)
    seen.append(tables["broker_state", 0])
    reply(shutdown=True)
    seen.append(tables["broker_state", 0])
    assert seen == list(BrokerState)


def test_a_reassignment_to_some_of_the_replicas_is_done_at_once() -> None:
    """A subset with somebody in sync: replicas and ISR change in one record; a leader that goes leads no more."""
    tables = cluster(0, 1, 2)
    reassign(tables, 1, 2)
    assert (tables["replicas", 0], tables["isr", 0], tables["leader", 0]) == ({1, 2}, {1, 2}, None)
    assert (tables["adding", 0], tables["next_offset"]) == (NOBODY, 11)


def test_a_reassignment_to_nobody_in_sync_waits() -> None:
    """A subset of the replicas of which none is in sync."""
    tables = cluster(0, 1)
    tables["registered", 2] = True
    assert reassign(tables, 2) is Error.NONE
    assert (tables["replicas", 0], tables["removing", 0]) == ({0, 1, 2}, {0, 1})


def test_a_reassignment_adds_waits_and_removes() -> None:
    """The text's example: all five replicas, 3 and 4 added; when both are in the ISR the target remains."""
    tables = cluster(0, 1, 2, 3, 4)
    reassign(tables, 2, 3, 4)
    assert (tables["replicas", 0], tables["adding", 0], tables["removing", 0]) == ({0, 1, 2, 3, 4}, {3, 4}, {0, 1})
    assert alter(tables, 0, 1, 2, 3) is Error.NONE
    assert tables["adding", 0] == {3, 4}
    tables.do("ElectLeader", p=0, leader=2)
    assert alter(tables, 0, 1, 2, 3, 4, b=2, epoch=1) is Error.NONE
    assert (tables["replicas", 0], tables["isr", 0], tables["leader", 0]) == ({2, 3, 4}, {2, 3, 4}, 2)
    assert (tables["adding", 0], tables["removing", 0]) == (NOBODY, NOBODY)


def test_the_isr_that_completes_a_reassignment_is_in_the_answer() -> None:
    """Asked for with a replica that the reassignment removes, it is applied without, and the answer says so."""
    tables = cluster(0, 1, 2, 3)
    reassign(tables, 0, 1, 3)
    assert alter(tables, 0, 1, 2, 3) is Error.NONE
    assert (tables["isr", 0], tables.replied()) == ({0, 1, 3}, {"isr": {0, 1, 3}})
    assert alter(tables, 0, 1) is Error.NONE
    assert tables.replied() == {"isr": {0, 1}}


def test_what_is_not_committed_is_lost_and_was_not_answered() -> None:
    """A registration is known to its broker when it is committed; one that a failover loses it has not heard of."""
    tables = failovers(0)
    tables.do("StartBroker", b=1, incarnation=1)
    register(tables, 1)
    epoch = tables["broker_epoch", 1]
    answer = {"b": 1, "error": Error.NONE, "epoch": epoch}
    assert tables.row("RegisterReply", **answer) is None
    tables.do("ControllerFails")
    tables.do("TailIsLost")
    assert (tables["registered", 1], tables["next_offset"], tables["committed"]) == (False, epoch, epoch - 1)
    tables.do("ControllerFailover")
    register(tables, 1)
    tables.do("Commit", to=epoch)
    tables.do("RegisterReply", **answer)
    assert tables["own_epoch", 1] == epoch


def test_a_leader_that_a_reassignment_removes_is_told_to_wait() -> None:
    """It is answered FENCED_LEADER_EPOCH, the reassignment is complete, and the partition has no leader yet."""
    tables = cluster(0, 1, 2, 3)
    reassign(tables, 1, 3)
    assert alter(tables, 0, 1, 2, 3) is Error.FENCED_LEADER_EPOCH
    assert (tables["replicas", 0], tables["isr", 0], tables["leader", 0]) == ({1, 3}, {1, 3}, None)


def test_a_reassignment_outlives_the_controller() -> None:
    """What is added and removed is in the metadata, and stays."""
    tables = cluster(0, 1, 2, 3)
    reassign(tables, 0, 3)
    tables.do("ControllerFails")
    tables.do("ControllerFailover")
    assert (tables["adding", 0], tables["removing", 0]) == ({3}, {1, 2})


def test_only_the_leader_changes_the_isr() -> None:
    """In its epoch, of replicas that are not fenced, itself among them."""
    tables = cluster(0, 1)
    assert alter(tables, 0, 1, b=1) is alter(tables, 0, epoch=1) is Error.FENCED_LEADER_EPOCH
    assert alter(tables, 1) is Error.INVALID_REQUEST
    assert alter(tables, 0, 1, 2) is Error.INELIGIBLE_REPLICA


def test_only_what_is_committed_is_applied() -> None:
    """A broker applies the log up to the last stable offset."""
    tables = cluster(0)
    tables["broker_state", 1] = BrokerState.RUNNING
    assert tables.row("ApplyMetadata", b=1, to=9) is None
    tables.do("Commit", to=9)
    tables.do("ApplyMetadata", b=1, to=9)
    assert tables["own_offset", 1] == 9


def removed(*, snapshot: bool) -> Tables:
    """Return a cluster with a broker that starts with the log of a topic that is removed, by record or snapshot."""
    tables = cluster(0)
    tables.do("CreateTopic", t=0)
    tables["logs", 1], tables["own_offset", 1] = frozenset({0}), 10
    tables["broker_state", 1], tables["own_epoch", 1] = BrokerState.STARTING, 7
    tables.do("RemoveTopic", t=0)
    tables.do("Commit", to=11)
    tables.do("ApplySnapshot" if snapshot else "ApplyMetadata", b=1, to=11)
    return tables


def test_the_log_of_a_removed_topic_is_deleted() -> None:
    """By the RemoveTopic record at once; where a snapshot leaves the topic out, at the start of RECOVERY."""
    assert removed(snapshot=False)["logs", 1] == NOBODY
    tables = removed(snapshot=True)
    assert tables["logs", 1] == {0}
    tables.do("HeartbeatReply", b=1, error=Error.NONE, caught_up=True, fenced=True, shutdown=False)
    assert (tables["broker_state", 1], tables["logs", 1]) == (BrokerState.RECOVERY, NOBODY)


def test_records_have_the_fields_that_the_text_prints() -> None:
    """Every record that the tables write has version 2's fields, under its names, and no other one."""
    printed = {
        "RegisterBroker": {"BrokerId", "IncarnationId", "BrokerEpoch", "EndPoints", "Features", "Rack"},
        "UnregisterBroker": {"BrokerId", "BrokerEpoch"},
        "FenceBroker": {"BrokerId", "BrokerEpoch"},
        "UnfenceBroker": {"BrokerId", "BrokerEpoch"},
        "Topic": {"TopicName", "TopicId"},
        "RemoveTopic": {"TopicId"},
        "PartitionChange": {
            "PartitionId",
            "TopicId",
            "Isr",
            "Leader",
            "Replicas",
            "RemovingReplicas",
            "AddingReplicas",
        },
    }
    found = {
        record.name: {name for field in (*record.about, *record.fields) for name in field.wire.names}
        | set(record.ignored)
        for record in KIP631_V2.records
    }
    assert found == printed
