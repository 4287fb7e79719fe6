"""Omissions of a snapshot, distinguished from its errors; requests of several parts in a log."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.reading.restoring import restore
from fencepost.checkers.conformance.reading.snapshots import Differing, differences
from fencepost.checkers.conformance.records.facts import KRAFT_LOGS, LogFacts
from fencepost.checkers.conformance.spark.parts import Carried, judged_part, replayed_at, right
from fencepost.checkers.conformance.spark.parts import whole as joined_parts
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.snapshots import snapshot_messages
from fencepost.traces import MetadataLog, Record, Segment, Snapshot, build_batch, build_snapshot, segment_name

from . import toy
from .lockstep.watched import Watched
from .test_beginning import late, snapshot
from .toy import Message

MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))
TOPIC_ID = "JEXY6aqzQY-32P5TStzaFg"
UNASSIGNED, MIGRATING = "AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAA"
TOPIC: Message = ("TOPIC_RECORD", 0, {"name": "t", "topicId": TOPIC_ID})
CLEAR: Message = ("CLEAR_ELR_RECORD", 0, {"topicName": ""})


def features(level: int, elr: int) -> list[Message]:
    """The records of metadata.version and of the switch of eligible leader replicas."""
    found: list[Message] = [("FEATURE_LEVEL_RECORD", 0, {"name": "metadata.version", "featureLevel": level})]
    return [*found, ("FEATURE_LEVEL_RECORD", 0, {"name": "eligible.leader.replicas.version", "featureLevel": elr})]


def partition(version: int = 2, **more: Any) -> Message:
    """The record of a partition of two replicas that 1 leads."""
    data = {
        "partitionId": 0, "topicId": TOPIC_ID, "replicas": [1, 2], "isr": [1], "removingReplicas": [],
        "addingReplicas": [], "leader": 1, "leaderEpoch": 0, "partitionEpoch": 0,
    }  # fmt: skip
    places = {"directories": [UNASSIGNED, UNASSIGNED]} if version else {}
    return "PARTITION_RECORD", version, data | places | more


def change(version: int = 2, **data: Any) -> Message:
    """The record of a change of the partition."""
    return "PARTITION_CHANGE_RECORD", version, {"partitionId": 0, "topicId": TOPIC_ID} | data


def compared(log: Sequence[Message], told: Sequence[Message], facts: LogFacts = KRAFT_LOGS) -> list[Differing]:
    """What a snapshot with some records says otherwise than a log with others."""
    state, fresh = HardState(MONITOR.layout), HardState(MONITOR.layout)
    restore(state, MONITOR.wire, of(log))
    snapshot = of(told)
    found = restore(fresh, MONITOR.wire, snapshot)
    return list(differences(fresh, found.told, snapshot, state, facts))


def of(messages: Sequence[Message]) -> Any:
    """A snapshot of records."""
    return build_snapshot(list(messages), end_offset=50, epoch=1, timestamp=0, last_contained_timestamp=0)


def kinds(found: Sequence[Differing]) -> dict[str, str]:
    """What the variables are that differ: `untold`, a finding, or `wrong`."""
    return {one.message.split("[")[0]: "untold" if one.untold else one.finding or "wrong" for one in found}


# -- the index of eligible leader replicas -----------------------------------------------------------------------------
def test_an_index_is_in_no_snapshot() -> None:
    """After ClearElr the index still lists the partition (D6), and a node that loads a snapshot differs: no fault."""
    log = [*features(30, 1), TOPIC, partition(eligibleLeaderReplicas=[2]), CLEAR]
    told = [*features(30, 1), TOPIC, partition(partitionEpoch=1)]
    assert kinds(compared(log, told)) == {"elr_index": "untold"}
    assert kinds(compared(log, told, LogFacts())) == {"elr_index": "wrong"}


def test_a_state_that_a_snapshot_opens_has_the_index_that_it_makes() -> None:
    """The index is made of the eligible leader replicas that the snapshot's partitions have."""
    state = HardState(MONITOR.layout)
    restore(state, MONITOR.wire, of([*features(30, 1), TOPIC, partition(eligibleLeaderReplicas=[2])]))
    number = next(n for n, one in enumerate(state.layout.states) if one.name == "elr_index")
    assert [state.read((number, ((TOPIC_ID, 0), broker))) for broker in (1, 2)] == [0, 1]


# -- a snapshot while eligible leader replicas are off -----------------------------------------------------------------
ELIGIBLE = partition(eligibleLeaderReplicas=[2], lastKnownElr=[1], isr=[], leader=-1)


@pytest.mark.parametrize(
    ("now", "wanted"),
    [
        (partition(isr=[], leader=-1), {"elr": "D21", "last_known": "D21", "elr_index": "untold"}),
        (partition(eligibleLeaderReplicas=[2], isr=[], leader=-1), {"last_known": "D21"}),
        (partition(eligibleLeaderReplicas=[1], lastKnownElr=[1], isr=[], leader=-1),
         {"elr": "wrong", "elr_index": "untold"}),
        (partition(leader=-1), {"elr": "D21", "last_known": "D21", "elr_index": "untold", "isr": "wrong"}),
    ],
)  # fmt: skip
def test_while_they_are_off_a_snapshot_leaves_them_out(now: Message, wanted: dict[str, str]) -> None:
    """That is Kafka's D21; another value of them than none, or anything else that differs, is wrong as ever."""
    log = [*features(30, 1), TOPIC, ELIGIBLE, features(30, 0)[1]]
    assert kinds(compared(log, [*features(30, 0), TOPIC, now])) == wanted


def test_while_they_are_on_a_snapshot_has_them() -> None:
    """Leaving them out is wrong then."""
    found = compared([*features(30, 1), TOPIC, ELIGIBLE], [*features(30, 1), TOPIC, partition(isr=[], leader=-1)])
    assert kinds(found) == {"elr": "wrong", "last_known": "wrong", "elr_index": "untold"}


def test_a_last_known_leader_of_nobody_is_left_out_with_them() -> None:
    """A list of −1 alone is no empty list: the tables keep it apart, and a snapshot leaves it out as well."""
    log = [*features(30, 1), TOPIC, partition(isr=[], leader=-1, lastKnownElr=[-1]), features(30, 0)[1]]
    assert kinds(compared(log, [*features(30, 0), TOPIC, partition(isr=[], leader=-1)])) == {"last_nobody": "D21"}


def test_what_was_left_out_is_not_known_where_a_log_begins_with_it() -> None:
    """Others may have replayed the log: what the partition's eligible leader replicas are depends on who is active."""
    state = opened([*features(30, 0), TOPIC, partition()])
    assert (state["elr"], state["last_known"], state["isr"]) == (UNKNOWN, UNKNOWN, (1,))
    state = opened([*features(30, 1), TOPIC, partition()])
    assert (state["elr"], state["last_known"]) == (frozenset(), ())


def opened(messages: Sequence[Message]) -> dict[str, Any]:
    """The cells of the partition in a log that a snapshot opens."""
    made = toy.log(*[[("NO_OP_RECORD", 0, {})] for _ in range(5)])
    seen: dict[str, Any] = {}

    def watch(state: HardState, *_: Any) -> None:
        for number, one in enumerate(state.layout.states):
            if [str(key) for key in one.keys] == ["Partition"]:
                seen.setdefault(one.name, state.read((number, ((TOPIC_ID, 0),))))

    MONITOR.judge(late(made, 3, snapshot(3, *messages)), watch)
    return seen


def switched_off() -> MetadataLog:
    """A controller's own log, with a snapshot in front of its last result: eligible leader replicas are switched off
    while a partition has some."""
    node = Watched()
    node.lead()
    for broker in (1, 2, 3):
        node.start(broker)
        node.heartbeat(broker)
    node.all_beat()
    node.create("a", 1, 3, min="2")
    for broker in (2, 3):
        node.heartbeat(broker, want_fence=True)
    assert node.partition("a").elr
    node.ask(m.UpdateFeaturesRequest(updates=((levels.ELR_VERSION, 0, m.SAFE_DOWNGRADE),)))
    end = node.log_end_offset()
    told = [(one.type, one.version, dict(one.data)) for one in snapshot_messages(node.controller.managers, end - 1)]
    for name in ("b", "c"):
        node.create(name, 1, 3, min="1")
    return replace(log(written(node)), snapshots=(without_bytes(told, end),))


def test_a_log_with_such_a_snapshot_conforms_and_shows_the_finding() -> None:
    """They are switched off while a partition has some, and it is said as D21."""
    whole = switched_off()
    result = MONITOR.judge(whole)
    assert (result.verdict, result.violations, result.snapshots_compared) == (Verdict.CONFORMS, [], 1)
    assert {one.finding for one in result.findings if one.by == "snapshot"} == {"D21"}
    other = Monitor(KRAFT, Options(PASSED_THROUGH, facts=LogFacts())).judge(whole)
    assert {one.rule for one in other.violations} == {"snapshot"}


def test_what_such_a_snapshot_leaves_in_doubt_is_known_to_the_parts_behind_it() -> None:
    """The replay compares a snapshot that may leave cells in doubt: the results behind it are kept, and all that
    is said is the same as in one piece. A part whose replay did not know of it is followed by none that is kept."""
    whole, carried = switched_off(), list[Carried]()
    (end,) = (one.end_offset for one in whole.snapshots)
    replayed_at(MONITOR, whole, None, [end, whole.batches[-1].base_offset], carried.append)
    assert [len(one.compared) for one in carried] == [0, 1]
    last = carried[1]
    parts = [judged_part(MONITOR, whole, None, *places) for places in ((None, last.place), (last, None))]
    assert right(parts) == 2
    assert repr(joined_parts(parts)) == repr(MONITOR.judge(whole))
    unaware = judged_part(MONITOR, whole, None, None, replace(last.place, compared=()))
    assert right([unaware, parts[1]]) == 0


def without_bytes(messages: Sequence[Message], end: int) -> Snapshot:
    """A snapshot whose ids are short texts, which have no bytes in a file."""
    empty: list[Message] = [("NO_OP_RECORD", 0, {})] * len(messages)
    made = build_snapshot(empty, end_offset=end, epoch=1, timestamp=0, last_contained_timestamp=0)
    batches, left = [], list(messages)
    for batch in made.batches:
        records = batch.records if batch.is_control else tuple(Record(r.offset, 0, *left.pop(0)) for r in batch.records)
        batches.append(replace(batch, records=records))
    return replace(made, batches=tuple(batches))


# -- records that are too old ------------------------------------------------------------------------------------------
def test_a_record_without_directories_says_that_all_are_migrating() -> None:
    """Below 3.7-IV2 an added replica is migrating, which is what a snapshot's Partition record of version 0 says too.

    Kafka 4.4.0 writes no snapshot there of a replica that is anywhere else (UnwritableMetadataException).
    """
    log = [*features(14, 0), TOPIC, partition(0), change(0, replicas=[1, 2, 3], addingReplicas=[3])]
    now = partition(0, replicas=[1, 2, 3], addingReplicas=[3], partitionEpoch=1)
    assert kinds(compared(log, [*features(14, 0), TOPIC, now])) == {}
    elsewhere = partition(1, **(now[2] | {"directories": [MIGRATING, MIGRATING, UNASSIGNED]}))
    assert kinds(compared(log, [*features(14, 0), TOPIC, elsewhere])) == {"location": "wrong"}


# -- requests of several parts -----------------------------------------------------------------------------------------
def written(node: Watched) -> list[list[Message]]:
    """The batches that a controller wrote, a result each."""
    return [[(one.type, one.version, dict(one.data)) for one in step.records] for step in node.steps if step.records]


def log(batches: Sequence[Sequence[Message]]) -> MetadataLog:
    """A log from offset 0 on, of which no epoch is known."""
    segment, found, end = segment_name(0), [], 0
    for messages in batches:
        empty: list[Message] = [("NO_OP_RECORD", 0, {})] * len(messages)
        batch = build_batch(empty, base_offset=end, epoch=-1, timestamp=0, segment=segment)
        # Their ids are short texts, which have no bytes in a log.
        records = tuple(Record(offset, 0, *one) for offset, one in enumerate(messages, end))
        found.append(replace(batch, records=records))
        end += len(messages)
    return MetadataLog("watched", "binary", (Segment(segment, 0),), tuple(found))


def shutting_down() -> Watched:
    """A broker of two directories that wants to shut down in the heartbeat in which one of them fails."""
    node = Watched()
    node.lead()
    for broker in (1, 2, 3):
        node.start(broker, dirs=2)
        node.heartbeat(broker)
    node.all_beat()
    node.create("a", 3, 3)
    for number in range(3):
        node.assign(1, 1 + number % 2, "a", number)
    node.heartbeat(1, want_shut_down=True, offline_log_dirs=("0000000000100000000001",))
    return node


def test_the_parts_of_a_heartbeat_see_one_state() -> None:
    """The failed directory's partitions are left a second time: that part does not see what the first wrote."""
    node = shutting_down()
    assert [one.type for one in node.steps[-1].records].count("PARTITION_CHANGE_RECORD") > 3
    made = log(written(node))
    result = MONITOR.judge(made)
    assert (result.verdict, result.violations) == (Verdict.CONFORMS, [])
    assert result.rows.get("HD6") == 1
    alone = KRAFT.without("HD6", why="each part sees what the one before it wrote")
    apart = Monitor(alone, Options(PASSED_THROUGH, facts=LogFacts())).judge(made)
    assert {one.rule for one in apart.violations} == {"unexplained"}


def test_further_parts_stand_behind_their_heartbeat() -> None:
    """With something between the two parts the records are no single request, and not explained."""
    *before, last = written(shutting_down())
    entities = [one[2].get("partitionId", -1 - n) for n, one in enumerate(last)]
    again = next(n for n, entity in enumerate(entities) if entity in entities[:n])
    assert MONITOR.judge(log([*before, last])).violations == []
    split = log([*before, [*last[:again], ("NO_OP_RECORD", 0, {}), *last[again:]]])
    assert {one.rule for one in MONITOR.judge(split).violations} == {"unexplained"}
