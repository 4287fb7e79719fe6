"""A leader that missed the term of another counts what its followers had before it, and acknowledges what is lost.

Candidate finding, in Kafka's code (Partition.makeLeader, Replica.resetReplicaState): the offsets of followers are
forgotten only by a broker that did not lead just before. One that gets the news of both elections, away and back, at
once has led all the time, as far as it knows.
"""

import pytest

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.broker.ledger import Acknowledged, Ledger
from fencepost.reference.kraft.broker.replication_messages import ProduceRequest
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import SECOND

from .broker_cluster import BrokerCluster, name_of
from .by_hand import ByHand


@pytest.mark.parametrize("repaired", [frozenset[str](), frozenset({"D29"})])
def test_the_high_watermark_covers_what_a_follower_truncated(repaired: frozenset[str]) -> None:
    """2 had fetched 11 from 1, and lost it to 3; 1 leads again without having heard of 3, and calls 11 committed."""
    cluster = ByHand(min_isr=2, repaired=repaired)
    cluster.elect(1)
    cluster.produce(10)
    for follower in (2, 3):
        cluster.fetch(follower, rounds=3)
    cluster.produce(11)
    cluster.fetch(2, rounds=2)
    cluster.elect(3, told=(2, 3))
    cluster.produce(30)
    cluster.fetch(2, rounds=3)
    assert cluster.replicas[2].values == [10, 30]
    cluster.elect(1, isr=(1, 2), told=(1,))
    assert cluster.replicas[1].values == [10, 11]
    assert cluster.replicas[1].log.high_watermark == (1 if repaired else 2)


@pytest.mark.parametrize("repair", ["", "D29"])
def test_an_acknowledged_entry_is_lost(repair: str) -> None:
    """In a whole cluster: two elections within a broker's metadata lag, and then it dies; no broker lost any data."""
    ledger = Ledger()
    settings = Settings(min_insync_replicas=2, repaired=frozenset({repair} - {""}))
    cluster = BrokerCluster(settings=settings, observer=ledger).start()
    topic = cluster.create("t", (3, 1, 2))
    cluster.produce(topic, 10)
    cluster.brokers[3].terminate()
    cluster.run(12)
    cluster.brokers[3].start()
    cluster.run(12)
    assert (cluster.registration(topic).leader, set(cluster.registration(topic).isr)) == (1, {1, 2, 3})

    # 11 gets to 2, not to 3; it is not acknowledged.
    cluster.network.faults.cut([name_of(1)], [name_of(3)])
    acknowledged: list[Errors] = []
    sent_ns = cluster.simulator.now_ns
    cluster.network.call(
        cluster.client, name_of(1), ProduceRequest("p", 1, 60 * SECOND, (((topic, 0), (11,)),)),
        lambda answer: acknowledged.append(answer.partitions[0].error), 90 * SECOND, lambda: None,
    )  # fmt: skip
    cluster.run(2)
    assert (acknowledged, cluster.values(2, topic), cluster.values(3, topic)) == ([], [10, 11], [10])

    # 1 hears nothing of the election of 3; 2 does, and truncates.
    cluster.feeds[1].paused = True
    cluster.ask(m.ElectLeadersRequest(election_type=0, partitions=(("t", 0),)), wait=0.1)
    assert cluster.registration(topic).leader == 3
    cluster.produce(topic, 30, wait=2)
    assert cluster.values(2, topic) == [10, 30]
    cluster.brokers[3].kill()
    cluster.run(12)
    assert (cluster.registration(topic).leader, cluster.registration(topic).isr) == (1, (1, 2))

    # Now 1 hears of both elections at once, while 2 cannot reach it.
    cluster.network.faults.cut([name_of(1)], [name_of(2)])
    cluster.feeds[1].paused = False
    cluster.feeds[1].noticed()
    cluster.run(1)
    assert cluster.replica(1, topic).leader_epoch == cluster.registration(topic).leader_epoch
    assert acknowledged == ([] if repair else [Errors.NONE])
    if not repair:
        ledger.acknowledged((topic, 0), Acknowledged(1, (11,), sent_ns, 2))
    cluster.brokers[1].kill()
    cluster.run(14)
    assert cluster.registration(topic).leader == 2
    assert [(loss.offset, loss.value, loss.found) for loss in ledger.losses] == ([] if repair else [(1, 11, 30)])
    assert all("D29" in loss.excuse and loss.lossy == () for loss in ledger.losses)
