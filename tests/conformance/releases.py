"""Recorded logs as an older release would have begun them, and what is appended to tell releases apart."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance.conform import Judge
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.records.passed import PASSED_THROUGH
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.model.releases import RELEASES
from fencepost.traces import MetadataLog, Record, read_log

from . import RECORDED, alter
from .alter import Message

CHANGE, REGISTRATION = "PARTITION_CHANGE_RECORD", "REGISTER_BROKER_RECORD"


class Releases:
    """Every release prepared to check logs."""

    def __init__(self) -> None:
        self.judge = Judge([one.for_logs for one in RELEASES.values()], Options(PASSED_THROUGH))

    def result(self, path: Path) -> LogResult:
        """Check a log under all of them."""
        return self.judge.log(read_log(path))

    def explaining(self, path: Path) -> list[str]:
        """Return the numbers of the releases that explain a log, newest first."""
        return [_number(name) for name in self.result(path).releases]

    def refusing(self, path: Path) -> dict[str, tuple[str, int]]:
        """Return the rule and the offset of the first violation under each release that does not explain a log."""
        return {_number(name): (one.rule, one.offset) for name, one in self.result(path).refused.items()}


def _number(name: str) -> str:
    return "4.4" if name == "kraft" else name.removeprefix("kraft@")


def at_level(scenario: str, level: int, directory: Path) -> MetadataLog:
    """Return a recorded log as if its cluster had been formatted at a lower metadata.version.

    What only a higher level has is taken out: cordoned directories. Such a change becomes a record that says nothing,
    so that every other one stays at its offset.
    """

    def lowered(message: Message) -> Message:
        type_, version, data = message
        if type_ == "FEATURE_LEVEL_RECORD" and data["name"] == "metadata.version":
            return type_, version, {**data, "featureLevel": min(level, data["featureLevel"])}
        if type_ == "BROKER_REGISTRATION_CHANGE_RECORD" and version == 3:
            return "NO_OP_RECORD", 0, {}
        if type_ == REGISTRATION and version == 4:
            return type_, 3, {name: value for name, value in data.items() if name != "cordonedLogDirs"}
        return message

    directory.mkdir(exist_ok=True)
    # Snapshots say the level that there was.
    whole = replace(read_log(RECORDED / scenario), snapshots=())
    return read_log(alter.rewritten(whole, lowered, directory))


class Cluster:
    """Three brokers at metadata.version 3.7-IV4 without eligible leader replicas, and what they do next.

    The log is that of `metadata-upgrade` up to the offset at which its level rises above that (or another); every
    release explains it. Each method appends one batch.
    """

    def __init__(self, until: int = 124, level: int = 19) -> None:
        self.log, self.until, self.level = read_log(RECORDED / "metadata-upgrade"), until, level
        self.batches: list[list[Message]] = []
        self.partitions: dict[tuple[str, int], dict[str, Any]] = {}
        self.brokers: dict[int, Message] = {}
        self.end = max(batch.last_offset for batch in self.log.batches if batch.last_offset < until) + 1
        for record in self._records():
            self._note((record.type, record.version, dict(record.data)))

    def _records(self) -> Iterable[Record]:
        for batch in self.log.batches:
            if batch.last_offset < self.until:
                yield from batch.metadata_records

    def _note(self, message: Message) -> None:
        type_, _, data = message
        if type_ == "PARTITION_RECORD":
            self.partitions[data["topicId"], data["partitionId"]] = dict(data)
        elif type_ == CHANGE:
            self.partitions[data["topicId"], data["partitionId"]].update(data)
        elif type_ == "REMOVE_TOPIC_RECORD":
            self.partitions = {key: one for key, one in self.partitions.items() if key[0] != data["topicId"]}
        elif type_ == REGISTRATION:
            self.brokers[data["brokerId"]] = message

    def append(self, *messages: Message) -> None:
        """Append a batch."""
        self.batches.append(list(messages))
        self.end += len(messages)
        for message in messages:
            self._note(message)

    def change(self, key: tuple[str, int], **fields: Any) -> Message:
        """Return a change of a partition in the version that the level asks for."""
        version = 1 if self.level < 23 else 2
        return CHANGE, version, {"topicId": key[0], "partitionId": key[1], **fields}

    def retreat(self, broker: int) -> list[Message]:
        """Return the changes by which a broker leaves every ISR, the last member staying."""
        changes = []
        for key, one in sorted(self.partitions.items(), key=lambda item: item[0][1]):
            if broker in one["isr"]:
                left = [b for b in one["isr"] if b != broker]
                fields: dict[str, Any] = {"isr": left} if left else {}
                if one["leader"] == broker:
                    fields["leader"] = next((b for b in one["replicas"] if b in left), -1)
                changes.append(self.change(key, **fields))
        return changes

    def fence(self, broker: int) -> None:
        """Fence a broker."""
        epoch = self.brokers[broker][2]["brokerEpoch"]
        fence: Message = (
            "BROKER_REGISTRATION_CHANGE_RECORD",
            0,
            {"brokerId": broker, "brokerEpoch": epoch, "fenced": 1},
        )
        self.append(*self.retreat(broker), fence)

    def registration(self, broker: int, of: int, **fields: Any) -> Message:
        """Return a registration like that of a broker, but for its id, its epoch and some fields."""
        type_, version, data = self.brokers[of]
        fresh = {"brokerId": broker, "brokerEpoch": self.end, "fenced": True, "inControlledShutdown": False}
        return type_, max(3, version), {**data, **fresh, **fields}

    def join(self, broker: int) -> str:
        """Register and unfence a new broker; its directory is returned."""
        directory, self_ = "D" * 21 + "w", "I" * 21 + "w"
        epoch = self.end
        self.append(self.registration(broker, of=0, incarnationId=self_, logDirs=[directory]))
        unfence = {"brokerId": broker, "brokerEpoch": epoch, "fenced": -1}
        self.append(("BROKER_REGISTRATION_CHANGE_RECORD", 0, unfence))
        return directory

    def directories(self, *brokers: int) -> list[str]:
        """Return the only directory of each broker."""
        return [self.brokers[broker][2]["logDirs"][0] for broker in brokers]

    def written(self, directory: Path) -> Path:
        """Write the log with what was appended."""
        directory.mkdir(exist_ok=True)
        return alter.continued(self.log, self.until, self.batches, directory)
