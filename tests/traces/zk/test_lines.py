"""Lines of state-change.log: every class of message is read from its lines with its values, and writes them again."""

from __future__ import annotations

import dataclasses
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from fencepost.traces.zk import broker_lines, controller_lines, values
from fencepost.traces.zk import causes as why
from fencepost.traces.zk.broker_lines import BROKER
from fencepost.traces.zk.causes import cause_of
from fencepost.traces.zk.controller_lines import CONTROLLER
from fencepost.traces.zk.entries import (
    SPEAKERS,
    Entry,
    Sender,
    Unparsed,
    milliseconds,
    record_of,
    said,
    text_of,
    time_text,
)
from fencepost.traces.zk.forms import Form
from fencepost.traces.zk.messages import Message
from fencepost.traces.zk.values import TYPES, TopicPartition
from tests.cases import each

from . import samples

SAMPLES = [
    (speaker, name, text)
    for speaker, texts in ((CONTROLLER, samples.CONTROLLER), (BROKER, samples.BROKER))
    for name, each in texts.items()
    for text in each
]
CLASSES = [one for speaker in SPEAKERS.values() for one in speaker.classes]


def test_every_class_has_a_sample() -> None:
    """No class of message is without a line below, and none is below that is no class."""
    assert list(samples.CONTROLLER) == [one.__name__ for one in CONTROLLER.classes]
    assert sorted(samples.BROKER) == sorted(one.__name__ for one in BROKER.classes)


@each(("speaker", "name", "text"), SAMPLES)
def test_a_line_is_read_as_its_class_and_written_again(speaker: Any, name: str, text: str) -> None:
    """A line is of one class of message, whatever the order they are tried in, and the class writes the same text."""
    found = speaker.read(text)
    assert type(found).__name__ == name
    assert found.text == text
    assert [one.__name__ for one in speaker.classes if one.form.read(text) is not None] == [name]
    sender = Sender("Controller", 3, 12) if speaker is CONTROLLER else Sender("Broker", 3)
    line = f"[2026-11-21 07:00:49,218] {found.level} {sender.text} {text} (state.change.logger)"
    record = record_of("a.log", 7, line, ["java.lang.Error", "\tat a.b(c)"])
    expected = Entry(
        "a.log", 7, "2026-11-21 07:00:49,218", found.level, sender, found, ("java.lang.Error", "\tat a.b(c)")
    )
    assert record == expected
    assert text_of(record) == f"{line}\njava.lang.Error\n\tat a.b(c)\n"


@each(("speaker", "name", "text"), SAMPLES)
def test_a_line_with_a_letter_more_is_read_as_nothing_that_loses_it(speaker: Any, name: str, text: str) -> None:
    """A line that is changed is unparsed, or read so that the change is written again: nothing is lost in silence."""
    for place in range(0, len(text), 7):
        for other in (text[:place] + "0" + text[place:], text[:place] + " " + text[place:], text[:place]):
            found = speaker.read(other)
            assert found is None or found.text == other


def test_fields_are_as_wide_as_their_annotations() -> None:
    """Every class has exactly the fields that its template names, in the template's order."""
    for one in CLASSES:
        # A line of an earlier release may lack what a class has a default for.
        own = [f.name for f in dataclasses.fields(one) if f.default is dataclasses.MISSING or f.name in one.form.names]  # type: ignore[arg-type]
        assert own == list(one.form.names), one


def test_fields_have_the_types_they_are_annotated_with() -> None:
    """What is read into a field is of the type that its class says, for every sample."""
    for speaker, _, text in SAMPLES:
        found = speaker.read(text)
        assert found is not None
        for name, hint in get_type_hints(type(found)).items():
            if name in found.form.names:
                plain = getattr(hint, "__origin__", hint)
                assert isinstance(getattr(found, name), plain), (type(found), name)


def read(speaker: Any, text: str) -> Any:
    """Return the message that a text is."""
    return speaker.read(text)


def test_values_are_taken_apart() -> None:
    """Numbers, lists, partitions with hyphens, states and answers are values, not texts."""
    elected = read(CONTROLLER, samples.CONTROLLER["PartitionElected"][0])
    assert elected.partition == TopicPartition("a", 0)
    assert (elected.state.isr, elected.state.leader, elected.state.members[1].epoch) == ((1, 2), 1, 77)
    sent = read(CONTROLLER, samples.CONTROLLER["LeaderAndIsrSent"][0])
    assert sent.partition == TopicPartition("alone-x", 1)
    assert (sent.state.topic, sent.state.isr, sent.state.removing, sent.state.is_new) == ("alone-x", (1, 2), (2,), True)
    removed = read(CONTROLLER, samples.CONTROLLER["RemovedFromIsr"][0])
    assert removed.state == values.LeaderIsrAndControllerEpoch(3, (3, 4), "RECOVERED", 2, 7, 3)
    again = read(CONTROLLER, samples.CONTROLLER["ReassignmentSent"][0])
    assert again.assignment == values.ReplicaAssignment((1, 4, 2, 3), (1, 4), (2, 3))
    stopped, told, _, _ = (read(CONTROLLER, text) for text in samples.CONTROLLER["ResponseReceived"])
    assert stopped.response.partitions[1] == values.PartitionError("slow", 1, 0)
    assert stopped.node == values.Node("127.0.0.1", 18192, 2, None)
    assert told.response.topics[0].partitions[1].error_code == 56
    assert told.node == values.Node("kafka-2.example", 9092, 2, "rack (one): a")
    leader = [read(BROKER, text) for text in samples.BROKER["LeaderStarted"]]
    assert [(one.is_under_min_isr, one.previous_leader) for one in leader] == [(False, None), (True, 4), (False, -1)]
    assert leader[0].topic_id == "AqAvl--8TkGZoa8F-mySVQ"
    reasons = [read(BROKER, text).reason for text in samples.BROKER["LeaderAndIsrIgnored"]]
    assert reasons == [
        values.SameLeaderEpoch(2), values.OlderLeaderEpoch(2, 5), values.OfflineDirectory(), values.NotAssigned((1, 2)),
    ]  # fmt: skip
    offline = read(CONTROLLER, samples.CONTROLLER["ReplicasMarkedOffline"][0])
    assert offline.partitions == (TopicPartition("b", 3), TopicPartition("doomed", 4), TopicPartition("b", 0))


def test_a_controllers_line_may_lack_its_epoch() -> None:
    """A head without an epoch has a sender without one; a broker's head with an epoch is no head."""
    line = "[2026-11-21 07:00:49,218] INFO [{}] {} (state.change.logger)"
    record = record_of("a", 1, line.format("Controller id=4", samples.CONTROLLER["ReplicasMarkedOffline"][0]), ())
    assert isinstance(record, Entry)
    assert record.sender == Sender("Controller", 4, None)
    wrong = record_of("a", 1, line.format("Broker id=4 epoch=1", samples.BROKER["MarkedRecovered"][0]), ())
    assert isinstance(wrong, Unparsed)


MEANINGS = [
    (
        "java.lang.IllegalStateException: Replica [Topic=slow-er,Partition=1,Replica=4] should be in the "
        "NewReplica,OnlineReplica states before moving to OfflineReplica state. "
        "Instead it is in NonExistentReplica state",
        why.InvalidReplicaTransition(
            "slow-er", 1, 4, ("NewReplica", "OnlineReplica"), "OfflineReplica", "NonExistentReplica"
        ),
    ),
    (
        "java.lang.IllegalStateException: Partition a-1 should be in one of OfflinePartition states before moving to "
        "NonExistentPartition state. Instead it is in NewPartition state",
        why.InvalidPartitionTransition(
            TopicPartition("a", 1), ("OfflinePartition",), "NonExistentPartition", "NewPartition"
        ),
    ),
    (
        "kafka.common.StateChangeFailedException: Failed to elect leader for partition one-1 under strategy "
        "OfflinePartitionLeaderElectionStrategy(false)",
        why.ElectionFailed(TopicPartition("one", 1), "OfflinePartitionLeaderElectionStrategy", False),
    ),
    (
        "kafka.common.StateChangeFailedException: Failed to elect leader for partition one-1 under strategy "
        "ControlledShutdownPartitionLeaderElectionStrategy",
        why.ElectionFailed(TopicPartition("one", 1), "ControlledShutdownPartitionLeaderElectionStrategy", None),
    ),
    (
        "kafka.common.StateChangeFailedException: Controller 1 epoch 2 encountered error during state change of "
        "partition a-1 from New to Online, assigned replicas are [1,2], live brokers are [Set(3, 4)]. "
        "No assigned replica is alive.",
        why.NoLiveReplica(1, 2, TopicPartition("a", 1), (1, 2), "Set(3, 4)"),
    ),
    (
        "kafka.common.StateChangeFailedException: LeaderAndIsr information doesn't exist for partition a-1 "
        "in OfflinePartition state",
        why.NoLeadership(TopicPartition("a", 1), "OfflinePartition"),
    ),
    (
        "kafka.common.StateChangeFailedException: Aborted leader election for partition a-1 since the LeaderAndIsr "
        "path was already written by another controller. This probably means that the current controller 1 went "
        "through a soft failure and another controller was elected with epoch 5.",
        why.ElectionByNewerController(TopicPartition("a", 1), 1, 5),
    ),
    (
        "kafka.common.StateChangeFailedException: Leader and isr path written by another controller. This probably "
        "means the current controller with epoch 4 went through a soft failure and another controller was elected "
        "with epoch 5. Aborting state change by this controller",
        why.WrittenByNewerController(4, 5),
    ),
    (
        "kafka.common.StateChangeFailedException: Replica 1 for partition a-1 cannot be moved to NewReplica state "
        "as it is being requested to become leader",
        why.ReplicaLeads(1, TopicPartition("a", 1)),
    ),
    (
        "kafka.common.StateChangeFailedException: Failed to change state of replica 1 for partition a-1 since "
        "the leader and isr path in zookeeper is empty",
        why.NothingToLeave(1, TopicPartition("a", 1)),
    ),
]


@each(("said", "meaning"), MEANINGS)
def test_an_exception_means_something(said: str, meaning: why.Meaning) -> None:
    """The messages of the state machines' exceptions are taken apart and put together again, and their frames kept."""
    cause = cause_of((said, "\tat kafka.a(b:1)", "Caused by: x.Y: z"))
    assert why.thrown(meaning, ("\tat kafka.a(b:1)", "Caused by: x.Y: z")) == cause
    assert cause is not None
    assert cause.meaning == meaning
    assert cause.frames == ("\tat kafka.a(b:1)", "Caused by: x.Y: z")


def test_other_exceptions_keep_their_class_and_message() -> None:
    """An exception of ZooKeeper, one without a message and one with several lines are read; other lines are none."""
    exists = "org.apache.zookeeper.KeeperException$NodeExistsException"
    cause = cause_of((f"{exists}: KeeperErrorCode = NodeExists",))
    assert cause is not None
    assert (cause.exception, cause.name, cause.message) == (
        exists, "NodeExistsException", "KeeperErrorCode = NodeExists",
    )  # fmt: skip
    assert cause.meaning is None
    bare = cause_of(("java.lang.InterruptedException", "\tat a.b(c)"))
    assert bare is not None
    assert (bare.message, bare.frames) == (None, ("\tat a.b(c)",))
    long = cause_of(("a.B: one", "two", "\t... 3 more"))
    assert long is not None
    assert (long.message, long.frames) == ("one\ntwo", ("\t... 3 more",))
    assert [one.lines for one in (bare, long)] == [
        ("java.lang.InterruptedException", "\tat a.b(c)"), ("a.B: one", "two", "\t... 3 more"),
    ]  # fmt: skip
    assert cause_of(()) is None
    assert cause_of(("no exception at all",)) is None


NUMBERS = some.integers(-(2**31), 2**31 - 1)
LISTS = some.lists(NUMBERS, max_size=5).map(tuple)
NAMES = some.from_regex(r"[A-Za-z0-9._-]{1,12}", fullmatch=True)
BY_TYPE: dict[str, some.SearchStrategy[Any]] = {
    "int": NUMBERS,
    "ids": LISTS,
    "array": LISTS,
    "truth": some.booleans(),
    "name": NAMES,
    "word": some.from_regex(r"[A-Za-z]{1,9}", fullmatch=True),
    "members": some.lists(some.builds(values.BrokerState, NUMBERS, NUMBERS), max_size=3).map(tuple),
    "partition": some.builds(TopicPartition, NAMES, some.integers(0, 2**31 - 1)),
}


def built(form: Form[Any]) -> some.SearchStrategy[Any]:
    """Return values of a form's class, each field drawn by the type that the template names."""
    kinds = [hole.split("}")[0].split(":") for hole in form.template.split("{")[1:]]
    return some.builds(form._build, *[BY_TYPE[kind] for _, kind in kinds])


@pytest.mark.representative("LeaderAndIsr(leader={lea", "(Leader:{leader:int},ISR", "ReplicaAssignment(replic")
@pytest.mark.parametrize(
    "form",
    [
        values.LEADER_AND_ISR,
        values.LEADERSHIP,
        values.ASSIGNMENT,
        values.LEADER_AND_ISR_STATE,
        values.STOP_REPLICA_STATE,
        values.UPDATE_METADATA_STATE,
        controller_lines.ReplicaChanged.form,
        controller_lines.PartitionAssigned.form,
        broker_lines.MetadataUpdated.form,
    ],
    ids=lambda form: form.template[:24],
)
@settings(max_examples=40)
@given(data=some.data())
def test_any_value_is_read_from_its_text(form: Form[Any], data: some.DataObject) -> None:
    """Whatever its fields hold, a value's text is read into the same value."""
    value = data.draw(built(form))
    assert form.read(form.text(value)) == value


def test_a_record_can_be_made() -> None:
    """A message that a sender says at a time is written as Kafka would, and read again but for its place."""
    message = controller_lines.ReplicaChangeFailed(1, 3, 2, TopicPartition("a", 0), "OnlineReplica", "NewReplica")
    meaning = why.InvalidReplicaTransition("a", 0, 2, ("NonExistentReplica",), "NewReplica", "OnlineReplica")
    made = said(1795244449218, Sender("Controller", 1, 3), message, why.thrown(meaning).lines)
    text = text_of(made).splitlines()
    assert text == [
        "[2026-11-21 07:00:49,218] ERROR [Controller id=1 epoch=3] Controller 1 epoch 3 initiated state change of "
        "replica 2 for partition a-0 from OnlineReplica to NewReplica failed (state.change.logger)",
        "java.lang.IllegalStateException: Replica [Topic=a,Partition=0,Replica=2] should be in the NonExistentReplica "
        "states before moving to NewReplica state. Instead it is in OnlineReplica state",
    ]
    found = record_of("", 0, text[0], text[1:])
    assert found == made
    assert isinstance(found, Entry)
    assert found.cause is not None
    assert found.cause.meaning == meaning


@given(some.integers(0, 4102444800000))
def test_a_time_is_written_as_it_is_read(time_ms: int) -> None:
    """Milliseconds since 1970 become a log's date and time, and are read from it again."""
    assert milliseconds(time_text(time_ms)) == time_ms


@given(some.text(max_size=40), some.sampled_from([text for _, _, text in SAMPLES]), some.integers(0, 400))
def test_reading_never_raises(noise: str, text: str, place: int) -> None:
    """Any text in place of a message, or in its middle, is a record: read and written the same, or unparsed."""
    line = f"[2026-11-21 07:00:49,218] INFO [Broker id=1] {text[:place]}{noise}{text[place:]} (state.change.logger)"
    assert record_of("a", 1, line, ()).lines == (line,)


def test_templates_that_cannot_work_are_refused() -> None:
    """What may be missing holds one field, so that its absence can be seen; and a head is found by four letters."""
    with pytest.raises(ValueError, match="one field"):
        Form(tuple, "a<( {b:int} {c:int})>", TYPES)
    with pytest.raises(ValueError, match="head of less than"):
        type(CONTROLLER)().says("k", "INFO", "ab {c:int}")(type("Short", (Message,), {}))


@pytest.mark.parametrize(
    ("printed", "kind"),
    [
        ("isr=List(0, 2), leaderRecoveryState=RECOVERED, partitionEpoch=3", values.LeaderAndIsrOf33),
        ("isr=List(0, 2), zkVersion=3", values.LeaderAndIsrOf28),
    ],
)
def test_leaderships_of_earlier_releases_are_read(printed: str, kind: type) -> None:
    """3.3 prints an ISR without broker epochs, 2.8 to 3.1 no recovery state either: the content is the same."""
    text = (
        "Changed partition orders-0 from NewPartition to OnlinePartition with state "
        f"LeaderAndIsr(leader=0, leaderEpoch=1, {printed})"
    )
    message = CONTROLLER.read(text)
    assert message is not None
    assert message.text == text
    state = message.state  # type: ignore[attr-defined]
    assert isinstance(state, kind)
    assert (state.leader, state.leader_epoch, state.isr, state.recovery, state.partition_epoch) == (
        0, 1, (0, 2), "RECOVERED", 3,
    )  # fmt: skip
