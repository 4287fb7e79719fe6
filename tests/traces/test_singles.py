"""Batches of one record each that are read together are those that reading one by one gives."""

import io
from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.traces import Batch, Item, build_batch, build_control_batch, encode_batch, singles
from fencepost.traces.batches import CHECKED_FROM, HEADER_SIZE
from fencepost.traces.crc32c import crc32c
from fencepost.traces.primitives import uuid_text
from fencepost.traces.record_types import LEADER_CHANGE
from fencepost.traces.segments import scan
from fencepost.traces.singles import SingleBatches

CHANGE, NO_OP = "PARTITION_CHANGE_RECORD", "NO_OP_RECORD"
TOPIC = uuid_text(bytes([7] * 16))


def written(random: Random, batches: int) -> bytes:
    """A segment of batches most of which have one change of a partition, behind what any reader needs to know it."""
    data, offset, epoch, time = b"", 0, 3, 1_700_000_000_000
    for _ in range(batches):
        kind = random.random()
        messages: list[tuple[str, int, dict[str, Any]]] = [change(random) for _ in range(1 if kind < 0.96 else 3)]
        if kind > 0.98:
            messages = [(NO_OP, 0, {})]
        if kind < 0.02:
            epoch += 1
            leads = {"version": 0, "leaderId": 1, "voters": [], "grantingVoters": []}
            batch = build_control_batch([(LEADER_CHANGE, leads)], base_offset=offset, epoch=epoch, timestamp=time)
        else:
            batch = build_batch(messages, base_offset=offset, epoch=epoch, timestamp=time)
        data += encode_batch(batch)
        offset = batch.last_offset + 1 + (kind > 0.95 and kind < 0.955) * 2
        time += random.choice((0, 0, 1, 2000, -5))
    return data


def change(random: Random) -> tuple[str, int, dict[str, Any]]:
    """A change of some partition, of one of several lengths."""
    isr = random.sample(range(300), random.randrange(1, 40))
    return (
        CHANGE,
        2 if random.random() < 0.05 else 0,
        {"partitionId": random.randrange(1000), "topicId": TOPIC, "isr": isr},
    )


def plain(batches: int) -> bytes:
    """A segment of batches of one change each, a second apart."""
    told = (
        build_batch([(CHANGE, 0, {"partitionId": at, "topicId": TOPIC})], base_offset=at, epoch=1, timestamp=1000 * at)
        for at in range(batches)
    )
    return b"".join(map(encode_batch, told))


def said(item: Item) -> Any:
    """What an item says, but for its place in the file."""
    if not isinstance(item, Batch):
        return item
    times = item.base_timestamp, item.max_timestamp
    return item.base_offset, item.last_offset, item.epoch, item.is_control, tuple(item.records), times, item.count


def singly(items: Sequence[Item]) -> Iterator[Item]:
    """The items with those read together one by one."""
    for item in items:
        yield from item.singly() if isinstance(item, SingleBatches) else (item,)


def read(data: bytes, types: Collection[str]) -> list[Item]:
    """The items of a segment where batches of some types of records may be read together."""
    with patch.object(singles, "FEWEST", 4), patch.object(singles, "_MOST", 50):
        return list(scan(io.BytesIO(data), "one.log", joins=lambda: types))


@pytest.mark.parametrize("seed", range(12))
def test_batches_read_together_are_those_read_one_by_one(seed: int) -> None:
    """Batches, gaps and damaged ranges are the same with and without it; some are read together, of no other type."""
    random = Random(seed)
    data = bytearray(written(random, 300))
    for _ in range(seed % 4):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    found = read(bytes(data), (CHANGE,))
    together = [one for one in found if isinstance(one, SingleBatches)]
    assert sum(one.count for one in together) > 100
    assert all(set(one.types) == {CHANGE} and one.count == len(one.records) >= 4 for one in together)
    assert [said(one) for one in singly(found)] == [said(one) for one in read(bytes(data), ())]
    assert not any(isinstance(one, SingleBatches) for one in read(bytes(data), (NO_OP,)))


def test_a_part_of_batches_has_their_offsets_and_times() -> None:
    """A part of some batches is what these batches are by themselves."""
    (all_of_them,) = read(plain(20), (CHANGE,))
    assert isinstance(all_of_them, SingleBatches)
    part, mine = all_of_them.part(3, 9), list(all_of_them.singly())[3:9]
    assert list(map(said, part.singly())) == list(map(said, mine))
    assert (part.base_offset, part.last_offset) == (mine[0].base_offset, mine[-1].last_offset)
    assert (part.base_timestamp, part.max_timestamp) == (mine[0].base_timestamp, mine[-1].max_timestamp)


def test_a_changed_switch_counts_from_the_next_batch_on() -> None:
    """What may be read together is asked behind each item anew."""
    asked = iter([(), (), (CHANGE,)])
    with patch.object(singles, "FEWEST", 4):
        found = list(scan(io.BytesIO(plain(60)), "one.log", joins=lambda: next(asked, ())))
    assert [one.count for one in found if isinstance(one, Batch)] == [1, 1, 58]


def test_a_batch_with_another_number_of_records_is_not_among_them() -> None:
    """A header that says two records where one is there is as damaged as without others around it."""
    batch = bytearray(
        encode_batch(
            build_batch([(CHANGE, 0, {"partitionId": 1, "topicId": TOPIC})], base_offset=20, epoch=1, timestamp=20_000)
        )
    )
    batch[HEADER_SIZE - 4 : HEADER_SIZE] = (2).to_bytes(4)
    batch[17:CHECKED_FROM] = crc32c(bytes(batch[CHECKED_FROM:])).to_bytes(4)
    data = plain(20) + bytes(batch)
    assert list(map(said, singly(read(data, (CHANGE,))))) == list(map(said, read(data, ())))
