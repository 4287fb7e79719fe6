"""Elections: who leads, who may, and when a leader gives up."""

import pytest

from fencepost.reference.kraft.errors import NotLeaderError
from fencepost.reference.simulator import SECOND

from .quorum import NO_OP, Quorum


@pytest.mark.parametrize("voters", [1, 2, 3, 5])
def test_a_quorum_elects_one_leader_and_keeps_it(voters: int) -> None:
    """Left alone, voters agree on a leader within seconds, and its epoch does not end."""
    quorum = Quorum(1, voters, observers=2)
    quorum.run(10)
    quorum.assert_agreement()
    epoch = quorum.active.node.epoch
    quorum.run(60)
    quorum.assert_agreement()
    assert quorum.active.node.epoch == epoch


def test_the_opening_batch_is_that_of_a_real_log() -> None:
    """The first control batch says who leads, who voted, and who may; later ones only who leads, elected by whom."""
    quorum = Quorum(1)
    quorum.run(10)
    first = quorum.active
    assert [name for name, _ in first.batches[0].control] == ["LeaderChange", "KRaftVersion", "KRaftVoters"]
    leader_change = first.batches[0].control[0][1]
    assert leader_change["leaderId"] == first.id
    assert leader_change["voters"] == [{"voterId": 1}, {"voterId": 2}, {"voterId": 3}]
    assert {"voterId": first.id} in leader_change["grantingVoters"]
    assert len(leader_change["grantingVoters"]) >= 2
    first.crash()
    quorum.run(10)
    control = [batch.control for batch in quorum.active.batches]
    assert [[name for name, _ in records] for records in control[1:] if records] == [["LeaderChange"]]


def test_a_crashed_leader_is_replaced_and_follows_when_it_is_back() -> None:
    """The others elect one in a higher epoch after the fetch timeout; the old one truncates nothing committed."""
    quorum = Quorum(2)
    quorum.run(10)
    old = quorum.active
    assert old.append(1)
    quorum.run(1)
    old.crash()
    quorum.run(8)
    new = quorum.active
    assert new is not old
    assert new.append(2)
    old.start()
    quorum.run(5)
    quorum.assert_agreement()
    assert quorum.numbers(old) == [1, 2]


def test_a_leader_without_a_quorum_resigns() -> None:
    """Cut off from a majority it resigns within one and a half fetch timeouts, and says so to its state machine."""
    quorum = Quorum(3)
    quorum.run(10)
    old = quorum.active
    others = [one.name for one in quorum.machines if one is not old]
    cut = quorum.faults.cut([old.name], others)
    quorum.run(3.5)
    assert not old.is_active
    assert old.leaders[-1] == (None, old.leaders[-2][1])
    quorum.run(10)
    assert quorum.active is not old
    epoch = quorum.active.node.epoch
    quorum.faults.heal(cut)
    quorum.run(5)
    quorum.assert_agreement()
    assert quorum.active.node.epoch == epoch, "a node that comes back disturbs no other, since it asks first"


def test_a_node_that_is_cut_off_does_not_raise_its_epoch() -> None:
    """Asking before standing keeps the epoch of a lonely follower, so that the leader stays when it is back."""
    quorum = Quorum(4)
    quorum.run(10)
    leader, epoch = quorum.active, quorum.active.node.epoch
    lonely = next(one for one in quorum.machines if one is not leader)
    cut = quorum.faults.cut([lonely.name], quorum.network.names())
    quorum.run(30)
    assert lonely.node.epoch == epoch
    quorum.faults.heal(cut)
    quorum.run(5)
    assert (quorum.active, quorum.active.node.epoch) == (leader, epoch)
    quorum.assert_agreement()


def test_a_resignation_is_followed_by_a_fast_election() -> None:
    """A leader that resigns names its successors, so the next is there long before the fetch timeout."""
    quorum = Quorum(5)
    quorum.run(10)
    old = quorum.active
    epoch = old.node.epoch
    old.node.resign(epoch - 1)
    quorum.run(0.1)
    assert quorum.active is old, "an epoch that is over cannot be resigned"
    old.node.resign(epoch)
    quorum.run(1)
    assert quorum.active.node.epoch > epoch
    with pytest.raises(NotLeaderError):
        old.node.prepare_append(epoch, [NO_OP])


def test_a_voter_with_a_shorter_log_is_not_elected() -> None:
    """With the longest log down, a voter that lacks committed records never leads, however long it waits."""
    quorum = Quorum(6)
    quorum.run(10)
    leader = quorum.active
    behind, other = [one for one in quorum.machines if one is not leader]
    behind.crash()
    assert leader.append(1)
    quorum.run(2)
    leader.crash()
    behind.start()
    quorum.run(20)
    assert quorum.active is other
    other.crash()
    quorum.run(60)
    assert not any(one.is_active for one in quorum.machines), "one of three is no majority"
    leader.start()
    quorum.run(20)
    assert quorum.active in (leader, behind)
    assert quorum.numbers(quorum.active) == [1]


def test_votes_survive_a_crash() -> None:
    """A voter that crashed after its vote has its epoch and its vote when it starts again."""
    quorum = Quorum(7)
    while not any(one.disk.voted_for not in (-1, one.id) for one in quorum.machines):
        quorum.simulator.run_until(quorum.simulator.now_ns + SECOND // 1000)
    voter = next(one for one in quorum.machines if one.disk.voted_for not in (-1, one.id))
    before = (voter.disk.epoch, voter.disk.voted_for)
    voter.crash()
    voter.start()
    assert (voter.node.epoch, voter.disk.voted_for) == before
