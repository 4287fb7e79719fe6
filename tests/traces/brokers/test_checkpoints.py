"""The text files of a broker's log directory: read, written, and refused where they are damaged."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.traces import TraceError
from fencepost.traces.brokers import (
    EpochEntry,
    PartitionMetadata,
    format_leader_epochs,
    format_offsets,
    format_partition_metadata,
    parse_leader_epochs,
    parse_offsets,
    parse_partition_metadata,
)
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "kill-nine-data-4.4.0" / "brokers"
EPOCHS, OFFSETS = st.integers(0, 2**31 - 1), st.integers(0, 2**63 - 1)
TOPICS = st.text("abcXYZ019._-", min_size=1, max_size=20)


@given(st.lists(st.builds(EpochEntry, EPOCHS, OFFSETS), max_size=8))
def test_leader_epochs_round_trip(entries: list[EpochEntry]) -> None:
    """Any entries that are written are read back, in their order."""
    assert parse_leader_epochs(format_leader_epochs(entries), "f") == tuple(entries)


@given(st.dictionaries(st.tuples(TOPICS, EPOCHS), OFFSETS, max_size=8))
def test_offsets_round_trip(offsets: dict[tuple[str, int], int]) -> None:
    """Any offsets that are written are read back."""
    assert parse_offsets(format_offsets(offsets), "f") == offsets


@given(st.builds(PartitionMetadata, st.integers(0, 1), st.text("abcXYZ019_-", min_size=22, max_size=22)))
def test_partition_metadata_round_trips(found: PartitionMetadata) -> None:
    """Any partition.metadata that is written is read back."""
    assert parse_partition_metadata(format_partition_metadata(found), "f") == found


def test_what_kafka_wrote_is_written_again() -> None:
    """Every checkpoint and partition.metadata that Kafka 4.4.0 wrote is read, and written again byte by byte."""
    seen = {"leader": 0, "offset": 0, "metadata": 0}
    for file in sorted(RECORDED.rglob("*")):
        text = file.read_text() if file.suffix in (".metadata", "") and file.is_file() else ""
        if not text or file.name.startswith("."):
            continue  # an offset checkpoint that was never written is empty
        if file.name == "leader-epoch-checkpoint":
            assert format_leader_epochs(parse_leader_epochs(text, str(file))) == text
            seen["leader"] += 1
        elif file.name.endswith("-offset-checkpoint"):
            assert format_offsets(parse_offsets(text, str(file))) == text
            seen["offset"] += 1
        elif file.name == "partition.metadata":
            assert format_partition_metadata(parse_partition_metadata(text, str(file))) == text
            seen["metadata"] += 1
    assert seen == {"leader": 12, "offset": 8, "metadata": 12}


def test_an_empty_checkpoint_has_no_entries() -> None:
    """A checkpoint that Kafka opened and never wrote is empty, and says nothing."""
    assert parse_offsets("", "f") == {}
    assert parse_leader_epochs("", "f") == ()


@each(
    ("text", "told"),
    [
        ("0\n", "a checkpoint begins with its version and the number of its entries"),
        ("1\n0\n", "the first line says version '1', and checkpoints have version 0"),
        ("0\nmany\n", "line 2 has 'many' where a number should be"),
        ("0\n2\n0 0\n", "the second line says 2 entries, and 1 follow"),
        ("0\n1\n0 0 0\n", "line 3 should have 2 words, and is '0 0 0'"),
        ("0\n1\n0 x\n", "line 3 has 'x' where a number should be"),
        ("0\n1\n-1 0\n", "line 3 has -1, which is not between 0 and 2147483647"),
        ("0\n1\n4294967296 0\n", "line 3 has 4294967296, which is not between 0 and 2147483647"),
        ("0\n1\n1 \u0663\n", "line 3 has '\u0663' where a number should be"),
    ],
)
def test_damaged_leader_epochs_are_one_sentence(text: str, told: str) -> None:
    """A damaged leader-epoch-checkpoint is refused in one line that names file and line."""
    with pytest.raises(TraceError) as refused:
        parse_leader_epochs(text, "b/leader-epoch-checkpoint")
    assert str(refused.value).startswith(f"b/leader-epoch-checkpoint: {told}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0\n2\nt 0 5\nt 0 6\n", "line 4 names t-0 again"),
        ("0\n1\nt/u 0 5\n", "line 3 has 't/u' where a topic's name should be"),
        ("0\n1\nt 0 -5\n", "line 3 has -5, which is not between 0 and"),
    ],
)
def test_damaged_offsets_are_one_sentence(text: str, told: str) -> None:
    """A damaged checkpoint of offsets is refused in one line."""
    with pytest.raises(TraceError, match="^c: " + told):
        parse_offsets(text, "c")


@each(
    ("text", "told"),
    [
        ("", "it should have two lines, version and topic_id, and has empty"),
        ("version: 0\n", "it should have two lines"),
        ("version: 2\ntopic_id: " + "A" * 22, "its version is 2, and 0 and 1 are known"),
        ("version: 0\ntopic_id: short", "'short' is no topic id"),
        ("version: x\ntopic_id: " + "A" * 22, "line 1 has 'x' where a number should be"),
    ],
)
def test_damaged_partition_metadata_is_one_sentence(text: str, told: str) -> None:
    """A damaged partition.metadata is refused in one line."""
    with pytest.raises(TraceError, match="^p: " + told):
        parse_partition_metadata(text, "p")
