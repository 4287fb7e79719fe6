"""Real logs hurt on purpose, one wound at a time: each is found where it is, by its rule, with its exit code."""

from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance import conform
from fencepost.traces import MetadataLog, read_log

from . import RECORDED, alter
from .alter import Message


@pytest.fixture(scope="module")
def rolling() -> MetadataLog:
    """A recorded log of four brokers restarted one after the other."""
    return alter.until(read_log(RECORDED / "rolling-restart"), 150)


@pytest.fixture(scope="module")
def killed() -> MetadataLog:
    """A recorded log in which a broker dies: at 77 to 82 its six partitions change, at 83 it is fenced."""
    return read_log(RECORDED / "kill-nine-elr")


class Told:
    """What `fencepost conform` says of a directory: its exit code, and of its one log all but causes."""

    def __init__(self, directory: Path) -> None:
        result = conform([directory], None, causes=False)
        self.code = result.exit_code
        (log,) = (one.as_json() for one in result.logs)
        self.log: dict[str, Any] = log
        self.found = [(v["rule"], v["offset"]) for v in log["violations"]]

    def assert_violates(self, rule: str, offset: int, *said: str) -> None:
        """Check that the first that is wrong is this rule at this offset, and what its sentence and screen say."""
        assert (self.log["verdict"], self.code) == ("violates", 6)
        assert self.found[0] == (rule, offset)
        first = self.log["violations"][0]
        shown = "\n".join([first["message"], first["entity"], *first["screen"]])
        for text in said:
            assert text in shown

    def assert_conforms(self) -> None:
        """Check that nothing is wrong: what a test finds is then due to what it alters."""
        assert (self.log["verdict"], self.code, self.found) == ("conforms", 0, [])


# -- what a record says ------------------------------------------------------------------------------------------------
def test_a_leader_outside_the_isr(rolling: MetadataLog, tmp_path: Path) -> None:
    """Broker 3 leaves a partition whose ISR is then 1 and 4: that it leads nevertheless is found at 111."""
    said = Told(alter.with_record(rolling, 111, lambda data: {**data, "leader": 3}, tmp_path))
    said.assert_violates("unexplained", 111, "it writes leader 4, the log 3")


def test_the_next_leader_is_the_first_of_the_list(rolling: MetadataLog, tmp_path: Path) -> None:
    """Of replicas 3, 4, 1 the 3 leaves: the next leader 1 is in the ISR, but 4 is before it; found at 111."""
    said = Told(alter.with_record(rolling, 111, lambda data: {**data, "leader": 1}, tmp_path))
    said.assert_violates("unexplained", 111, "it writes leader 4, the log 1")


def test_an_isr_member_that_is_no_replica(rolling: MetadataLog, tmp_path: Path) -> None:
    """A partition of replicas 3, 4, 1 whose ISR also gains broker 2, which is up, is found at 129."""
    said = Told(alter.with_record(rolling, 129, lambda data: {**data, "isr": [1, 2, 3, 4]}, tmp_path))
    said.assert_violates("unexplained", 129)


def test_a_fenced_broker_put_into_an_isr(rolling: MetadataLog, tmp_path: Path) -> None:
    """The change that lets broker 3 back into an ISR at 130, written at 117 when it is fenced, is found there."""
    joins = next(r for r in alter.batch_at(rolling, 130).metadata_records if r.offset == 130)
    message: Message = (joins.type, joins.version, joins.data)
    alter.ending_with(rolling, 128, lambda messages: [messages[0], message], tmp_path / "unfenced")
    Told(tmp_path / "unfenced").assert_conforms()
    alter.ending_with(rolling, 117, lambda messages: [message], tmp_path / "fenced")
    Told(tmp_path / "fenced").assert_violates("unexplained", 117)


@pytest.mark.representative("another broker's")
@pytest.mark.parametrize(
    ("offset", "epoch", "registered"), [(53, 15, 16), (62, 16, 61)], ids=["another broker's", "its former one"]
)
def test_a_broker_epoch_that_is_not_the_registered_one(
    offset: int, epoch: int, registered: int, rolling: MetadataLog, tmp_path: Path
) -> None:
    """Broker 1 is fenced, or brought up again, under an epoch that it does not have: found with both epochs."""
    said = Told(alter.with_record(rolling, offset, lambda data: {**data, "brokerEpoch": epoch}, tmp_path))
    said.assert_violates("unexplained", offset, "broker 1", f"epoch {registered}, the log {epoch}")


# -- what belongs together ---------------------------------------------------------------------------------------------
def test_a_fence_without_the_change_of_its_partitions(killed: MetadataLog, tmp_path: Path) -> None:
    """A broker that is fenced while partitions keep it in their ISR is found at the fence, with such a partition."""
    alter.ending_with(killed, 77, lambda messages: messages, tmp_path / "whole")
    Told(tmp_path / "whole").assert_conforms()
    alter.ending_with(killed, 77, lambda messages: messages[-1:], tmp_path / "alone")
    Told(tmp_path / "alone").assert_violates("unexplained", 77, "broker 0", "it would also write PartitionChange")


def test_a_fence_that_lacks_one_of_its_partitions(killed: MetadataLog, tmp_path: Path) -> None:
    """Five of the six partitions before the fence are not enough: found at the fence, which is then 82."""
    alter.ending_with(killed, 77, lambda messages: [*messages[:3], *messages[4:]], tmp_path)
    Told(tmp_path).assert_violates("unexplained", 82, "it would also write PartitionChange")


def test_a_fence_before_the_change_of_its_partitions(killed: MetadataLog, tmp_path: Path) -> None:
    """The records of one result in another order, the fence first, are found at the fence."""
    alter.ending_with(killed, 77, lambda messages: [messages[-1], *messages[:-1]], tmp_path)
    Told(tmp_path).assert_violates("unexplained", 77, "broker 0")


# -- batches and bytes -------------------------------------------------------------------------------------------------
def test_a_batch_removed(rolling: MetadataLog, tmp_path: Path) -> None:
    """Without the batch 62 to 64 there is a gap, found at 65."""
    said = Told(alter.without_batch(rolling, 62, tmp_path))
    said.assert_violates("gap", 65, "offsets 62 to 64 are missing")


def test_a_batch_repeated(rolling: MetadataLog, tmp_path: Path) -> None:
    """The batch 72 to 80 that comes a second time is found at 72, and nothing else is."""
    said = Told(alter.with_batch_twice(rolling, 72, tmp_path))
    said.assert_violates("order", 72, "come a second time")
    assert said.found == [("order", 72)]


def test_one_flipped_byte(rolling: MetadataLog, tmp_path: Path) -> None:
    """A batch whose checksum fails is unreadable: undecided with its bytes and offsets, exit code 3."""
    batch = alter.batch_at(rolling, 106)
    said = Told(alter.with_byte_flipped(rolling, 106, tmp_path))
    start, end = batch.position, batch.position + batch.size
    assert (said.log["verdict"], said.code, said.found) == ("undecided", 3, [])
    (range_,) = said.log["quarantined"]
    assert (range_["kind"], range_["start"], range_["end"]) == ("crc", start, end)
    assert (range_["first_offset"], range_["last_offset"]) == (106, 113)
    assert f"bytes {start} to {end}" in said.log["undecided"][0]["message"]


def test_a_torn_tail(rolling: MetadataLog, tmp_path: Path) -> None:
    """A file that ends inside its last batch is undecided from that batch's first byte on, exit code 3."""
    last = rolling.batches[-1]
    said = Told(alter.torn(rolling, 7, tmp_path))
    assert (said.log["verdict"], said.code, said.found) == ("undecided", 3, [])
    (range_,) = said.log["quarantined"]
    assert (range_["kind"], range_["start"]) == ("torn", last.position)
    assert range_["end"] == last.position + last.size - 7
    assert said.log["end_offset"] == last.base_offset
