"""Metadata logs of any size for `fencepost bench conform`: a snapshot with all partitions, and a tail of changes.

The tail is what a leader writes: one record a batch where brokers change an ISR, or one result over several batches
where a broker is fenced. So the state can be large without a record for each partition in the log that is checked.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fencepost.traces import build_batch, build_control_batch, segment_name, snapshot_name
from fencepost.traces.batches import encode_batch
from fencepost.traces.primitives import uuid_text
from fencepost.traces.record_types import LEADER_CHANGE, SNAPSHOT_FOOTER, SNAPSHOT_HEADER

BROKERS = 8
TOPIC = 9_000
"""The most partitions of a topic: a topic is created in one batch, which has no more than 10,000 records."""
BATCH = 10_000
IN_SNAPSHOT = 1_000
CONTROLLER = 3000
EPOCH = 2
TIME = 1_700_000_000_000
ANY_DIRECTORY = uuid_text(uuid.UUID(int=1).bytes)
FEATURES = [{"name": "metadata.version", "minSupportedVersion": 7, "maxSupportedVersion": 30}]
"""Features that controllers and brokers of 4.4 register; of features only metadata.version is in use."""

Message = tuple[str, int, Mapping[str, Any]]


def _id(kind: int, number: int) -> str:
    return uuid_text(uuid.UUID(int=kind << 64 | number + 1).bytes)


def _endpoint(name: str, port: int) -> dict[str, Any]:
    return {"name": name, "host": "127.0.0.1", "port": port, "securityProtocol": 0}


def replicas(partition: int) -> list[int]:
    """Return the brokers with a replica of a partition, by its number among all; the first one leads."""
    return [(partition + place) % BROKERS for place in range(3)]


def _named(partition: int) -> dict[str, Any]:
    return {"partitionId": partition % TOPIC, "topicId": _id(1, partition // TOPIC)}


def _state(partitions: int) -> Iterator[Message]:
    yield "FEATURE_LEVEL_RECORD", 0, {"name": "metadata.version", "featureLevel": 30}
    for broker in range(BROKERS):
        yield (
            "REGISTER_BROKER_RECORD",
            4,
            {
                "brokerId": broker,
                "isMigratingZkBroker": False,
                "incarnationId": _id(2, broker),
                "brokerEpoch": broker + 1,
                "endPoints": [_endpoint("PLAINTEXT", 9092 + broker)],
                "features": FEATURES,
                "rack": None,
                "fenced": False,
                "inControlledShutdown": False,
                "logDirs": [_id(3, broker)],
            },
        )
    yield (
        "REGISTER_CONTROLLER_RECORD",
        0,
        {
            "controllerId": CONTROLLER,
            "incarnationId": _id(4, 0),
            "zkMigrationReady": False,
            "endPoints": [_endpoint("CONTROLLER", 9091)],
            "features": FEATURES,
        },
    )
    for partition in range(partitions):
        if partition % TOPIC == 0:
            topic = partition // TOPIC
            yield "TOPIC_RECORD", 0, {"name": f"topic-{topic}", "topicId": _id(1, topic)}
        yield (
            "PARTITION_RECORD",
            2,
            {
                **_named(partition),
                "replicas": replicas(partition),
                "isr": replicas(partition),
                "removingReplicas": [],
                "addingReplicas": [],
                "leader": replicas(partition)[0],
                "leaderEpoch": 0,
                "partitionEpoch": 0,
                "directories": [ANY_DIRECTORY] * 3,
            },
        )


def _single(partitions: int, records: int) -> Iterator[Sequence[Message]]:
    """The last replica leaves each ISR, and comes back when all were changed: a batch for each."""
    for number in range(records):
        turn, partition = divmod(number, partitions)
        isr = replicas(partition)[: 3 if turn % 2 else 2]
        yield [("PARTITION_CHANGE_RECORD", 2, {**_named(partition), "isr": isr})]


def _fenced(partitions: int) -> Iterator[Sequence[Message]]:
    """Broker 0 is fenced: it leaves every ISR, and where it led the next one leads."""
    messages: list[Message] = []
    for partition in range(partitions):
        if 0 in replicas(partition):
            isr = [broker for broker in replicas(partition) if broker != 0]
            change = {**_named(partition), "isr": isr}
            if replicas(partition)[0] == 0:
                change["leader"] = isr[0]
            messages.append(("PARTITION_CHANGE_RECORD", 2, change))
    messages.append(("BROKER_REGISTRATION_CHANGE_RECORD", 0, {"brokerId": 0, "brokerEpoch": 1, "fenced": 1}))
    for start in range(0, len(messages), BATCH):
        yield messages[start : start + BATCH]


def write_case(folder: Path, partitions: int, kind: str, records: int) -> int:
    """Write a log whose tail is `records` single changes, or a broker being fenced; return the records of the tail."""
    folder.mkdir(parents=True)
    start = partitions + BROKERS + 100
    told = list(_state(partitions))
    with (folder / snapshot_name(start, EPOCH - 1)).open("wb") as file:
        header: list[tuple[str, Mapping[str, Any]]] = [
            (SNAPSHOT_HEADER, {"version": 0, "lastContainedLogTimestamp": 0})
        ]
        more: dict[str, Any] = {"epoch": EPOCH - 1, "timestamp": TIME}
        file.write(encode_batch(build_control_batch(header, base_offset=0, **more)))
        for at in range(0, len(told), IN_SNAPSHOT):
            file.write(encode_batch(build_batch(told[at : at + IN_SNAPSHOT], base_offset=1 + at, **more)))
        footer: list[tuple[str, Mapping[str, Any]]] = [(SNAPSHOT_FOOTER, {"version": 0})]
        file.write(encode_batch(build_control_batch(footer, base_offset=1 + len(told), **more)))
    voters = [{"voterId": CONTROLLER}]
    leads = {"version": 0, "leaderId": CONTROLLER, "voters": voters, "grantingVoters": voters}
    offset = start + 1
    with (folder / segment_name(start)).open("wb") as file:
        change = build_control_batch([(LEADER_CHANGE, leads)], base_offset=start, epoch=EPOCH, timestamp=TIME)
        file.write(encode_batch(change))
        for messages in _fenced(partitions) if kind == "fence" else _single(partitions, records):
            file.write(encode_batch(build_batch(messages, base_offset=offset, epoch=EPOCH, timestamp=TIME)))
            offset += len(messages)
    return offset - start - 1
