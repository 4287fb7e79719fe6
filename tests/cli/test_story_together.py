"""`fencepost story` of batches of one record each: those replayed together are reported as if each was by itself."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from fencepost.checkers.bench.conform_logs import write_case
from fencepost.checkers.operations.about import About
from fencepost.checkers.operations.moments import END, When
from fencepost.checkers.operations.results import Results
from fencepost.checkers.operations.story import NAMED, story
from fencepost.traces import Batch, LogSource, Record, build_batch, encode_batch, find_log, iterate_log, singles

BROKERS = 8


def altered(folder: Path, random: Random, partitions: int, soon: float) -> LogSource:
    """A log of single changes in another order, with leaders and times of their own."""
    write_case(folder, partitions, "single", 3000)
    (path,) = folder.glob("*.log")
    data, last, time = b"", 0, 0
    for item in iterate_log(find_log(str(folder))):
        assert isinstance(item, Batch)
        (record,) = item.records
        if not isinstance(record, Record):
            data += encode_batch(item)
            last, time = item.last_offset, item.max_timestamp
            continue
        time += 1 if random.random() < soon else random.choice((1000, 1001, 5000, -3000))
        data += encode_batch(
            build_batch(changes(random, record.data), base_offset=last + 1, epoch=item.epoch, timestamp=time)
        )
        last += 1
        if random.random() < 0.002:
            noted = build_batch([("NO_OP_RECORD", 0, {})], base_offset=last + 1, epoch=item.epoch, timestamp=time)
            data, last = data + encode_batch(noted), last + 1
    path.write_bytes(data)
    return find_log(str(folder))


def changes(random: Random, data: dict[str, Any]) -> list[tuple[str, int, Mapping[str, Any]]]:
    """One record: that of the log, one that moves the leader, or one of any partition, which may follow at once."""
    kind = random.random()
    if kind < 0.02:
        data = {**data, "leader": random.randrange(BROKERS)}
    elif kind < 0.03:
        data = {name: one for name, one in data.items() if name != "isr"}
    elif kind < 0.04:
        data = {**data, "partitionId": 0}
    return [("PARTITION_CHANGE_RECORD", 2, data)]


def told(source: LogSource, most: int = 20, partitions: bool = True) -> dict[str, Any]:
    """The story of a log without lanes."""
    return story(
        source, When("0", offset=0), When(END), About(), most=most, with_lanes=False, with_partitions=partitions
    )


@pytest.mark.parametrize(("seed", "partitions", "soon"), [(1, 400, 1), (2, 400, 0.99), (3, 900, 0.999), (4, 30, 1)])
def test_batches_told_together_are_told_as_one_by_one(tmp_path: Path, seed: int, partitions: int, soon: float) -> None:
    """The whole document is the same where no batch may be read together, and where many are."""
    source = altered(tmp_path / "log", Random(seed), partitions, soon)
    together: list[int] = []
    whole = Results._together

    def counted(self: Results, batches: singles.SingleBatches) -> None:
        together.append(batches.count)
        whole(self, batches)

    with patch.object(Results, "_together", counted):
        found = told(source)
    assert sum(together) > 1500 or partitions < 100
    with patch.object(Results, "_joined", lambda self: ()):
        assert found == told(source)


def test_without_partitions_the_words_are_the_same(tmp_path: Path) -> None:
    """Only those that the words name are in the events, and all else is as it was but how many more there are."""
    source = altered(tmp_path / "log", Random(5), 400, 0.99)
    whole, short = told(source), told(source, partitions=False)
    for one in whole["events"]:
        count = len(one["partitions"])
        one["partitions"] = one["partitions"][:NAMED]
        one["more"] += count - len(one["partitions"])
    assert short == whole
