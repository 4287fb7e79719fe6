"""The controller as a whole, over a log that commits on demand: write, commit, apply; active and standby."""

import pytest

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.metrics import kafka_metrics
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import Settings

from .single_node import SECOND, SingleNode


def topic(name: str, *replicas: int) -> m.CreateTopicsRequest:
    """Return the request for a topic of one partition with these replicas."""
    return m.CreateTopicsRequest(topics=(m.TopicRequest(name, assignments=((0, replicas),)),))


def test_the_first_leader_writes_the_bootstrap_records_in_a_transaction() -> None:
    """On an empty log the activation writes Begin, the bootstrap records, the minimum of in-sync replicas, End."""
    node = SingleNode()
    node.lead()
    types = [message.type for batch in node.log for message in batch.records]
    assert types == [
        "BEGIN_TRANSACTION_RECORD",
        "FEATURE_LEVEL_RECORD",
        "FEATURE_LEVEL_RECORD",
        "CONFIG_RECORD",
        "END_TRANSACTION_RECORD",
    ]
    assert node.controller.active
    assert kafka_metrics(node.controller)["LastCommittedRecordOffset"] == 4


def test_a_standby_refuses() -> None:
    """A controller that is not active answers NOT_CONTROLLER and writes nothing."""
    node = SingleNode()
    answer = node.ask(topic("a", 1))
    assert isinstance(answer, ApiError)
    assert answer.error is Errors.NOT_CONTROLLER
    assert node.log == []


def test_an_answer_waits_for_the_commit() -> None:
    """A write is applied at once, but answered only when its records are committed (S3:126)."""
    node = SingleNode(at_once=False)
    node.lead()
    node.commit()
    answers: list[object] = []
    node.controller.submit(m.ControllerRegistrationRequest(controller_id=3000, incarnation_id="one"), answers.append)
    node.clock.run()
    assert 3000 in node.controller.managers.cluster.controllers
    assert answers == []
    node.commit()
    node.clock.run()
    assert answers == [None]


def test_a_read_waits_for_the_writes_before_it() -> None:
    """An operation without records is answered only when every write appended before it is stable (S3:119)."""
    node = SingleNode(at_once=False)
    node.lead()
    node.commit()
    answers: list[str] = []
    node.controller.submit(
        m.ControllerRegistrationRequest(controller_id=3000, incarnation_id="one"), lambda _: answers.append("write")
    )
    node.controller.submit(
        m.ElectLeadersRequest(election_type=0, partitions=(("none", 0),)), lambda _: answers.append("read")
    )
    node.clock.run()
    assert answers == []
    node.commit()
    node.clock.run()
    assert answers == ["write", "read"]


def test_losing_leadership_takes_uncommitted_state_back() -> None:
    """What was applied but not committed is taken back, its writers are told NOT_CONTROLLER, tasks stop (S3:171)."""
    node = SingleNode(at_once=False)
    node.lead()
    node.commit()
    answers: list[ApiError] = []
    node.controller.submit(m.ControllerRegistrationRequest(controller_id=7, incarnation_id="one"), answers.append)
    node.clock.run()
    assert 7 in node.controller.managers.cluster.controllers
    node.lose()
    assert [answer.error for answer in answers] == [Errors.NOT_CONTROLLER]
    assert 7 not in node.controller.managers.cluster.controllers
    node.clock.run(for_ns=20 * SECOND)
    assert node.log_end_offset() == node.log[node.committed - 1].last_offset + 1


def test_a_second_claim_writes_nothing_to_a_log_that_has_a_metadata_version() -> None:
    """A failover on a log that is not empty needs no records."""
    node = SingleNode()
    node.lead()
    end = node.log_end_offset()
    node.lose()
    node.lead()
    assert node.log_end_offset() == end
    assert node.operations[-1].name == "completeActivation"
    assert node.operations[-1].records == ()


def test_no_task_runs_before_the_activation() -> None:
    """Periodic tasks are armed when the activation records were replayed, the first run one period later (S3:173)."""
    node = SingleNode(Settings(metadata_max_idle_interval_ms=500))
    node.lead()
    end = node.log_end_offset()
    node.clock.run(for_ns=SECOND // 2 - 1)
    assert node.log_end_offset() == end
    node.clock.run(for_ns=1)
    assert node.log[-1].records == (Message("NO_OP_RECORD", 0, {}),)


def test_a_silent_broker_is_fenced_within_nine_eighths_of_its_timeout() -> None:
    """A broker that sends no heartbeats is fenced after its timeout, at most an eighth later (S3:248)."""
    node = SingleNode(Settings(metadata_max_idle_interval_ms=0))
    node.lead()
    node.register(1)
    node.clock.run(for_ns=9 * SECOND)
    assert not node.controller.managers.cluster.registrations[1].fenced
    node.clock.run(for_ns=9 * SECOND // 8 + 1)
    assert node.controller.managers.cluster.registrations[1].fenced


def test_a_heartbeat_past_its_deadline_counts_as_contact() -> None:
    """A heartbeat that waits too long is not run, but its broker is not fenced for that (S3:234)."""
    node = SingleNode(Settings(metadata_max_idle_interval_ms=0))
    node.lead()
    epoch = node.register(1)
    node.clock.run(for_ns=8 * SECOND)
    node.controller.queue.processing_ns = 3 * SECOND
    node.controller.submit(m.ElectLeadersRequest(election_type=0, partitions=()), lambda _: None)
    answers: list[ApiError] = []
    request = m.BrokerHeartbeatRequest(broker_id=1, broker_epoch=epoch, current_metadata_offset=100)
    node.controller.submit(request, answers.append, deadline_ns=node.clock.now_ns + SECOND)
    node.clock.run(for_ns=8 * SECOND)
    assert [answer.error for answer in answers] == [Errors.REQUEST_TIMED_OUT]
    assert node.controller.metrics.timed_out_broker_heartbeats == 1
    assert not node.controller.managers.cluster.registrations[1].fenced


def test_an_unexpected_exception_costs_the_leadership() -> None:
    """An exception that is no answer is UNKNOWN_SERVER_ERROR, and the controller gives up its leadership."""
    node = SingleNode()
    node.lead()
    node.controller.managers.replication.state.topics["broken"] = None  # type: ignore[assignment]
    node.controller.operations[m.ElectLeadersRequest] = ("electLeaders", lambda request: 1 / 0)  # type: ignore[dict-item]
    answer = node.ask(m.ElectLeadersRequest(election_type=0))
    assert answer.error is Errors.UNKNOWN_SERVER_ERROR
    assert not node.controller.active
    assert node.resigned == 1
    assert node.operations[-1].fault.startswith("ZeroDivisionError")


def test_a_record_that_cannot_be_replayed_ends_the_process() -> None:
    """A record that does not fit is found before it is replicated, and is fatal (S3:122)."""
    node = SingleNode()
    node.lead()
    end = node.log_end_offset()
    wrong = Message("UNREGISTER_BROKER_RECORD", 0, {"brokerId": 9, "brokerEpoch": 1})
    node.controller.operations[m.ElectLeadersRequest] = ("electLeaders", lambda _: ControllerResult((wrong,), None))
    node.ask(m.ElectLeadersRequest(election_type=0))
    assert node.controller.dead
    assert "9" in str(node.fatal)
    assert node.log_end_offset() == end


def test_a_record_of_an_unknown_type_ends_the_process() -> None:
    """A record that no manager knows is not skipped: it is fatal, and comes into no log (S3:194)."""
    node = SingleNode()
    node.lead()
    end = node.log_end_offset()
    node.controller.operations[m.ElectLeadersRequest] = (
        "electLeaders",
        lambda _: ControllerResult((Message("RECORD_OF_A_LATER_KAFKA", 0, {}),), None),
    )
    node.ask(m.ElectLeadersRequest(election_type=0))
    assert node.controller.dead
    assert "does not know records of that type" in str(node.fatal)
    assert node.log_end_offset() == end


@pytest.mark.parametrize(("count", "sizes"), [(1, (1,)), (2, (2, 0)), (3, (2, 1)), (4, (2, 2, 0))])
def test_a_result_that_is_not_atomic_is_split(count: int, sizes: tuple[int, ...]) -> None:
    """Results are cut at the most records of a batch; exact multiples make one more, empty append, as Kafka's do."""
    node = SingleNode(Settings(max_records_per_batch=2, repaired=frozenset()), records=[])
    node.controller.offsets.activate(0)
    node.epoch = node.controller.claim_epoch = 1
    records = (Message("NO_OP_RECORD", 0, {}),) * count
    node.controller.operations[m.ElectLeadersRequest] = ("electLeaders", lambda _: ControllerResult(records, None))
    node.ask(m.ElectLeadersRequest(election_type=0))
    assert node.operations[-1].batches == sizes
    assert [len(batch.records) for batch in node.log] == [size for size in sizes if size]


def test_an_atomic_result_is_never_split() -> None:
    """An atomic result larger than a batch is refused with an exception, hence a failover."""
    node = SingleNode(Settings(max_records_per_batch=2), records=[])
    node.controller.offsets.activate(0)
    node.controller.managers.cluster.activate(0)
    node.epoch = node.controller.claim_epoch = 1
    records = (Message("NO_OP_RECORD", 0, {}),) * 3
    node.controller.operations[m.ElectLeadersRequest] = (
        "electLeaders",
        lambda _: ControllerResult(records, None, atomic=True),
    )
    answer = node.ask(m.ElectLeadersRequest(election_type=0))
    assert answer.error is Errors.UNKNOWN_SERVER_ERROR
    assert node.log == []
    assert not node.controller.active


def test_a_cluster_lives_and_a_leader_dies() -> None:
    """Three brokers, one topic: the leader falls silent, another member of the ISR leads, and the order is Kafka's."""
    node = SingleNode(Settings(metadata_max_idle_interval_ms=0))
    node.lead()
    epochs = {broker: node.register(broker) for broker in (1, 2, 3)}
    assert node.ask(topic("orders", 1, 2, 3))[0].error is Errors.NONE
    for _ in range(11):
        node.clock.run(for_ns=SECOND)
        for broker in (2, 3):
            node.beat(broker, epochs[broker])
    fencing = next(one for one in node.operations if one.name == "maybeFenceStaleBroker" and one.records)
    assert [message.type for message in fencing.records] == [
        "PARTITION_CHANGE_RECORD",
        "BROKER_REGISTRATION_CHANGE_RECORD",
    ]
    partition = node.partition("orders")
    assert (partition.leader, partition.isr, partition.leader_epoch) == (2, (2, 3), 1)
