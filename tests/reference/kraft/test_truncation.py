"""Truncation: what KIP-101, 279 and 320 put right stays right, and the rules before them lose or diverge data."""

from collections.abc import Callable
from contextlib import nullcontext

import pytest

from fencepost.reference.kraft.injected.replication import REPLICATION

from .by_hand import ByHand


def caught_up(*values: int, **options: int) -> ByHand:
    """Return three replicas led by 1 that all have some values, the followers with the high watermark one round old."""
    cluster = ByHand(**options)
    cluster.elect(1)
    cluster.produce(*values)
    for follower in (2, 3):
        cluster.fetch(follower, rounds=2)
    return cluster


def elected_before_it_fetched_again() -> ByHand:
    """2 has all that is acknowledged but not the high watermark; 3 is elected, then 2 before it fetched from 3."""
    cluster = caught_up(10, 11)
    assert cluster.replicas[1].log.high_watermark == 2
    assert cluster.replicas[2].log.high_watermark < 2
    cluster.elect(3, told=(2, 3))
    cluster.elect(2)
    cluster.settle()
    return cluster


def fast_double_failover() -> ByHand:
    """2 is elected uncleanly and writes what 1 had written otherwise; 1 follows 2 no longer than a missed round.

    1 leads epoch 1 and writes alone; 2 leads epoch 2 with less and writes alone; 1 leads epoch 3 and writes more; 2
    comes back with epoch 2 as its last, which 1 never heard of.
    """
    cluster = ByHand(brokers=2)
    cluster.elect(1)
    cluster.produce(10)
    cluster.fetch(2, rounds=2)
    cluster.produce(11, 12)
    cluster.elect(2, isr=(2,), told=(2,))
    cluster.produce(21, 22, 23)
    cluster.elect(1, isr=(1,), told=(1,))
    cluster.produce(13)
    cluster.tell(2)
    cluster.settle()
    return cluster


def zombie_follower() -> ByHand:
    """3 misses two elections and fetches from 1 as it did, though what it has is no longer what 1 has."""
    cluster = ByHand(brokers=3)
    cluster.elect(1)
    cluster.produce(10)
    cluster.fetch(2, rounds=2)
    cluster.fetch(3, rounds=2)
    cluster.produce(11)
    cluster.fetch(3)
    cluster.elect(2, told=(1, 2))
    cluster.produce(21)
    cluster.fetch(1, rounds=3)
    cluster.elect(1, told=(1, 2))
    cluster.fetch(2, rounds=2)
    cluster.fetch(3)
    return cluster


def joined_too_early() -> ByHand:
    """2 leads with an old high watermark; 3, which lacks an acknowledged value, fetches and is proposed for the ISR."""
    cluster = ByHand(brokers=3)
    cluster.elect(1)
    cluster.produce(10)
    for follower in (2, 3):
        cluster.fetch(follower, rounds=2)
    cluster.current = cluster.current.merge({"isr": [1, 2]})
    cluster.tell(1)
    cluster.now_ns += 60_000_000_000
    cluster.produce(11)
    cluster.fetch(2, rounds=1)
    assert cluster.replicas[2].values == [10, 11]
    cluster.fetch(2)
    assert cluster.replicas[1].log.high_watermark == 2
    cluster.elect(2, isr=(1, 2))
    cluster.ask(3)
    return cluster


HISTORIES = {
    "truncate-to-high-watermark": (elected_before_it_fetched_again, lambda c: c.replicas[2].values == [10, 11]),
    "one-round-of-epochs": (fast_double_failover, lambda c: c.replicas[2].values == c.replicas[1].values),
    "zombie-fetches": (
        zombie_follower,
        lambda c: c.replicas[1].log.high_watermark <= 1 or c.replicas[3].values[1] == 21,
    ),
    "join-at-high-watermark": (joined_too_early, lambda c: c.replicas[2].proposals == []),
}


@pytest.mark.parametrize("defect", [None, "itself"])
@pytest.mark.parametrize("name", HISTORIES)
def test_a_history_is_safe_today_and_was_not(name: str, defect: str | None) -> None:
    """Each history keeps what was acknowledged with today's rules, and loses or diverges it with the rule before."""
    play, safe = HISTORIES[name]
    with REPLICATION[name].injected() if defect else nullcontext():
        cluster = play()
    assert safe(cluster) is (defect is None)


@pytest.mark.parametrize("play", [elected_before_it_fetched_again, fast_double_failover])
def test_logs_converge(play: Callable[[], ByHand]) -> None:
    """When everybody has fetched to the end all logs are equal, entries and epochs."""
    cluster = play()
    cluster.settle()
    logs = [replica.log.entries() for replica in cluster.replicas.values()]
    assert all(log == logs[0] for log in logs)


def test_a_leader_that_wrote_nothing_is_forgotten() -> None:
    """A follower whose last epoch has no entries gets in step with a leader that never heard of that epoch."""
    cluster = caught_up(10)
    cluster.elect(2, told=(2,))
    cluster.elect(3, told=(2, 3))
    cluster.elect(1)
    cluster.produce(11)
    cluster.settle()
    assert [replica.log.entries() for replica in cluster.replicas.values()] == [[(1, 10), (4, 11)]] * 3


def test_retention_is_followed() -> None:
    """A follower that is behind the start of its leader's log begins there anew."""
    cluster = ByHand(brokers=2)
    cluster.elect(1)
    cluster.produce(*range(8))
    cluster.replicas[1].log.high_watermark = 8
    cluster.replicas[1].log.advance_start(5)
    cluster.fetch(2, rounds=3)
    assert cluster.replicas[2].log.start_offset == 5
    assert cluster.replicas[2].values == [5, 6, 7]
