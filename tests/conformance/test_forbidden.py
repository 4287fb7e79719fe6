"""Real logs with forbidden records: each is found at its offset, with what is wrong."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import conform
from fencepost.traces import MetadataLog, read_log

from . import RECORDED, alter
from .alter import Message

NOBODY_KNOWS = "AAAAAAAAAAAAAAAAAAAAZw"
"""The id of a topic or directory that no record of these logs names."""

LOST = "AAAAAAAAAAAAAAAAAAAAAg"


@cache
def recorded(scenario: str) -> MetadataLog:
    """Return the first segment of a recorded log."""
    return read_log(RECORDED / scenario / "00000000000000000000.log")


def at(scenario: str, offset: int, **changed: Any) -> Message:
    """Return a record of a recorded log as a message, with other values."""
    found = next(r for r in alter.batch_at(recorded(scenario), offset).metadata_records if r.offset == offset)
    return found.type, found.version, {**found.data, **changed}


def lying(scenario: str, offset: int, change: Callable[[dict[str, Any]], dict[str, Any]], directory: Path) -> Path:
    """Write a recorded log up to the batch of one record, with the data of that record changed."""
    log = recorded(scenario)
    place = [r.offset for r in alter.batch_at(log, offset).metadata_records].index(offset)

    def other(messages: list[Message]) -> list[Message]:
        kind, version, data = messages[place]
        return [*messages[:place], (kind, version, change(dict(data))), *messages[place + 1 :]]

    return alter.ending_with(log, offset, other, directory)


class Told:
    """What `fencepost conform` says of a log: its verdict, rule, offset and sentences of each violation, no causes."""

    def __init__(self, directory: Path) -> None:
        result = conform([directory], None, causes=False)
        self.code = result.exit_code
        (log,) = (one.as_json() for one in result.logs)
        self.verdict = log["verdict"]
        self.found = [(one["rule"], one["offset"]) for one in log["violations"]]
        self.says = [" ".join((one["message"], one["entity"], *one["screen"])) for one in log["violations"]]

    def assert_found(self, rule: str, offset: int, *said: str) -> None:
        """Check that the first that is wrong is this rule at this offset, and what is said of it."""
        assert (self.verdict, self.code) == ("violates", 6)
        assert self.found[0] == (rule, offset)
        for text in said:
            assert text in self.says[0]


# -- topics ------------------------------------------------------------------------------------------------------------
def test_a_change_of_a_topic_that_was_removed(tmp_path: Path) -> None:
    """The topic that 73 removes gets a change of its partition in the same batch: found at 74, where it is gone."""
    log, topic = recorded("delete-recreate"), at("delete-recreate", 73)[2]["topicId"]
    change: Message = ("PARTITION_CHANGE_RECORD", 2, {"partitionId": 0, "topicId": topic, "isr": [0]})
    whole = Told(alter.ending_with(log, 73, lambda messages: messages, tmp_path / "whole"))
    assert (whole.verdict, whole.found) == ("conforms", [])
    said = Told(alter.ending_with(log, 73, lambda messages: [*messages, change], tmp_path / "changed"))
    said.assert_found("unexplained", 74, f"{topic}-0", "replicas []")
    assert said.found == [("unexplained", 74)]


def test_a_change_of_a_topic_that_nobody_knows(tmp_path: Path) -> None:
    """A change that names a topic which was never made is found there, with the partition that it names."""
    said = Told(lying("reassignment", 60, lambda data: {**data, "topicId": NOBODY_KNOWS}, tmp_path))
    said.assert_found("unexplained", 60, f"{NOBODY_KNOWS}-1", "= none")


def test_a_second_topic_of_one_name(tmp_path: Path) -> None:
    """A topic that is made while another has its name is found at its TOPIC_RECORD."""
    log = recorded("reassignment")
    said = Told(lying("reassignment", 40, lambda data: {**data, "name": "r"}, tmp_path / "renamed"))
    said.assert_found("unexplained", 40, "its guard asks not name_taken")
    again = [("TOPIC_RECORD", 0, {"name": "r", "topicId": NOBODY_KNOWS}), at("reassignment", 35, topicId=NOBODY_KNOWS)]
    said = Told(alter.ending_with(log, 34, lambda messages: [*messages, *again], tmp_path / "again"))
    said.assert_found("unexplained", 40, NOBODY_KNOWS, "its guard asks not name_taken")


# -- producer ids ------------------------------------------------------------------------------------------------------
def test_a_block_of_producer_ids_given_twice(tmp_path: Path) -> None:
    """The block that 98 gives to broker 2, given again at 99, or already given at 97: found at the second one."""
    log = recorded("snapshots")
    said = Told(alter.ending_with(log, 98, lambda messages: messages * 2, tmp_path / "again"))
    said.assert_found("unexplained", 99, "it writes next 3000, the log 2000")
    assert said.found == [("unexplained", 99)]
    said = Told(alter.ending_with(log, 98, lambda _: [at("snapshots", 98, nextProducerId=1000)], tmp_path / "former"))
    said.assert_found("unexplained", 98, "it writes next 2000, the log 1000")


# -- brokers -----------------------------------------------------------------------------------------------------------
@pytest.mark.representative("alone")
@pytest.mark.parametrize(("offset", "epoch"), [(125, 125), (183, 182)], ids=["alone", "behind changed partitions"])
def test_a_new_registration_with_an_older_epoch(offset: int, epoch: int, tmp_path: Path) -> None:
    """A broker that comes back under an epoch which is not the log's end is found at its registration."""
    said = Told(lying("reassignment", offset, lambda data: {**data, "brokerEpoch": 23}, tmp_path))
    said.assert_found("unexplained", offset, f"it writes epoch {epoch}, the log 23")


# -- partitions --------------------------------------------------------------------------------------------------------
def test_an_eligible_leader_that_is_in_the_isr(tmp_path: Path) -> None:
    """That broker 1 stays in the ISR and is listed among the eligible leader replicas is found at 149."""
    said = Told(lying("suspects-4.4.0", 149, lambda data: {**data, "eligibleLeaderReplicas": [1, 2]}, tmp_path / "1"))
    said.assert_found("unexplained", 149, "it writes elr {2}, the log {1, 2}")
    said = Told(lying("suspects-4.4.0", 149, lambda data: {**data, "isr": [1, 2]}, tmp_path / "2"))
    said.assert_found("unexplained", 149, "it writes isr [1], the log [1, 2]")


def test_an_empty_isr_with_a_leader(tmp_path: Path) -> None:
    """The last member leaves the ISR and leads on, said outright or by leaving the leader out: found at 89."""
    said = Told(lying("reassignment", 89, lambda data: {**data, "leader": 4}, tmp_path / "said"))
    said.assert_found("unexplained", 89, "it writes leader none, the log 4")

    def silent(data: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in data.items() if name != "leader"}

    said = Told(lying("reassignment", 89, silent, tmp_path / "silent"))
    said.assert_found("unexplained", 89, "it writes leader none, the log not given")


@pytest.mark.representative("moved")
@pytest.mark.parametrize(
    ("offset", "changed", "says"),
    [
        (49, {"isr": [0, 1]}, "adding {3}"),
        (61, {"isr": [0]}, "adding {1}"),
        (60, {"addingReplicas": []}, "it writes adding not given, the log {}"),
        (73, {"addingReplicas": []}, "it writes adding not given, the log {}"),
    ],
    ids=["swapped", "moved", "one of two", "one of two more"],
)
def test_a_reassignment_that_ends_without_whom_it_adds(
    offset: int, changed: dict[str, Any], says: str, tmp_path: Path
) -> None:
    """A reassignment whose end comes before all that it adds are in the ISR is found where it ends."""
    said = Told(lying("reassignment", offset, lambda data: {**data, **changed}, tmp_path))
    said.assert_found("unexplained", offset, says)


# -- directories -------------------------------------------------------------------------------------------------------
def _elsewhere(place: int, directory: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def change(data: dict[str, Any]) -> dict[str, Any]:
        kept = data["directories"]
        return {**data, "directories": [*kept[:place], directory, *kept[place + 1 :]]}

    return change


@pytest.mark.representative("another's-reassigned")
@pytest.mark.parametrize(
    ("offset", "place"), [(35, 0), (47, 2), (49, 0)], ids=["created", "reassigned", "reassignment ended"]
)
@pytest.mark.parametrize("directory", [NOBODY_KNOWS, "a-OnUOvRIs6dUFz0JSzRrQ"], ids=["nobody's", "another's"])
def test_a_replica_in_a_directory_that_its_broker_never_registered(
    offset: int, place: int, directory: str, tmp_path: Path
) -> None:
    """A replica in a directory that is unknown, or broker 4's, is found at the record that puts it there."""
    said = Told(lying("reassignment", offset, _elsewhere(place, directory), tmp_path))
    said.assert_found("unexplained", offset, "it writes directories", directory)


@pytest.mark.parametrize("directory", [NOBODY_KNOWS, "rpuf4BBwSm5PqnPYWsCjKg"], ids=["nobody's", "another's"])
def test_an_assignment_to_a_directory_that_its_broker_never_registered(directory: str, tmp_path: Path) -> None:
    """Broker 1 may say so, but then it leaves the ISR: that it stays, is found at the assignment, 61."""
    said = Told(lying("suspects-4.4.0", 61, _elsewhere(0, directory), tmp_path))
    said.assert_found("unexplained", 61, "AD4", "it would also write PartitionChange")


@pytest.mark.representative("reserved-clean restart")
@pytest.mark.parametrize(
    ("scenario", "offset"),
    [("reassignment", 19), ("reassignment", 125), ("reassignment", 183), ("suspects-4.4.0", 162)],
    ids=["first", "clean restart", "unclean restart", "unclean restart, 4.4"],
)
@pytest.mark.parametrize("whose", ["another's", "reserved", "none"])
def test_a_registration_with_directories_that_no_broker_may_have(
    scenario: str, offset: int, whose: str, tmp_path: Path
) -> None:
    """Another broker's directory, a reserved one or none at all is found at the registration that names it."""
    another = at("reassignment", 16)[2]["logDirs"] if scenario == "reassignment" else ["mkWscW0ieWTtWr7_Lfwr0A"]
    named = {"another's": another, "reserved": [LOST], "none": []}[whose]
    said = Told(lying(scenario, offset, lambda data: {**data, "logDirs": named}, tmp_path))
    said.assert_found("unexplained", offset, "REGISTER_BROKER_RECORD")
