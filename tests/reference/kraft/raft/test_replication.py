"""Replication: what is committed, what is truncated, what comes as a snapshot."""

import pytest

from fencepost.reference.kraft.errors import NotLeaderError

from .quorum import NO_OP, Quorum, record


def test_results_share_a_batch_and_are_never_split() -> None:
    """What is appended within the linger is one batch; offsets are given at once; an empty result takes none."""
    quorum = Quorum(1)
    quorum.run(10)
    leader = quorum.active
    end, epoch = leader.node.log_end_offset(), leader.node.epoch
    assert leader.node.prepare_append(epoch, [record(1), record(2)]) == end + 1
    assert leader.node.prepare_append(epoch, []) == end + 1
    leader.node.schedule_prepared_append()
    assert leader.node.prepare_append(epoch, [record(3)]) == end + 2
    leader.node.schedule_prepared_append()
    assert leader.node.log_end_offset() == end, "nothing is in the log before the linger"
    quorum.run(0.2)
    assert leader.append(4)
    quorum.run(0.2)
    batches = [batch for batch in leader.batches if batch.base_offset >= end]
    assert [[one.data["nextProducerId"] for one in batch.records] for batch in batches] == [[1, 2, 3], [4]]
    assert [batch.base_offset for batch in batches] == [end, end + 3]
    assert batches[0].timestamp_ms < batches[1].timestamp_ms
    with pytest.raises(NotLeaderError):
        leader.node.prepare_append(epoch + 1, [NO_OP])


def test_followers_and_observers_are_given_what_is_committed_soon() -> None:
    """A record is known to be committed everywhere within a few delays of the network, not after the fetch wait."""
    quorum = Quorum(1, observers=3)
    quorum.run(10)
    assert quorum.active.append(7)
    quorum.run(0.025 + 0.010)
    for machine in [*quorum.machines, *quorum.observers]:
        assert quorum.numbers(machine) == [7]


def test_the_uncommitted_tail_of_an_old_leader_is_truncated() -> None:
    """What a leader wrote while cut off was never committed; when it is back, its log is that of the new leader."""
    quorum = Quorum(2)
    quorum.run(10)
    old = quorum.active
    assert old.append(1)
    quorum.run(1)
    cut = quorum.faults.cut([old.name], quorum.network.names())
    assert old.append(2)
    quorum.run(1)
    assert old.append(3)
    quorum.run(1)
    tail = old.disk.log.batches[-1]
    assert [one.data["nextProducerId"] for one in tail.records] == [3]
    quorum.run(10)
    assert quorum.active.append(4)
    quorum.run(1)
    quorum.faults.heal(cut)
    quorum.run(5)
    quorum.assert_agreement()
    assert quorum.numbers(old) == quorum.numbers(quorum.active) == [1, 4]
    assert tail not in old.disk.log.batches


def test_records_of_earlier_epochs_are_committed_with_one_of_the_own() -> None:
    """A leader commits an uncommitted record of an earlier epoch only with the batch that opens its own."""
    quorum = Quorum(3)
    quorum.run(10)
    old = quorum.active
    others = [one for one in quorum.machines if one is not old]
    assert old.append(1)
    quorum.run(0.0251)  # in the log of the leader, on no other
    quorum.run(0.0008)  # on its way to or in the logs of the others
    for machine in quorum.machines:
        machine.crash()
    for machine in quorum.machines:
        machine.start()
    quorum.run(15)
    quorum.assert_agreement()
    assert len(others) == 2
    first = next(batch for batch in quorum.active.batches if batch.epoch == quorum.active.node.epoch)
    assert first.control


def test_a_lost_disk_is_filled_again() -> None:
    """A voter whose disk was lost while the others had everything comes back by fetching, and loses nobody's data."""
    quorum = Quorum(4)
    quorum.run(10)
    for number in range(5):
        assert quorum.active.append(number)
        quorum.run(0.1)
    leader = quorum.active
    loser = next(one for one in quorum.machines if one is not leader)
    loser.crash()
    loser.disk.wipe()
    loser.start()
    quorum.run(10)
    quorum.assert_agreement()
    assert quorum.numbers(loser) == list(range(5))
    assert quorum.active is leader


def fill(quorum: Quorum, numbers: range) -> None:
    """Append records one by one."""
    for number in numbers:
        assert quorum.active.append(number)
        quorum.run(0.05)


def test_who_is_behind_the_start_of_the_log_is_given_a_snapshot() -> None:
    """A leader that forgot the beginning of its log sends its newest snapshot, then what follows."""
    quorum = Quorum(5, observers=1, metadata_max_retention_bytes=200)
    quorum.run(10)
    late = quorum.observers[0]
    lagging = next(one for one in quorum.machines if one is not quorum.active)
    late.crash()
    lagging.crash()
    fill(quorum, range(10))
    leader = quorum.active
    with pytest.raises(ValueError, match="more than is committed"):
        leader.node.create_snapshot(leader.next + 1, leader.node.epoch, [])
    leader.node.create_snapshot(leader.next, leader.node.epoch, [record(100)])
    leader.node.create_snapshot(leader.next, leader.node.epoch, [record(100)])
    fill(quorum, range(10, 20))
    leader.node.create_snapshot(leader.next, leader.node.epoch, [record(200)])
    log = leader.disk.log
    assert [len(log.snapshots), log.start_offset] == [1, log.snapshots[0].end_offset]
    assert log.snapshots[0].last_contained_timestamp_ms <= log.snapshots[0].timestamp_ms
    fill(quorum, range(20, 23))
    for machine in (late, lagging):
        machine.start()
    quorum.run(5)
    quorum.assert_agreement()
    for machine in (late, lagging):
        assert [one.records for one in machine.loaded] == [(record(200),)]
        assert quorum.numbers(machine) == [20, 21, 22]
    lagging.crash()
    lagging.start()
    quorum.run(5)
    assert [one.records for one in lagging.loaded] == [(record(200),)], "after a restart it begins at its own snapshot"
    assert quorum.numbers(lagging) == [20, 21, 22]


def test_a_snapshot_ends_where_a_batch_does() -> None:
    """A snapshot that would end inside a batch is refused."""
    quorum = Quorum(6)
    quorum.run(10)
    assert quorum.active.append(1, 2, 3)
    quorum.run(1)
    leader = quorum.active
    with pytest.raises(ValueError, match="no batch ends before"):
        leader.node.create_snapshot(leader.next - 1, leader.node.epoch, [])
