"""Records of a log by type, topic, partition, broker, time and offset: in `show LOG`, and the same in `story`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.traces import read_log
from tests.widths import too_wide

Says = Callable[..., Any]


@pytest.fixture
def log(recorded: Path) -> Path:
    """A recording of 247 offsets with reassignments."""
    return recorded / "reassignment"


def offsets(fencepost_says: Says, *arguments: object) -> list[int]:
    """The offsets of the records that `show` lists."""
    said = fencepost_says("show", *arguments, "--json")
    assert said.code == 0
    return [one["offset"] for one in said.document["records"]]


def _of_topic(log: Path, name: str) -> dict[int, dict[str, Any]]:
    """The records about a topic by their offsets, found by their ids alone."""
    records = [record for batch in read_log(log).batches for record in batch.metadata_records]
    ids = {one.data["topicId"] for one in records if one.type == "TOPIC_RECORD" and one.data["name"] == name}
    found = [one for one in records if one.data.get("topicId") in ids or one.data.get("resourceName") == name]
    return {one.offset: {"type": one.type, **one.data} for one in found}


def test_each_filter_lists_what_it_says(fencepost_says: Says, log: Path) -> None:
    """By topic, partition, type and offset, alone and together, as a reading of the records by their ids finds them."""
    of_topic = _of_topic(log, "r")
    assert offsets(fencepost_says, log, "--topic", "r") == list(of_topic)
    of_third = [at for at, one in of_topic.items() if one.get("partitionId") == 3]
    assert offsets(fencepost_says, log, "--partition", "r-3") == of_third
    changes = [at for at in of_third if of_topic[at]["type"] == "PARTITION_CHANGE_RECORD"]
    assert offsets(fencepost_says, log, "--partition", "r-3", "--type", "PartitionChange") == changes
    between = [at for at in changes if 100 <= at <= 200]
    assert between
    both = (log, "--partition", "r-3", "--type", "partition_change_record", "--from", "100", "--to", "200")
    assert offsets(fencepost_says, *both) == between


def test_a_time_counts_as_it_does_elsewhere(fencepost_says: Says, log: Path) -> None:
    """Two times stand for the records between them, of the log's own day."""
    found = fencepost_says("show", log, "--from", "07:13:02", "--to", "07:13:05", "--json").document["records"]
    assert found
    assert all("2026-11-21T07:13:02" <= one["time"] < "2026-11-21T07:13:06" for one in found)
    everything = offsets(fencepost_says, log, "--from", "0", "--to", "end")
    assert [one for one in everything if found[0]["offset"] <= one <= found[-1]["offset"]] == [
        one["offset"] for one in found
    ]


def test_records_of_a_broker_name_it(fencepost_says: Says, log: Path) -> None:
    """Every record listed of a broker has its id in one of its fields, and its registrations are among them."""
    found = fencepost_says("show", log, "--broker", "4", "--json").document["records"]
    assert {"REGISTER_BROKER_RECORD", "PARTITION_CHANGE_RECORD"} <= {one["type"] for one in found}
    for one in found:
        data = one["data"]
        named = [
            data.get("brokerId"),
            data.get("leader"),
            *(x for v in data.values() if isinstance(v, list) for x in v),
        ]
        assert 4 in named


def test_a_story_has_the_same_records_as_the_list(fencepost_says: Says, log: Path) -> None:
    """`story --type` tells of the offsets that `show --type` lists."""
    listed = offsets(fencepost_says, log, "--type", "RegisterBroker")
    told = fencepost_says("story", log, "--type", "RegisterBroker", "--no-rows", "--json").document
    assert told["about"]["types"] == ["REGISTER_BROKER_RECORD"]
    assert len(told["events"]) == len(listed)
    assert all(one["offset"] <= at <= one["last_offset"] for one, at in zip(told["events"], listed, strict=True))


def test_a_moment_is_a_time_or_the_end_in_show(fencepost_says: Says, log: Path) -> None:
    """`--at` takes a time and `end`, and shows the state after the last record that counts."""
    assert fencepost_says("show", log, "--at", "end", "--json").document["offset"] == 246
    at = fencepost_says("show", log, "--at", "07:13:02.7", "--json").document
    assert at["offset"] == 170
    assert at["state"] == fencepost_says("show", log, "--at", "170", "--json").document["state"]


def test_secrets_are_not_listed(fencepost_says: Says, recorded: Path) -> None:
    """Salts and keys of credentials are hidden, on the page and in JSON."""
    said = fencepost_says("show", recorded / "scram-bootstrap-4.4.0", "--type", "UserScramCredential", "--json")
    found = said.document["records"]
    assert found
    assert {one["data"][name] for one in found for name in ("salt", "storedKey", "serverKey")} == {"[hidden]"}


def test_the_list_fits_in_100_columns(fencepost_says: Says, log: Path) -> None:
    """No line of the list is wider than the terminal; a partition is named as Kafka prints it."""
    said = fencepost_says("show", log, "--partition", "r-3")
    assert too_wide(said.out) == []
    assert "  PARTITION_RECORD v" in said.out
    assert "  r-3  {" in said.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--type", "PartitonChange"), "near it are"),
        (("--topic", "nowhere"), "there is no topic nowhere"),
        (("--partition", "r-99"), "topic r never had a partition r-99"),
        (("--broker", "99"), "nothing is said of broker 99; the brokers are 0, 1, 2, 3, 4"),
        (("--from", "20", "--to", "10"), "--from 20 is behind --to 10"),
        (("--at", "20", "--topic", "r"), "--topic lists records, and --at shows the state after one"),
        (("--from", "yesterday"), "give an offset, a time such as"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    fencepost_says: Says, log: Path, options: tuple[str, ...], sentence: str
) -> None:
    """A type, topic, partition, broker or moment that there is none of ends with 2 and one sentence."""
    said = fencepost_says("show", log, *options)
    assert said.code == 2
    assert sentence in said.sentence
