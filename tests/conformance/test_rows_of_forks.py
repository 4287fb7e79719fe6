"""Logs of AutoMQ and of Inkless that go on otherwise than the fixtures: what their rows explain, and what not.

Each goes on behind the end of a fixture, or of a part of it, with batches that the public sources of AutoMQ 1.7.3 and
of Inkless 0.47 write, or do not write; no log of a running fork is among them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, LogResult, Options
from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.verdicts import Verdict
from fencepost.traces import MetadataLog, build_batch, encode_value, placed, read_log

FORKS = Path(__file__).parent / "fixtures" / "forks"
Tags = list[tuple[int, bytes]]
One = tuple[str, int, dict[str, Any]] | tuple[str, int, dict[str, Any], Tags]
Checks = Callable[[MetadataLog], LogResult]

ORDERS, PAYMENTS, T3 = "b0F1dG9NUS1vcmRlcnMtMQ", "b0F1dG9NUS1wYXltZW50cw", "etjApLlITuaL4ubGMFkFBw"
HOMES = {
    0: "y-uKSjw90W_mQDyq-Iemcw",
    1: "P3JbgmAKPgDu_qUEqHf3yg",
    2: "mAmIXG0Yq_VQTzPd1XW-VA",
    3: "oEU-2JIm4W7gxiNmWlAlRA",
}
"""The directories of the brokers of the fixture of AutoMQ."""


@pytest.fixture(scope="module")
def checked() -> Checks:
    """Return what checks a log, by the declaration whose sign is in it."""
    return TermJudge(StaticSettings(), Options(PASSED_THROUGH, StaticSettings().given)).log


def continued(name: str, end: int, batches: Sequence[Sequence[One]]) -> MetadataLog:
    """Return the fixture of a fork up to an offset, and behind it further batches; its snapshots are left out."""
    log = read_log(FORKS / name)
    kept = [one for one in log.batches if one.last_offset < end]
    for records in batches:
        made = build_batch(
            [one[:3] for one in records],
            base_offset=kept[-1].last_offset + 1,
            epoch=kept[-1].epoch,
            timestamp=kept[-1].max_timestamp + 50,
        )
        tagged = tuple(
            replace(record, raw=encode_value(record.type, record.version, record.data, one[3]))
            if len(one) > 3
            else record
            for record, one in zip(made.metadata_records, records, strict=True)
        )
        kept.append(replace(made, records=tagged))
    return replace(log, batches=placed(kept, log.segments[0].name), snapshots=())


def change(topic: str, partition: int, version: int = 1, tags: Tags | None = None, **said: Any) -> One:
    """Return a change of a partition."""
    made = ("PARTITION_CHANGE_RECORD", version, {"partitionId": partition, "topicId": topic, **said})
    return made if tags is None else (*made, tags)


def registration(broker: int, epoch: int, **said: int) -> One:
    """Return a change of a broker's registration."""
    version = 1 if "inControlledShutdown" in said else 0
    return "BROKER_REGISTRATION_CHANGE_RECORD", version, {"brokerId": broker, "brokerEpoch": epoch, **said}


def moved(topic: str, partition: int, to: int, **said: Any) -> One:
    """Return a change with which AutoMQ moves a partition."""
    return change(topic, partition, isr=[to], replicas=[to], directories=[HOMES[to]], **said)


def setting(topic: str, name: str, value: str) -> One:
    """Return a setting of a topic."""
    return "CONFIG_RECORD", 0, {"resourceType": 2, "resourceName": topic, "name": name, "value": value}


# -- AutoMQ ------------------------------------------------------------------------------------------------------------
FENCED_2 = [moved(ORDERS, 1, 3, leader=-1), registration(2, 18, fenced=1)]
STOPS_2 = [registration(2, 18, inControlledShutdown=1)]
GONE_2 = ("UNREGISTER_BROKER_RECORD", 0, {"brokerId": 2, "brokerEpoch": 18})
NOBODY_LEFT = [
    [moved(ORDERS, 0, 2, leader=-1), moved(PAYMENTS, 0, 2, leader=-1), registration(3, 21, fenced=1)],
    [registration(0, 9, fenced=1)],
    [change(PAYMENTS, 0, leader=2)],
    [change(PAYMENTS, 0, leader=-1), change(ORDERS, 1, leader=-1), registration(2, 18, fenced=1)],
]
"""One broker after the other is fenced; the last one, 2, keeps its three partitions, and none leads them."""
TAKEN = [
    registration(0, 9, fenced=-1),
    *(moved(of, at, 0, leader=-1) for of, at in ((ORDERS, 0), (ORDERS, 1), (PAYMENTS, 0))),
]
NEW = "b0F1dG9NUS1vcmRlcnMtMg"


def created(*settings: One, replicas: Sequence[int] = (2,)) -> list[One]:
    """Return the batch of a new topic with one partition."""
    directories = [HOMES[one] for one in replicas]
    whole = {"partitionId": 0, "topicId": NEW, "replicas": [*replicas], "isr": [*replicas], "directories": directories}
    rest = {"removingReplicas": [], "addingReplicas": [], "leader": 2, "leaderEpoch": 0, "partitionEpoch": 0}
    return [("TOPIC_RECORD", 0, {"name": "new", "topicId": NEW}), *settings, ("PARTITION_RECORD", 1, {**whole, **rest})]


MINIMUM = setting("new", "min.insync.replicas", "1")


@pytest.mark.parametrize(("batches", "stops"), [
    pytest.param([[moved(PAYMENTS, 0, 2, leader=-1)], [change(PAYMENTS, 0, leader=2)]], None, id="reassigned"),
    pytest.param([[moved(PAYMENTS, 0, 2, leader=2)]], 104, id="reassigned, with a leader"),
    pytest.param([[change(PAYMENTS, 0, isr=[3, 2], replicas=[3, 2], leader=-1)]], 104, id="two replicas"),
    pytest.param([FENCED_2, [change(ORDERS, 1, leader=3)]], None, id="fenced"),
    pytest.param([[*FENCED_2, change(ORDERS, 1, leader=3)]], None, id="fenced, and elected in the same batch"),
    pytest.param([FENCED_2[1:]], 104, id="fenced, and nothing moves"),
    pytest.param([[change(ORDERS, 1, leader=-1), FENCED_2[1]]], 105, id="fenced, and only the leader goes"),
    pytest.param(NOBODY_LEFT, None, id="the last broker is fenced"),
    pytest.param([*NOBODY_LEFT, TAKEN, [change(ORDERS, 0, leader=0)]], None, id="unfenced"),
    pytest.param([*NOBODY_LEFT, TAKEN[:-1]], 114, id="unfenced, and one does not move"),
    pytest.param([[registration(2, 18, inControlledShutdown=1), moved(ORDERS, 1, 0, leader=-1)]], None, id="stops"),
    pytest.param([STOPS_2, [moved(ORDERS, 1, 0, leader=-1)]], None, id="stops, and moves later"),
    pytest.param([[moved(ORDERS, 1, 3, leader=-1), GONE_2]], None, id="unregistered"),
    pytest.param([created(setting("new", "retention.ms", "9"), MINIMUM)], None, id="created"),
    pytest.param([created()], 105, id="created, without a minimum"),
    pytest.param([created(MINIMUM, replicas=(2, 3))], 106, id="created, with two replicas"),
])  # fmt: skip
def test_what_the_controller_of_automq_writes(batches: list[list[One]], stops: int | None, checked: Checks) -> None:
    """Partitions move in one record without a leader, which comes alone; where brokers are fenced, or stop, too."""
    expects(checked(continued("automq", 104, batches)), "kraft@automq-1.7", stops)


def expects(found: LogResult, tables: str, stops: int | None) -> None:
    """Check that rows explain a log, or that nothing is decided from an offset on."""
    verdict = Verdict.CONFORMS if stops is None else Verdict.UNDECIDED
    assert (found.protocol, found.verdict, found.violations) == (tables, verdict, [])
    assert [one.first for one in found.doubts] == ([] if stops is None else [stops])


# -- Inkless -----------------------------------------------------------------------------------------------------------
def offset(value: int) -> tuple[int, bytes]:
    """Return tag 100."""
    return 100, value.to_bytes(8, "big", signed=True)


def sealed(partition: int, at: int, epoch: int | None = 1, *more: tuple[int, bytes]) -> One:
    """Return the seal of a partition of t3; without an epoch as releases before 0.42 write it."""
    noted = [] if epoch is None else [(102, epoch.to_bytes(4, "big"))]
    return change(T3, partition, 0, [offset(at), *noted, *more])


def begun(topic: str, partition: int, leader: int) -> One:
    """Return the mark with which the switch of a partition begins."""
    return change(topic, partition, 0, [offset(-2)], leader=leader)


T1 = "UlJaWRrdSlqrvTgogzAb7A"
SETTINGS = [setting("t3", "diskless.enable", "true"), setting("t3", "remote.storage.enable", "true")]
MARKS = [begun(T3, partition, leader) for partition, leader in enumerate((1, 2, 0, 1))]
SWITCH = [*SETTINGS, *MARKS]
OTHER_SETTINGS = [setting("t1", "diskless.enable", "true"), setting("t1", "remote.storage.enable", "true")]
OTHER_MARKS = [begun(T1, 0, 2), begun(T1, 1, 0)]
SHRUNK = change(T3, 3, 2, isr=[1, 0])


@pytest.mark.parametrize(("batches", "stops"), [
    pytest.param([SWITCH, [sealed(0, 5), sealed(1, 8)], [sealed(2, 0)], [sealed(3, 7)]], None, id="several seals"),
    pytest.param([SWITCH, [sealed(0, 5, None)]], None, id="a seal before 0.42"),
    pytest.param([SWITCH, [sealed(0, 5, 1, (101, bytes(4)))]], None, id="producers forgotten"),
    pytest.param([[SWITCH[0], *MARKS]], None, id="with remote storage before"),
    pytest.param([[*reversed(SETTINGS), *reversed(MARKS)]], None, id="in another order"),
    pytest.param([[*SETTINGS, *OTHER_SETTINGS, *MARKS, *OTHER_MARKS]], None, id="two topics at once"),
    pytest.param([SWITCH, [sealed(1, 3)], [*OTHER_SETTINGS, *OTHER_MARKS], [sealed(2, 4)]], None, id="two switches"),
    pytest.param([SWITCH, [begun(T3, 0, 1)], [sealed(0, 5, 2)]], None, id="begun again"),
    pytest.param([SWITCH, [sealed(0, 5)], [sealed(0, 3)]], None, id="sealed lower"),
    pytest.param([SWITCH, [change(T3, 0, 0, [offset(-1)])]], None, id="given up"),
    pytest.param([SWITCH, [sealed(0, 5)], [change(T3, 0, 0, [offset(-1)])]], 52, id="given up, when sealed"),
    pytest.param([SWITCH, [sealed(0, 5)], [sealed(0, 9)]], 52, id="sealed higher"),
    pytest.param([SWITCH, [sealed(0, 5, 7)]], 51, id="sealed in another epoch"),
    pytest.param([[sealed(0, 5)]], 45, id="sealed without a switch"),
    pytest.param([SWITCH[:-1]], 49, id="a partition without a mark"),
    pytest.param([SETTINGS, [sealed(0, 5)]], 46, id="the settings alone"),
    pytest.param([MARKS], 48, id="the marks alone"),
    pytest.param([[*SWITCH[:-1], begun(T3, 3, 2)]], 50, id="another leader"),
    pytest.param([[*SWITCH[:-1], change(T3, 3, 0, [offset(-2)])]], 50, id="no leader"),
    pytest.param([[SHRUNK], SWITCH], 51, id="a replica out of sync"),
    pytest.param([[*SWITCH[:-1], change(T3, 3, 0, leader=1)]], 49, id="a mark without its tag"),
    pytest.param([SWITCH, [change(T3, 0, 2, [offset(7)])]], 51, id="a tag at another version"),
    pytest.param([SWITCH, [sealed(0, 5, 1, (103, b"?"))]], 51, id="a tag that is not declared"),
    pytest.param([SWITCH, [change(T3, 0, 0, [(100, bytes(7))])]], 51, id="a tag that is cut off"),
])  # fmt: skip
def test_what_the_controller_of_inkless_writes(batches: list[list[One]], stops: int | None, checked: Checks) -> None:
    """A switch marks each partition with its leader; its leader, or an operator, seals it, and no seal is raised."""
    expects(checked(continued("inkless", 45, batches)), "kraft@inkless", stops)


PLACES = {0: "gqx3djRopkmvj8QcId8LsQ", 1: "PK5CjpjMfUVJla65utFaLg", 2: "AOteVHWrA6Pd-w4q4jSAAw"}
"""The directories of the brokers of the fixture of Inkless."""


def born(diskless: str, replicas: Sequence[int], isr: Sequence[int], leader: int) -> list[One]:
    """Return the batch of a new topic with one partition, while broker 1 is fenced."""
    whole = {"partitionId": 0, "topicId": NEW, "replicas": [*replicas], "isr": [*isr], "leader": leader}
    rest = {"removingReplicas": [], "addingReplicas": [], "leaderEpoch": 0, "partitionEpoch": 0}
    places = {"directories": [PLACES[one] for one in replicas]}
    begins = [("TOPIC_RECORD", 0, {"name": "new", "topicId": NEW}), setting("new", "diskless.enable", diskless)]
    return [*begins, ("PARTITION_RECORD", 2, {**whole, **rest, **places})]


def reassigned(leader: int) -> One:
    """Return the change that gives a diskless partition brokers 1, which is fenced, and 2."""
    places = [PLACES[1], PLACES[2]]
    return change(NEW, 0, 2, isr=[1, 2], replicas=[1, 2], leader=leader, directories=places)


WHOLE = born("true", (0, 1, 2), (0, 1, 2), 0)


@pytest.mark.parametrize(("batches", "tables", "stops"), [
    pytest.param([WHOLE], "kraft@inkless", None, id="all replicas in sync"),
    pytest.param([born("true", (1, 0, 2), (0, 2, 1), 0)], "kraft@inkless", None, id="the active ones first"),
    pytest.param([born("true", (1, 0, 2), (1, 0, 2), 1)], "kraft@inkless", 24, id="led by a fenced broker"),
    pytest.param([born("false", (0, 1, 2), (0, 2), 0)], "kraft@4.2", None, id="a classic topic"),
    pytest.param([born("false", (0, 1, 2), (0, 1, 2), 0)], "kraft@inkless", 24, id="a classic topic, all in sync"),
    pytest.param([WHOLE, [reassigned(2)]], "kraft@inkless", None, id="reassigned at once"),
    pytest.param([WHOLE, [reassigned(1)]], "kraft@inkless", 25, id="reassigned to a fenced leader"),
])  # fmt: skip
def test_the_isr_of_a_diskless_partition(
    batches: list[list[One]], tables: str, stops: int | None, checked: Checks
) -> None:
    """It has all replicas, those of fenced brokers too, of which none leads; the setting shows whose log it is."""
    expects(checked(continued("inkless", 22, batches)), tables, stops)
