"""The log of a node: what it covers, where it parts from another, what is left when its ends are cut off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.kraft.raft import CommittedBatch, LoadedSnapshot, OffsetAndEpoch, ReplicatedLog


def log_of(*batches: tuple[int, int]) -> ReplicatedLog:
    """Return a log of batches with these epochs and sizes in records, each of 100 bytes."""
    log = ReplicatedLog()
    for epoch, count in batches:
        log.append(CommittedBatch(log.end_offset, log.end_offset + count - 1, epoch, 0, (), (), 100))
    return log


FORKS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5), st.integers(1, 2)), min_size=1, max_size=8)


def grown(forks: list[tuple[int, int, int]]) -> list[list[int]]:
    """Return logs, as the epochs of their records: each epoch begins with a part of an earlier log and adds to it."""
    logs: list[list[int]] = [[]]
    for epoch, (parent, keep, count) in enumerate(forks, 1):
        logs.append(logs[parent % len(logs)][:keep] + [epoch] * count)
    return logs


def test_epochs_end_where_the_next_begins() -> None:
    """The end of an epoch is the start of the next in the log; of one that is not there, that of the one before."""
    log = log_of((1, 2), (1, 1), (3, 2))
    assert [log.end_of_epoch(epoch) for epoch in (0, 1, 2, 3, 4)] == [(0, 0), (3, 1), (3, 1), (5, 3), (5, 3)]
    assert [log.epoch_before(offset) for offset in (0, 1, 3, 4, 5)] == [0, 1, 1, 3, 3]
    assert log.covers(3, 1)
    assert log.covers(0, 0)
    assert not log.covers(4, 1)
    assert not log.covers(3, 2)
    for wrong in ((5, 2), (6, 3)):
        with pytest.raises(ValueError, match="does not continue"):
            log.append(CommittedBatch(wrong[0], wrong[0], wrong[1], 0, ()))


@given(FORKS, st.integers(0, 9))
def test_truncating_and_fetching_makes_logs_equal(forks: list[tuple[int, int, int]], mine: int) -> None:
    """Cut off where it parts from a leader's log, a log is a part of it, and fetching makes it the same."""
    logs = grown(forks)
    follower, leader = (log_of(*((epoch, 1) for epoch in log)) for log in (logs[mine % len(logs)], logs[-1]))
    for _ in range(20):
        if leader.covers(follower.end_offset, follower.last_epoch):
            break
        parts = leader.end_of_epoch(follower.last_epoch)
        local = follower.end_of_epoch(parts.epoch)
        before = follower.end_offset
        follower.truncate_to(min(local.offset, parts.offset) if local.epoch == parts.epoch else local.offset)
        assert follower.end_offset < before
    for batch in leader.read(follower.end_offset, leader.end_offset):
        follower.append(batch)
    assert [batch.epoch for batch in follower.batches] == logs[-1]


def test_reading_is_by_whole_batches() -> None:
    """A read begins with the batch that holds the offset, and ends before the one that begins at the end."""
    log = log_of((1, 2), (1, 2), (2, 1))
    assert [batch.base_offset for batch in log.read(1, 5)] == [0, 2, 4]
    assert [batch.base_offset for batch in log.read(2, 4)] == [2]
    assert [batch.base_offset for batch in log.read(0, 5, limit=2)] == [0, 2]
    assert log.read(5, 5) == ()


def test_truncating_inside_a_batch_takes_the_batch() -> None:
    """Batches are never split, so the one that a cut goes through is forgotten whole, with its epoch."""
    log = log_of((1, 2), (2, 3))
    log.truncate_to(5)
    assert log.end_offset == 5
    log.truncate_to(4)
    assert (log.end_offset, log.last_epoch) == (2, 1)


def test_a_log_is_cleaned_up_to_a_snapshot_and_not_beyond() -> None:
    """Old snapshots go, with what lies below the oldest kept, while there is too much; the newest always stays."""
    log = log_of((1, 2), (1, 2), (2, 2), (3, 2))
    for end, epoch in ((2, 1), (4, 1), (6, 2)):
        log.add_snapshot(LoadedSnapshot(end, epoch, ()))
    log.clean(300)
    assert (log.start_offset, log.start_epoch, [one.end_offset for one in log.snapshots]) == (4, 1, [4, 6])
    assert [log.end_of_epoch(epoch) for epoch in (0, 1, 2)] == [(4, 0), (4, 1), (6, 2)]
    log.clean(0)
    assert (log.start_offset, log.start_epoch, [one.end_offset for one in log.snapshots]) == (6, 2, [6])
    assert (log.end_offset, log.last_epoch, len(log.batches)) == (8, 3, 1)
    log.truncate_to(6)
    assert (log.end_offset, log.last_epoch) == (6, 2)
    with pytest.raises(ValueError, match="no batch ends before 5"):
        log.add_snapshot(LoadedSnapshot(5, 2, ()))


def test_a_fetched_snapshot_takes_the_place_of_the_log() -> None:
    """Beginning at a snapshot forgets all batches; the log goes on from its end."""
    log = log_of((1, 2), (2, 2))
    log.start_at(LoadedSnapshot(10, 4, ()))
    assert (log.start_offset, log.end_offset, log.last_epoch, log.batches) == (10, 10, 4, [])
    assert log.covers(10, 4)
    log.append(CommittedBatch(10, 10, 5, 0, ()))
    assert log.end_of_epoch(4) == OffsetAndEpoch(10, 4)
    assert (log.start_epoch, log.epoch_before(11)) == (4, 5)
