"""The second version: want-fence, sessions, controlled shutdown, partitions, every error answer."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.reference.kip631.broker import Twin
from fencepost.reference.kip631.settings import Settings
from fencepost.reference.kip631.v2.injected import BUGS
from fencepost.reference.kip631.v2.messages import (
    AlterIsrRequest,
    AlterReassignmentRequest,
    CreateTopicRequest,
    HeartbeatAnswer,
    HeartbeatRequest,
    RegisterRequest,
    RemoveTopicRequest,
    UnregisterRequest,
)
from fencepost.reference.kip631.v2.simulation import DESIGN
from tests.cases import examples

from .scripted import SETTINGS, Bench, line_of

START = """\
broker-1 StartBroker incarnation=1 | broker_state STARTING, own_incarnation 1
broker-1 ApplyMetadata to=0 | own_offset 0
controller-1 Register incarnation=1 supports=True cluster=True -> NONE 1 | \
broker_epoch 1, incarnation 1, isr [2, 3], next_offset 2, registered True
controller-1 Commit to=1 | committed 1
broker-1 RegisterReply error=NONE epoch=1 | own_epoch 1
controller-1 Heartbeat epoch=1 offset=0 want_fence=True want_shutdown=False -> NONE false true false
broker-1 HeartbeatReply error=NONE caught_up=False fenced=True shutdown=False
broker-1 ApplyMetadata to=1 | own_offset 1
controller-1 Heartbeat epoch=1 offset=1 want_fence=True want_shutdown=False -> NONE true true false
broker-1 HeartbeatReply error=NONE caught_up=True fenced=True shutdown=False | broker_state RECOVERY
broker-1 RecoverLogs | recovered True
controller-1 Heartbeat epoch=1 offset=1 want_fence=False want_shutdown=False -> NONE true false false | \
fenced False, next_offset 3
controller-1 Commit to=2 | committed 2
broker-1 HeartbeatReply error=NONE caught_up=True fenced=False shutdown=False | broker_state RUNNING, serving True
"""

FIVE = Settings(brokers=(1, 2, 3, 4, 5), replicas={0: (1, 2, 3)}, session=3_000, id_reuse=5_000)


def register(broker: int = 1, incarnation: int = 1) -> RegisterRequest:
    """Return a registration with nothing wrong."""
    return RegisterRequest(broker, incarnation, supports=True, cluster=True)


def beat(broker: int, epoch: int, *, offset: int = 99, fence: bool = False, leave: bool = False) -> HeartbeatRequest:
    """Return a heartbeat, by default of a broker that is current and wants to serve."""
    return HeartbeatRequest(broker, epoch, offset, want_fence=fence, want_shutdown=leave)


def unfenced(bench: Bench, *brokers: int) -> dict[int, int]:
    """Register brokers by hand and have them unfenced; returns their epochs."""
    epochs = {one: int(bench.ask(register(one)).split()[1]) for one in brokers}
    for one, epoch in epochs.items():
        assert bench.ask(beat(one, epoch)) == "NONE true false false"
    bench.run(0.2)
    return epochs


def move(bench: Bench, *target: int) -> str:
    """Ask for a reassignment of partition 0."""
    return bench.ask(AlterReassignmentRequest(0, frozenset(target)))


def alter(bench: Bench, leader: int, *isr: int, epoch: int | None = None) -> str:
    """Ask for other replicas in sync of partition 0."""
    leader_epoch = bench.cell("leader_epoch", 0) if epoch is None else epoch
    return bench.ask(AlterIsrRequest(leader, 0, leader_epoch, frozenset(isr)))


def leading(brokers: Settings = FIVE) -> Bench:
    """Return a cluster of five whose partition 0 is led by broker 1, all its replicas in sync."""
    bench = Bench(DESIGN, brokers)
    unfenced(bench, 3, 2, 1, 4, 5)
    assert bench.cell("leader", 0) == 1
    assert alter(bench, 1, 1, 2, 3) == "NONE 1,2,3"
    return bench


# -- starting ----------------------------------------------------------------------------------------------------------
def test_a_broker_is_fenced_while_it_starts_because_it_wants_to_be() -> None:
    """S2:59-60, 66-79: want-fence until the logs are recovered, then unfenced when its metadata are current."""
    steps = Bench(DESIGN).start(1)
    assert "".join(line_of(step) + "\n" for step in steps[: START.count("\n")]) == START


def test_a_broker_is_unfenced_only_with_its_registration_applied() -> None:
    """S2:60: not before the offset that it reports reaches its own registration, and not when it wants to be fenced."""
    bench = Bench(DESIGN)
    epoch = int(bench.ask(register()).split()[1])
    assert bench.ask(beat(1, epoch, offset=epoch - 1)) == "NONE false true false"
    assert bench.ask(beat(1, epoch, offset=epoch, fence=True)) == "NONE true true false"
    assert bench.ask(beat(1, epoch, offset=epoch)) == "NONE true false false"
    assert bench.ask(beat(1, epoch, offset=epoch, fence=True)) == "NONE true true false"


def test_a_silent_broker_is_fenced_by_the_controller_and_serves_on() -> None:
    """S2:62: the session over, the controller fences; the broker never does it itself."""
    bench = Bench(DESIGN)
    bench.start(1)
    bench.cluster.network.faults.cut(["broker-1"], [node.name for node in bench.cluster.quorum.nodes])
    silent = bench.cell("last_contact", 1)
    steps = [step for step in bench.run(5) if step.changed]
    assert [(step.name, step.time_ms) for step in steps if step.name != "Commit"] == [
        ("SessionExpires", silent + SETTINGS.session + 1)
    ]
    assert bench.cell("serving", 1)
    bench.brokers[1].obey(HeartbeatAnswer(True, True, False))
    assert bench.brokers[1].state == "RUNNING"


def test_a_new_controller_waits_a_whole_session() -> None:
    """Who died during a failover is fenced a session after it, not at once and not never."""
    bench = Bench(DESIGN)
    bench.start(1)
    bench.cluster.quorum.lose()
    bench.brokers[1].crash()
    steps = bench.run(8)
    took_over = next(step.time_ms for step in steps if step.name == "ControllerFailover")
    expired = [step.time_ms for step in steps if step.name == "SessionExpires"]
    assert expired == [took_over + SETTINGS.session + 1]


# -- registration ------------------------------------------------------------------------------------------------------
def test_registrations_are_refused_for_their_reasons() -> None:
    """Another cluster, an id in use, missing features, in this order; each has its error and changes nothing."""
    bench = Bench(DESIGN)
    wrong = RegisterRequest(1, 2, supports=False, cluster=False)
    assert bench.ask(wrong) == "INVALID_CLUSTER_ID"
    assert bench.ask(replace(wrong, cluster=True)) == "UNSUPPORTED_VERSION"
    first = bench.ask(register())
    assert bench.ask(wrong) == "INVALID_CLUSTER_ID"
    assert bench.ask(replace(wrong, cluster=True)) == "DUPLICATE_BROKER_REGISTRATION"
    assert bench.steps[-1].changed == ()
    assert bench.ask(register()) == first
    assert bench.refused(register(2)) == "NOT_CONTROLLER"


def test_a_broker_of_another_cluster_ends() -> None:
    """The process that is told INVALID_CLUSTER_ID does not try again."""
    bench = Bench(DESIGN)
    bench.brokers[1].start()
    bench.brokers[1].misconfigured = "cluster"
    steps = bench.run(4)
    assert [step.name for step in steps if step.node == "broker-1"][-2:] == ["RegisterReply", "StopBroker"]
    assert [step.answer for step in steps if step.name == "Register"] == ["INVALID_CLUSTER_ID"]


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(st.sampled_from((1, 2, 3)), st.booleans()), min_size=2, max_size=12))
def test_epochs_of_new_processes_grow(registrations: list[tuple[int, bool]]) -> None:
    """S2:52: a broker that registers anew, committed or not, has a higher epoch than all before."""
    bench = Bench(DESIGN, replace(SETTINGS, commit=500, id_reuse=-1))
    epochs: list[int] = []
    incarnations = dict.fromkeys((1, 2, 3), 0)
    for broker, wait in registrations:
        incarnations[broker] += 1
        epochs.append(int(bench.ask(register(broker, incarnations[broker])).split()[1]))
        if wait:
            bench.run(0.4)
    assert epochs == sorted(set(epochs))


def test_the_epoch_of_the_first_version_is_given_twice() -> None:
    """With the latest committed offset for an epoch two processes get the same one while nothing is committed."""
    with BUGS["S-e"].injected():
        bench = Bench(DESIGN, replace(SETTINGS, commit=60_000))
        assert bench.ask(register(1)) == bench.ask(register(2)) == "NONE 0"


def test_heartbeats_are_refused_for_their_reasons() -> None:
    """Of another epoch, or of an unregistered broker; or when no controller is active."""
    bench = Bench(DESIGN)
    epoch = int(bench.ask(register()).split()[1])
    assert bench.ask(beat(1, epoch - 1)) == "STALE_BROKER_EPOCH"
    assert bench.ask(beat(2, -1)) == "STALE_BROKER_EPOCH"
    assert bench.refused(beat(1, epoch)) == "NOT_CONTROLLER"


def test_a_broker_is_removed_once_and_for_all() -> None:
    """S2:418: NONE when it is removed and when it was not there; an old node and one that is not active refuse."""
    bench = Bench(DESIGN)
    epochs = unfenced(bench, 1, 2, 3)
    assert bench.ask(UnregisterRequest(2)) == "NONE"
    assert (bench.cell("registered", 2), bench.cell("fenced", 2), bench.cell("isr", 1)) == (False, True, [3])
    assert bench.ask(UnregisterRequest(2)) == "NONE"
    assert bench.steps[-1].changed == ()
    assert bench.ask(beat(2, epochs[2])) == "STALE_BROKER_EPOCH"
    bench.cluster.operator.start()
    bench.cluster.network.processes["legacy-1"].serve("operator", UnregisterRequest(1, legacy=True), lambda _: None)
    assert bench.run(0)[-1].answer == "UNSUPPORTED_VERSION"
    assert bench.refused(UnregisterRequest(1)) == "NOT_CONTROLLER"


# -- controlled shutdown -----------------------------------------------------------------------------------------------
def test_a_broker_shuts_down_when_its_leaderships_are_moved() -> None:
    """S2:65, 408: should-shut-down as soon as it leads nothing, and it is elected for nothing meanwhile."""
    bench = leading()
    epoch = bench.cell("broker_epoch", 1)
    assert bench.ask(beat(1, epoch, leave=True)) == "NONE true false false"
    bench.run(0.1)
    assert bench.cell("leader", 0) == 2
    assert bench.ask(beat(1, epoch, leave=True)) == "NONE true false true"
    assert bench.ask(beat(2, bench.cell("broker_epoch", 2), leave=True)) == "NONE true false false"
    bench.run(0.1)
    assert bench.cell("leader", 0) == 3


def test_the_life_of_a_broker_ends_in_order() -> None:
    """S2:66-79: running, pending controlled shutdown, shutting down, not running."""
    bench = Bench(DESIGN)
    bench.start(2, 3)
    broker = bench.brokers[2]
    broker.terminate()
    states = [one.value for step in bench.run(4) for one in step.changed if one.variable == "broker_state"]
    assert states == ["PENDING_CONTROLLED_SHUTDOWN", "SHUTTING_DOWN", "NOT_RUNNING"]
    assert broker.clean


# -- logs --------------------------------------------------------------------------------------------------------------
def restarted_without(bench: Bench, *, snapshot: bool) -> list[str]:
    """Have broker 1 host topic 1, delete it while the broker is down, and start the broker; returns what it does."""
    bench.start(1)
    bench.controller.serve(CreateTopicRequest(1), bench.answers.append)
    bench.run(3)
    assert bench.cell("logs", 1) == [1]
    bench.brokers[1].crash()
    bench.controller.serve(RemoveTopicRequest(1), bench.answers.append)
    bench.run(6)
    assert bench.cell("logs", 1) == [1]
    if snapshot:
        bench.controller.log.snapshot = bench.controller.log.committed.value
    return [step.name for step in bench.start(1) if any(one.variable == "logs" for one in step.changed)]


def test_a_broker_deletes_logs_when_it_sees_the_topic_removed() -> None:
    """S2:280: a broker that was down replays the record, and deletes the logs then."""
    bench = Bench(DESIGN)
    assert restarted_without(bench, snapshot=False) == ["ApplyMetadata"]
    assert bench.cell("logs", 1) == []


def test_a_broker_deletes_logs_of_topics_that_are_nowhere() -> None:
    """S2:281: where the removal came only as a snapshot without the topic, they go at the start of recovery."""
    bench = Bench(DESIGN)
    assert restarted_without(bench, snapshot=True) == ["HeartbeatReply"]
    assert (bench.cell("logs", 1), bench.cell("broker_state", 1)) == ([], "RUNNING")
    with BUGS["logs-not-compared"].injected():
        forgetful = Bench(DESIGN)
        assert restarted_without(forgetful, snapshot=True) == []
        assert forgetful.cell("logs", 1) == [1]


def test_a_topic_is_created_and_deleted_once() -> None:
    """An id is used for one topic; asked for again, nothing happens."""
    bench = Bench(DESIGN)
    for request in (RemoveTopicRequest(1), *(2 * [CreateTopicRequest(1)]), *(2 * [RemoveTopicRequest(1)])):
        bench.controller.serve(request, bench.answers.append)
    names = [step.name for step in bench.run(0) if step.name != "Commit"]
    assert names == ["CreateTopic", "RemoveTopic"]


# -- a second process --------------------------------------------------------------------------------------------------
def test_a_second_process_gets_the_id_of_one_that_is_silent() -> None:
    """S2:38: refused while the first is in contact, admitted when it was silent for long; the first then ends."""
    bench = Bench(DESIGN)
    bench.start(1)
    twin = Twin(bench.brokers[1], 2)
    bench.cluster.network.attach(twin)
    twin.start()
    answers = {step.answer for step in bench.run(6) if step.name == "Register"}
    assert answers == {"DUPLICATE_BROKER_REGISTRATION"}
    faults = bench.cluster.network.faults
    cut = faults.cut(["broker-1"], [node.name for node in bench.cluster.quorum.nodes])
    assert [step.answer for step in bench.run(8) if step.name == "Register"][-1].startswith("NONE ")
    assert bench.cell("serving", 1)
    faults.heal(cut)
    steps = bench.run(9)
    assert "STALE_BROKER_EPOCH" in {step.answer for step in steps}
    assert "StopBroker" in {step.name for step in steps}


# -- replicas in sync --------------------------------------------------------------------------------------------------
def test_changes_of_the_replicas_in_sync_are_refused_for_their_reasons() -> None:
    """Of who does not lead, of an earlier epoch, without the leader, beyond the replicas, with one that is fenced."""
    bench = leading()
    epoch = bench.cell("leader_epoch", 0)
    assert alter(bench, 2, 1, 2) == "FENCED_LEADER_EPOCH"
    assert alter(bench, 1, 1, 2, epoch=epoch - 1) == "FENCED_LEADER_EPOCH"
    assert alter(bench, 1, 2, 3) == "INVALID_REQUEST"
    assert alter(bench, 1) == "INVALID_REQUEST"
    assert alter(bench, 1, 1, 4) == "INVALID_REQUEST"
    bench.ask(beat(3, bench.cell("broker_epoch", 3), fence=True))
    assert bench.cell("isr", 0) == [1, 2]
    assert alter(bench, 1, 1, 2, 3) == "INELIGIBLE_REPLICA"
    assert alter(bench, 1, 1) == "NONE 1"
    assert (bench.cell("isr", 0), bench.cell("leader_epoch", 0)) == ([1], epoch)
    assert bench.refused(AlterIsrRequest(1, 0, epoch, frozenset({1}))) == "NOT_CONTROLLER"


def test_the_walk_through_of_a_reassignment() -> None:
    """S2:88-91: [1, 2, 3] to [3, 4, 5] by way of all five, complete when both 4 and 5 are in sync."""
    bench = leading()
    assert move(bench, 3, 4, 5) == "NONE"
    assert (bench.cell("replicas", 0), bench.cell("adding", 0)) == ([1, 2, 3, 4, 5], [4, 5])
    assert alter(bench, 1, 1, 2, 3, 4) == "NONE 1,2,3,4"
    assert (bench.cell("replicas", 0), bench.cell("isr", 0)) == ([1, 2, 3, 4, 5], [1, 2, 3, 4])
    assert alter(bench, 1, 1, 2, 3, 4, 5) == "FENCED_LEADER_EPOCH"
    assert [bench.cell(name, 0) for name in ("replicas", "isr", "adding", "removing")] == [[3, 4, 5], [3, 4, 5], [], []]
    bench.run(0.1)
    assert bench.cell("leader", 0) == 3


def test_the_isr_that_completes_a_reassignment_is_another_than_asked_for() -> None:
    """S2:94: with [1, 2, 4] wanted, the leader that asks for [1, 2, 3, 4] gets [1, 2, 4], and its answer has that."""
    bench = leading()
    assert move(bench, 1, 2, 4) == "NONE"
    assert alter(bench, 1, 1, 2, 3, 4) == "NONE 1,2,4"
    assert (bench.cell("replicas", 0), bench.cell("isr", 0), bench.cell("leader", 0)) == ([1, 2, 4], [1, 2, 4], 1)


def test_a_reassignment_that_copies_nothing_is_done_at_once() -> None:
    """S2:86: to some of the replicas, one of them in sync; the leader is another one if it is not among them."""
    bench = leading()
    epoch = bench.cell("leader_epoch", 0)
    assert move(bench, 1, 2) == "NONE"
    assert (bench.cell("replicas", 0), bench.cell("isr", 0), bench.cell("leader_epoch", 0)) == ([1, 2], [1, 2], epoch)
    assert move(bench, 2) == "NONE"
    assert (bench.cell("replicas", 0), bench.cell("leader", 0), bench.cell("leader_epoch", 0)) == ([2], None, epoch + 1)


def test_a_reassignment_to_replicas_that_are_not_in_sync_waits() -> None:
    """S2:87: some of the replicas, none of them in sync, is not done at once; it waits for one to be."""
    bench = leading()
    alter(bench, 1, 1, 2)
    assert move(bench, 3) == "NONE"
    assert (bench.cell("replicas", 0), bench.cell("removing", 0), bench.cell("adding", 0)) == ([1, 2, 3], [1, 2], [])
    assert alter(bench, 1, 1, 2, 3) == "FENCED_LEADER_EPOCH"
    assert (bench.cell("replicas", 0), bench.cell("isr", 0)) == ([3], [3])


def test_reassignments_are_refused_for_their_reasons() -> None:
    """To no broker, or to an unregistered one; or when no controller is active."""
    bench = Bench(DESIGN, FIVE)
    unfenced(bench, 1, 2, 3)
    assert move(bench) == move(bench, 3, 4) == "INVALID_REPLICA_ASSIGNMENT"
    assert bench.refused(AlterReassignmentRequest(0, frozenset({1}))) == "NOT_CONTROLLER"


Ask = tuple[str, frozenset[int]]


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("move", "alter", "fence")), st.frozensets(st.integers(1, 5))), max_size=14))
def test_whatever_is_asked_for_partitions_stay_whole(asked: list[Ask]) -> None:
    """The replicas in sync are some of the replicas, never none; the leader is one of them; what is added is assigned.

    And in the end a reassignment to the unfenced completes when all its replicas are in sync.
    """
    bench = leading()
    for what, brokers in asked:
        leader = bench.cell("leader", 0)
        if what == "move":
            move(bench, *brokers)
        elif what == "alter" and leader is not None:
            alter(bench, leader, leader, *brokers)
        else:
            for one in brokers:
                fenced = not bench.cell("fenced", one)
                bench.ask(beat(one, bench.cell("broker_epoch", one), fence=fenced))
        bench.run(0.05)
        replicas, isr = set(bench.cell("replicas", 0)), set(bench.cell("isr", 0))
        assert set() < isr <= replicas
        assert bench.cell("leader", 0) in {None, *isr}
        assert set(bench.cell("adding", 0)) | set(bench.cell("removing", 0)) <= replicas
        assert not bench.cell("leader", 0) or not bench.cell("fenced", bench.cell("leader", 0))
    for one in range(1, 6):
        bench.ask(beat(one, bench.cell("broker_epoch", one)))
    bench.run(0.1)
    move(bench, 4, 5)
    leader = bench.cell("leader", 0)
    if bench.cell("adding", 0) or bench.cell("removing", 0):
        assert alter(bench, leader, *bench.cell("replicas", 0)).split()[0] in ("NONE", "FENCED_LEADER_EPOCH")
    assert (bench.cell("replicas", 0), bench.cell("adding", 0), bench.cell("removing", 0)) == ([4, 5], [], [])
