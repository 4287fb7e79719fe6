"""What no controller writes: partitions left out, names that are none, configurations of what is not there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, LogResult, Monitor, Options, conform
from fencepost.checkers.conformance.records.legality import SETS, never_written, unfit_topic
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, Record, find_log, read_log

from . import RECORDED
from .alter import Message, batch_at, continued, ending_with

MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH))
Change = Callable[[list[Message]], list[Message]]


def judged(change: Change, directory: Path, scenario: str = "reassignment", at: int = 34) -> LogResult:
    """Return what is found in a recording up to the batch of an offset, with other messages in that batch."""
    log = read_log(find_log(RECORDED / scenario))
    return MONITOR.judge(read_log(find_log(ending_with(log, at, change, directory))))


def without(*numbers: int) -> Change:
    """Return what leaves out the records of partitions with these numbers."""
    return lambda messages: [one for one in messages if one[2].get("partitionId") not in numbers]


def renumbered(messages: list[Message]) -> list[Message]:
    """Return messages whose partitions have numbers that are one higher."""
    return [(t, v, {**data, "partitionId": data["partitionId"] + 1}) for t, v, data in messages]


def named(name: str) -> Change:
    """Return what gives the first record, which is the topic's, another name."""
    return lambda messages: [(t, v, {**d, "name": name} if t == "TOPIC_RECORD" else d) for t, v, d in messages]


def config(kind: int, resource: str, key: str = "retention.ms", value: str = "1") -> Message:
    """Return a Config record."""
    return "CONFIG_RECORD", 0, {"resourceType": kind, "resourceName": resource, "name": key, "value": value}


def instead(*messages: Message) -> Change:
    """Return what puts these messages in the place of all others."""
    return lambda _: list(messages)


@pytest.mark.parametrize("gone", [(0, 1, 2, 3, 4), (0,), (2,), (0, 1)], ids=["all", "the first", "one between", "two"])
def test_a_topic_has_every_partition_up_to_its_last(gone: tuple[int, ...], tmp_path: Path) -> None:
    """A creation without any partition, or without one before the last, is no topic of Kafka (C19)."""
    log = judged(without(*gone), tmp_path)
    assert log.verdict is Verdict.VIOLATES
    # Without any partition there is nothing of which C19 could be asked: no row writes the topic's record alone.
    rule = "C19" if len(gone) < 5 else "unexplained"
    assert {one.rule for one in log.violations} == {rule}
    assert rule == "unexplained" or "numbered from 0 on" in log.violations[0].message


def test_a_topic_with_fewer_partitions_is_another_topic(tmp_path: Path) -> None:
    """Without its last partition a creation is that of a smaller topic: no record says how many there are."""
    assert judged(without(4), tmp_path / "fewer").verdict is Verdict.CONFORMS
    assert judged(lambda messages: messages, tmp_path / "all").verdict is Verdict.CONFORMS


def test_growth_goes_on_where_the_topic_ends(tmp_path: Path) -> None:
    """More partitions have the next numbers; ones that skip a number violate."""
    assert judged(lambda messages: messages, tmp_path / "as it is", at=232).verdict is Verdict.CONFORMS
    log = judged(renumbered, tmp_path / "skips", at=232)
    assert log.verdict is Verdict.VIOLATES
    assert [one.rule for one in log.violations] == ["C19"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("bad name!", "other"), ("", "empty"), (".", "folder"), ("..", "folder"), ("x" * 250, "249"), ("\xe9", "other")],
)
def test_a_topic_has_a_name_that_kafka_takes(name: str, reason: str, tmp_path: Path) -> None:
    """What Topic.validate refuses is no name in a log either, and the reason is said."""
    log = judged(named(name), tmp_path)
    assert log.verdict is Verdict.VIOLATES
    assert reason in log.violations[0].message


@pytest.mark.parametrize("name", ["x" * 249, "a.b_c-D9", "...", "_"])
def test_odd_names_that_kafka_takes_conform(name: str, tmp_path: Path) -> None:
    """The longest name, every kind of character, and dots that are no folder are names of topics."""
    assert unfit_topic(name) == ""
    assert judged(named(name), tmp_path).verdict is Verdict.CONFORMS


@pytest.mark.representative("a.b-True", "a-b-False")
@pytest.mark.parametrize(("name", "collides"), [("a.b", True), ("a_b", False), ("a-b", False), ("ab", False)])
def test_two_topics_do_not_look_the_same(name: str, collides: bool, tmp_path: Path) -> None:
    """Where metrics show a dot as an underscore, no topic looks like one that was there before its request."""
    log = read_log(find_log(RECORDED / "reassignment"))
    first = [(t, v, {**d, "topicId": "AAAAAAAAAAAAAAAAAAAAZg"}) for t, v, d in named("a_b")(_messages(log, 40))]
    second = named(name)(_messages(log, 40))
    directory = continued(log, 40, [first, second], tmp_path)
    (found,) = conform([directory], KRAFT).logs
    assert [one.message for one in found.violations if "metrics show both" in one.message] == (
        ["No topic is called 'a.b' while there is 'a_b': metrics show both as 'a_b'."] if collides else []
    )
    at_once = continued(log, 40, [[*first, *second]], tmp_path / "at once")
    (found,) = conform([at_once], KRAFT).logs
    assert not [one for one in found.violations if "metrics show both" in one.message]


def _messages(log: MetadataLog, offset: int) -> list[Message]:
    return [(r.type, r.version, dict(r.data)) for r in batch_at(log, offset).metadata_records]


@pytest.mark.representative("2-gone-retention.ms-1-", "kraft.version-1-kept by Raft")
@pytest.mark.parametrize(
    ("message", "told"),
    [
        (config(2, "gone"), ""),
        (config(2, "gone", "min.insync.replicas"), ""),
        (config(2, "gone", "unclean.leader.election.enable", "true"), ""),
        (config(4, "abc"), "named by a node's id"),
        (config(4, "-1"), "named by a node's id"),
        (config(4, str(2**31)), "named by a node's id"),
        (config(8, "1"), "resource of type 8"),
        (config(99, "r"), "resource of type 99"),
        (("FEATURE_LEVEL_RECORD", 0, {"name": "kraft.version", "featureLevel": 1}), "kept by Raft"),
    ],
    ids=lambda one: one if isinstance(one, str) else "-".join(str(value) for value in one[2].values()),
)
def test_what_is_configured_is_there(message: Message, told: str, tmp_path: Path) -> None:
    """A value of a topic that is not there, of no node, of no kind of resource, and a level that Raft keeps violate."""
    log = judged(instead(message), tmp_path, at=213)
    assert log.verdict is Verdict.VIOLATES
    assert told in log.violations[0].message


@pytest.mark.representative("2-r-retention.ms-1", "group.version-1")
@pytest.mark.parametrize(
    "message",
    [
        config(2, "r"),
        config(4, "1"),
        config(4, ""),
        config(16, "m", "metrics"),
        config(32, "g", "consumer.session.timeout.ms"),
        ("FEATURE_LEVEL_RECORD", 0, {"name": "group.version", "featureLevel": 1}),
    ],
    ids=lambda one: "-".join(str(value) for value in one[2].values()),
)
def test_their_legal_neighbours_conform(message: Message, tmp_path: Path) -> None:
    """The same records of a topic that is there, a broker, the cluster, client metrics, a group, another feature."""
    assert judged(instead(message), tmp_path, at=213).verdict is Verdict.CONFORMS


def test_one_of_several_values_of_a_topic_that_is_not_there_violates(tmp_path: Path) -> None:
    """Several values at once are held to the same (CM1): none of them is of a topic that there is not."""
    several = instead(config(2, "r"), config(2, "r", "segment.ms"))
    assert judged(several, tmp_path / "there", at=213).verdict is Verdict.CONFORMS
    several = instead(config(2, "r"), config(2, "gone", "segment.ms"))
    assert judged(several, tmp_path / "gone", at=213).verdict is Verdict.VIOLATES


def test_a_release_that_wrote_it_may_have_written_it() -> None:
    """Up to 4.0 UpdateFeatures wrote a FeatureLevel of kraft.version; the tables of 4.1 have none."""
    data: dict[str, Any] = {"name": "kraft.version", "featureLevel": 1}
    record = Record(0, 0, "FEATURE_LEVEL_RECORD", 0, data)
    assert never_written(record, "kraft@3.9") == never_written(record, "kraft@4.0") == ""
    assert never_written(record, "kraft@4.1")
    assert never_written(record, "kraft")


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_each_member_once(name: str) -> None:
    """A list that stands for a set and repeats a broker is in no controller's record; one in any order may be."""
    for type_ in ("PARTITION_RECORD", "PARTITION_CHANGE_RECORD"):
        assert "twice" in never_written(Record(0, 0, type_, 2, {name: [3, 4, 3]}), "kraft")
        assert never_written(Record(0, 0, type_, 2, {name: [4, 3]}), "kraft") == ""


def test_a_broker_in_zookeeper_mode_registers_with_old_controllers() -> None:
    """Since 4.0 no controller takes a broker in ZooKeeper mode; those of 3.9 do, in a migration above all."""
    record = Record(0, 0, "REGISTER_BROKER_RECORD", 3, {"isMigratingZkBroker": True})
    assert "3.4 to 3.9" in never_written(record, "kraft")
    assert never_written(record, "kraft@3.9") == never_written(record, "kraft@3.9-migrating") == ""
