"""S0 (KIP-343) by sentences, checked against the rows: who is in which state, what is answered, what changes."""

from itertools import product
from typing import Any

from fencepost.model.kip343 import KIP343
from fencepost.model.kip343.state import Answer, BrokerState, Error
from tests.cases import each

from .tables import Tables

INITIAL, INACTIVE, ACTIVE, STOPPING = BrokerState
ALL = frozenset({0, 1, 2})
TC, TB = 3, 5


def cluster(*, legacy: bool = False) -> Tables:
    """Return three brokers that are up and Active, and partition 0 on all of them, led by broker 0; 2 may be old."""
    tables = Tables(KIP343, Broker=3, Partition=1)
    tables["controller_timeout"], tables["broker_timeout"] = TC, TB
    tables["replicas", 0] = tables["isr", 0] = ALL
    tables.do("FormCluster", old_brokers=frozenset({2}) if legacy else frozenset())
    tables.do("ElectLeader", p=0, leader=0)
    for b in ALL:
        tables.do("UpdateMetadata", b=b)
    return tables


def heartbeat(tables: Tables, b: int, incarnation: int, target: BrokerState = ACTIVE, *, valid: bool = True) -> Any:
    """Let a heartbeat of a broker arrive, and return what it is answered."""
    tables["asked", b], tables["asked_incarnation", b], tables["asked_target", b] = True, incarnation, target
    return tables.do("Heartbeat", b=b, incarnation=incarnation, target=target, valid=valid)


def contact(tables: Tables, b: int, target: BrokerState = ACTIVE) -> None:
    """Let a broker heartbeat and get its answer."""
    tables.do("SendHeartbeat", b=b, target=target)
    heartbeat(tables, b, tables["own_incarnation", b], target)
    reply(tables, b)


def reply(tables: Tables, b: int) -> None:
    """Let the answer that is under way arrive."""
    tables.do("HeartbeatReply", b=b, error=tables["answer_error", b], current_state=tables["answer_state", b])


def change(tables: Tables, **but: Any) -> Any:
    """Let broker 0 ask for a smaller ISR of the partition that it leads, and return the error."""
    asked = {"b": 0, "incarnation": 1, "p": 0, "leader_epoch": 1, "isr": frozenset({0, 1}), "to_controller": True}
    return tables.do("IsrChange", **asked | but)


def test_a_broker_has_one_of_four_states() -> None:
    """The enumeration of S0:70-73, all Inactive where no heartbeat has come."""
    assert [one.value for one in BrokerState] == ["Initial", "Inactive", "Active", "Stopping"]
    fresh = Tables(KIP343, Broker=3, Partition=1)
    assert {fresh["state", b] for b in ALL} == {INACTIVE}


def test_an_incarnation_is_the_czxid_of_the_znode() -> None:
    """Each registration of an id, by a new process or the same one, has a larger number, which the process takes on."""
    tables = cluster()
    tables.do("ExpireSession", b=0)
    assert tables.row("Reregister", b=0, czxid=1) is None
    tables.do("Reregister", b=0, czxid=2)
    assert (tables["registered", 0], tables["own_incarnation", 0]) == (2, 2)
    tables.do("StopBroker", b=0)
    tables.do("ExpireSession", b=0)
    assert tables.row("StartBroker", b=0, czxid=2, legacy=False) is None
    tables.do("StartBroker", b=0, czxid=3, legacy=False)
    assert (tables["registered", 0], tables["own_incarnation", 0]) == (3, 3)


def test_only_brokers_that_handle_traffic_are_in_the_metadata() -> None:
    """Metadata that a broker gets name the Active and the Stopping ones, and no other."""
    for one, other in product(BrokerState, BrokerState):
        tables = cluster()
        tables["state", 1], tables["state", 2] = one, other
        tables.do("UpdateMetadata", b=0)
        named = {0} | {b for b, state in ((1, one), (2, other)) if state in {ACTIVE, STOPPING}}
        assert tables["metadata", 0] == named


def test_an_inactive_broker_is_treated_as_an_absent_one() -> None:
    """Somebody else of the ISR becomes leader, and the inactive one leaves the ISR."""
    tables = cluster()
    assert tables.row("ElectLeader", p=0, leader=1) is None
    tables["state", 0] = INACTIVE
    assert tables.row("ElectLeader", p=0, leader=0) is None
    tables.do("ElectLeader", p=0, leader=1)
    assert (tables["leader", 0], tables["leader_epoch", 0], tables["isr", 0]) == (1, 2, {1, 2})


def test_leaders_move_away_from_a_broker_that_stops() -> None:
    """A Stopping broker keeps what it leads until another is elected, stays in the ISR, and gets no leadership."""
    tables = cluster()
    tables.do("BeginShutdown", b=0)
    contact(tables, 0, STOPPING)
    assert (tables["state", 0], tables["leader", 0], tables["fenced", 0]) == (STOPPING, 0, False)
    tables.do("ElectLeader", p=0, leader=1)
    assert (tables["leader", 0], tables["isr", 0]) == (1, ALL)
    tables["state", 1] = tables["state", 2] = INACTIVE
    assert tables.row("ElectLeader", p=0, leader=0) is None


def test_a_broker_without_answers_fences_itself() -> None:
    """When it has heard nothing for its own timeout, and not a tick before; the next answer unfences it."""
    tables = cluster()
    tables.do("TimePasses", to=TB)
    assert tables.row("BrokerTimer", b=0) is None
    tables.do("TimePasses", to=TB + 1)
    tables.do("BrokerTimer", b=0)
    assert tables["fenced", 0]
    contact(tables, 0)
    assert not tables["fenced", 0]
    assert tables["last_reply", 0] == TB + 1


def test_a_silent_broker_becomes_inactive_and_comes_back() -> None:
    """After the controller's timeout, and not a tick before; a heartbeat makes it Active again."""
    tables = cluster()
    tables.do("TimePasses", to=TC)
    assert tables.row("ControllerTimer", b=0) is None
    tables.do("TimePasses", to=TC + 1)
    tables.do("ControllerTimer", b=0)
    assert tables["state", 0] is INACTIVE
    contact(tables, 0)
    assert (tables["state", 0], tables["last_contact", 0]) == (ACTIVE, TC + 1)
    assert tables.row("ControllerTimer", b=0) is None


def test_the_brokers_timeout_is_the_longer_one() -> None:
    """Where both began together the controller's is over while the broker's is not; equal timeouts are no start."""
    tables = cluster()
    tables.do("TimePasses", to=TC + 1)
    assert tables.row("ControllerTimer", b=0) == "H6"
    assert tables.row("BrokerTimer", b=0) is None
    [longer] = [one for one in KIP343.assumptions if one.id == "HA0"]
    assert longer.source == "S0:50"


@each(("state", "target"), list(product(BrokerState, (ACTIVE, STOPPING))))
def test_the_target_becomes_the_state(state: BrokerState, target: BrokerState) -> None:
    """Whatever the state, a valid heartbeat that targets Active or Stopping gets it, and is answered so."""
    tables = cluster()
    tables["state", 1] = state
    assert heartbeat(tables, 1, 1, target) is Answer[target.name]
    assert (tables["state", 1], tables["answer_state", 1], tables["answer_error", 1]) == (target, target, Error.NONE)


def test_an_old_incarnation_is_refused() -> None:
    """A lower id is answered INVALID_INCARNATION_ID, and nothing is kept of the heartbeat."""
    tables = cluster()
    tables["incarnation", 1], tables["now"] = 2, 4
    assert heartbeat(tables, 1, 1, STOPPING) is Answer.INVALID_INCARNATION_ID
    assert (tables["incarnation", 1], tables["state", 1], tables["last_contact", 1]) == (2, ACTIVE, 0)
    assert tables["answer_error", 1] is Error.INVALID_INCARNATION_ID


def test_a_higher_incarnation_is_taken_over() -> None:
    """It is valid and becomes the one that the controller knows; from then on the lower one is old."""
    tables = cluster()
    tables["own_incarnation", 1] = 5
    assert heartbeat(tables, 1, 5) is Answer.ACTIVE
    assert tables["incarnation", 1] == 5
    assert heartbeat(tables, 1, 1) is Answer.INVALID_INCARNATION_ID


def test_a_new_registration_is_sent_all_metadata() -> None:
    """The controller that sees a newer znode has the broker Inactive until its heartbeat, and sends metadata to it."""
    tables = cluster()
    tables.do("StopBroker", b=1)
    tables.do("ExpireSession", b=1)
    tables.do("StartBroker", b=1, czxid=2, legacy=False)
    assert (tables["fenced", 1], tables["metadata", 1], tables.row("UpdateMetadata", b=1)) == (True, frozenset(), None)
    tables.do("SeeRegistration", b=1)
    assert (tables["incarnation", 1], tables["state", 1]) == (2, INACTIVE)
    contact(tables, 1)
    tables.do("UpdateMetadata", b=1)
    assert tables["metadata", 1] == ALL


def test_two_processes_with_one_id_are_told_apart() -> None:
    """The later registration wins: the earlier process is refused from the first heartbeat of the later one on."""
    tables = cluster()
    tables.do("ExpireSession", b=1)
    tables.do("StartAnother", b=1, czxid=2)
    tables.do("SendOtherHeartbeat", b=1)
    assert heartbeat(tables, 1, 2) is Answer.ACTIVE
    assert heartbeat(tables, 1, 1) is Answer.INVALID_INCARNATION_ID
    reply(tables, 1)
    assert tables["last_reply", 1] == 0


def test_a_broker_that_is_told_inactive_is_fenced() -> None:
    """Inactive and Initial in an answer fence it, Active and Stopping unfence it; all four are contact."""
    for told in BrokerState:
        tables = cluster()
        tables["fenced", 0], tables["now"] = told in {ACTIVE, STOPPING}, 2
        tables["answered", 0], tables["answer_state", 0] = True, told
        reply(tables, 0)
        assert (tables["fenced", 0], tables["last_reply", 0]) == (told in {INITIAL, INACTIVE}, 2)


def test_a_request_with_a_bad_id_is_invalid() -> None:
    """A heartbeat with a negative broker id is an invalid request, whatever else it says, and changes nothing."""
    tables = cluster()
    assert heartbeat(tables, 1, 9, STOPPING, valid=False) is Answer.INVALID_REQUEST
    assert (tables["incarnation", 1], tables["state", 1]) == (1, ACTIVE)


def test_the_leader_changes_the_isr_through_the_controller() -> None:
    """The leader, in its epoch and incarnation, asks for an ISR and gets it, and nothing else changes."""
    tables = cluster()
    assert change(tables) is Error.NONE
    assert (tables["isr", 0], tables["leader", 0], tables["leader_epoch", 0]) == ({0, 1}, 0, 1)


@each(
    ("but", "error"),
    [
        ({"to_controller": False}, Error.NOT_CONTROLLER),
        ({"incarnation": 0}, Error.INVALID_INCARNATION_ID),
        ({"incarnation": 2}, Error.INVALID_INCARNATION_ID),
        ({"b": 1}, Error.NOT_LEADER_FOR_PARTITION),
        ({"leader_epoch": 0}, Error.NOT_LEADER_FOR_PARTITION),
        ({"isr": frozenset()}, Error.INVALID_REQUEST),
        ({"isr": frozenset({1, 2})}, Error.INVALID_REQUEST),
        ({"to_controller": False, "incarnation": 0, "isr": frozenset()}, Error.NOT_CONTROLLER),
        ({"incarnation": 0, "leader_epoch": 0}, Error.INVALID_INCARNATION_ID),
    ],
)
def test_an_isr_change_is_refused_by_its_error(but: dict[str, Any], error: Error) -> None:
    """Of several reasons the outermost is told: controller, incarnation, leader, contents; and nothing changes."""
    tables = cluster()
    before = tables.cells()
    assert change(tables, **but) is error
    assert tables.cells() == before


def test_a_legacy_broker_is_active_without_heartbeats() -> None:
    """It is Active from its registration on, no timer concerns it on either side, and it never heartbeats."""
    tables = cluster(legacy=True)
    tables.do("TimePasses", to=20)
    assert tables.row("ControllerTimer", b=2) is None
    assert tables.row("BrokerTimer", b=2) is None
    assert tables.row("SendHeartbeat", b=2, target=ACTIVE) is None
    tables.do("StopBroker", b=2)
    tables.do("ExpireSession", b=2)
    tables.do("SeeDeregistration", b=2)
    assert tables["state", 2] is INACTIVE
    tables.do("StartBroker", b=2, czxid=2, legacy=True)
    tables.do("SeeRegistration", b=2)
    assert (tables["state", 2], tables["fenced", 2]) == (ACTIVE, False)


def test_the_registration_says_which_protocol_a_broker_speaks() -> None:
    """The same broker, back with the newer version, is Inactive until it heartbeats, fenced until it is answered."""
    tables = cluster(legacy=True)
    tables.do("StopBroker", b=2)
    tables.do("ExpireSession", b=2)
    tables.do("StartBroker", b=2, czxid=2, legacy=False)
    tables.do("SeeRegistration", b=2)
    assert (tables.ran[-1], tables["state", 2], tables["known_legacy", 2], tables["fenced", 2]) == (
        "H-reg",
        INACTIVE,
        False,
        True,
    )


def test_a_legacy_leader_writes_the_isr_itself() -> None:
    """Straight to ZooKeeper, where the version of the znode stops who leads no longer; a new broker cannot."""
    tables = cluster(legacy=True)
    assert tables.row("WriteIsr", b=0, p=0, isr=frozenset({0})) is None
    tables["state", 0] = INACTIVE
    assert tables.do("WriteIsr", b=2, p=0, isr=frozenset({2})) is Error.BAD_VERSION
    tables.do("ElectLeader", p=0, leader=2)
    tables.do("UpdateMetadata", b=2)
    assert tables.do("WriteIsr", b=2, p=0, isr=frozenset({2})) is Error.NONE
    assert tables["isr", 0] == {2}


def test_states_and_incarnations_are_in_memory_only() -> None:
    """A new controller has the incarnations of the znodes, and everybody Inactive that is not legacy."""
    tables = cluster(legacy=True)
    tables["incarnation", 1] = 7
    tables.do("ControllerFails")
    tables.do("ControllerFailover")
    assert [tables["incarnation", b] for b in ALL] == [1, 1, 1]
    assert [tables["state", b] for b in ALL] == [INACTIVE, INACTIVE, ACTIVE]
