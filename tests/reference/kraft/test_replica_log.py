"""The log of a replica: epochs and their ends, truncation, and what survives which end of a broker."""

import random

from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.kraft.broker.disk import BrokerDisk
from fencepost.reference.kraft.broker.replica_log import CHECKPOINT_INTERVAL_NS, WRITE_BACK_NS, ReplicaLog
from tests.cases import each


def log_of(*entries: tuple[int, int]) -> ReplicaLog:
    """Return a log with entries, given as (epoch, value)."""
    log = ReplicaLog("T", 0)
    for epoch, value in entries:
        log.append(epoch, [value], 0)
    return log


@each(("epoch", "end"), [(0, (0, 0)), (1, (1, 2)), (2, (1, 2)), (3, (3, 3)), (4, (4, 3)), (5, None)])
def test_the_end_of_an_epoch(epoch: int, end: tuple[int, int] | None) -> None:
    """It is where the next known epoch begins; an unknown epoch ends with the one below, none is above the latest."""
    log = log_of((1, 10), (1, 11), (3, 12))
    log.assign_epoch(4, 3)
    assert log.end_of_epoch(epoch) == end


def test_an_epoch_without_entries_goes_with_a_truncation() -> None:
    """Also with one that takes away nothing else."""
    log = log_of((1, 10))
    log.assign_epoch(2, 1)
    log.truncate_to(1)
    assert (log.epochs, log.values) == ([(1, 0)], [10])


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(0, 30), st.integers(1, 10))
def test_what_is_read_and_appended_is_the_same(steps: list[int], offset: int, limit: int) -> None:
    """A follower that appends what a leader reads has the leader's entries with their epochs, piece by piece."""
    leader, epoch = ReplicaLog("T", 0), 1
    for number, step in enumerate(steps):
        epoch += step == 0
        leader.append(epoch, [number], 0)
    follower = ReplicaLog("T", 0)
    while follower.end_offset < leader.end_offset:
        epochs, values = leader.read(follower.end_offset, limit)
        follower.append_fetched(epochs, values, 0)
    assert follower.entries() == leader.entries()
    leader.truncate_to(offset)
    assert leader.entries() == follower.entries()[:offset]
    assert all(start < leader.end_offset for _, start in leader.epochs)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=20), st.data())
def test_retention_keeps_epochs(epochs: list[int], data: st.DataObject) -> None:
    """After the beginning is let go the entries that are left have the epochs that they had."""
    log = log_of(*((epoch, number) for number, epoch in enumerate(sorted(epochs))))
    before = dict(enumerate(log.entries()))
    start = data.draw(st.integers(0, len(epochs)))
    log.advance_start(start)
    assert log.start_offset == start
    assert dict(enumerate(log.entries(), start)) == {offset: one for offset, one in before.items() if offset >= start}


def test_a_killed_process_keeps_entries_and_the_saved_high_watermark() -> None:
    """The high watermark is as it was at the last checkpoint; after a clean shutdown it is whole."""
    log = log_of((1, 10), (1, 11))
    log.set_high_watermark(1, CHECKPOINT_INTERVAL_NS - 1)
    log.set_high_watermark(2, CHECKPOINT_INTERVAL_NS + 1)
    log.reload(CHECKPOINT_INTERVAL_NS + 2)
    assert (log.values, log.high_watermark) == ([10, 11], 1)
    log.set_high_watermark(2, CHECKPOINT_INTERVAL_NS + 3)
    log.flush()
    log.reload(CHECKPOINT_INTERVAL_NS + 4)
    assert log.high_watermark == 2


def test_a_power_loss_takes_a_tail() -> None:
    """Some of what is younger than the write-back time goes, nothing that is older; epochs without entries go too."""
    seen = set()
    for seed in range(40):
        log = ReplicaLog("T", 0)
        log.append(1, [1, 2], 0)
        log.append(2, [3, 4], WRITE_BACK_NS + 1)
        lost = log.lose_power(WRITE_BACK_NS + 2, random.Random(seed))
        assert log.values == [1, 2, 3, 4][: 4 - lost]
        assert log.latest_epoch == (2 if lost < 2 else 1)
        seen.add(lost)
    assert seen == {0, 1, 2}


def test_a_clean_shutdown_is_one_in_all_directories() -> None:
    """The broker epoch counts only where all directories that can be read have the same; the files are used up."""
    disk = BrokerDisk.formatted("cluster", 1, ["a", "b"])
    assert disk.take_clean_shutdown() == -1
    disk.write_clean_shutdown(7)
    assert (disk.take_clean_shutdown(), disk.take_clean_shutdown()) == (7, -1)
    disk.write_clean_shutdown(7)
    disk.replace("a", "c")
    assert disk.take_clean_shutdown() == -1
    disk.write_clean_shutdown(8)
    disk.directories[0].online = False
    assert disk.take_clean_shutdown() == 8
